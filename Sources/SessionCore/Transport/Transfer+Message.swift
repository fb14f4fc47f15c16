/// What an attempt sends: the fields and the body, which have to agree about its length.
extension Transfer {
    /// A request as it goes out.
    struct Message {
        var headers: HeaderList
        /// Nil without a body.
        var body: (any BodySource)?
        /// Whether the server is asked before the body is sent.
        var expectsContinue = false
    }

    /// The last look at the fields: the session's and a redirect's answer were not seen before.
    ///
    /// Without a body the list of the transfer before serves, when it sent the same.
    func makeMessage() throws(SessionError) -> Message {
        let authorization = credentials.isEmpty ? nil : credentials.field(for: request)
        let parts = RequestFields(
            own: request.headers, added: handler.additionalFields(), authorization: authorization,
            hasLeftOrigin: redirects.hasLeftOrigin)
        guard let body = try makeSource() else { return Message(headers: try core.headerList(of: parts)) }
        var framing = try RequestFraming(
            parts.merged(session: core.configuration.additionalHeaders),
            body: body.length.map { .known($0) } ?? .unknown)
        if refusesExpectation { framing.withholdExpectation() }
        var message = Message(headers: try HeaderList(framing), body: body)
        if body.length == nil, let length = framing.bodyLength {
            message.body = AnnouncedBodySource(body, length: length)
        }
        message.expectsContinue = expectsContinue(framing)
        if !message.expectsContinue { try message.headers.withhold("Expect") }
        return message
    }

    private func makeSource() throws(SessionError) -> (any BodySource)? {
        isBodySpent = !request.body.isReplayable
        switch request.body {
        case .none:
            // A server may wait for the body of these methods until it is told that there is none (RFC 9110, 8.6).
            return ["POST", "PUT", "PATCH"].contains(request.method) ? BytesBodySource([]) : nil
        case .bytes(let bytes): return BytesBodySource(bytes)
        case .file(let path): return try FileBodySource(path: path)
        case .descriptor(let descriptor):
            let loop = core.loop
            let id = id
            let piped = description.pipedBody?.descriptor == descriptor ? description.pipedBody : nil
            return try DescriptorBodySource(descriptor: descriptor, piped: piped) {
                loop.perform { $0.transfer(id)?.sourceHasBytes() }
            }
        }
    }

    func settings(_ attempt: Attempt, _ message: Message) throws(SessionError) -> EasyHandle.Settings {
        try ParsedURL.checkText(request.url)
        try HeaderValidator.validate(method: request.method)
        attempt.allowsHTTP2 = isEncrypted && (request.allowsHTTP2 ?? (description.kind == .data))
        return EasyHandle.Settings(
            url: request.url, method: request.method, headers: message.headers,
            hasBody: message.body != nil, bodyLength: message.body?.length,
            allowsHTTP2: attempt.allowsHTTP2,
            connectTimeoutMilliseconds: max(1, Int(Deadlines.milliseconds(core.configuration.connectTimeout))),
            receiveBufferSize: core.receiveBufferSize, authorities: isEncrypted ? core.authorities : nil,
            trust: attempt.trust)
    }
}
