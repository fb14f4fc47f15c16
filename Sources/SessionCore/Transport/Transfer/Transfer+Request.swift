/// The message an attempt sends: fields and body, which have to agree about the body's length.
extension Transfer {
    /// The fields and body of a request as they are sent.
    struct Message {
        var headers: HeaderList
        /// Nil without a body.
        var body: (any BodySource)?
        /// Whether the request carries `Expect: 100-continue`.
        var expectsContinue = false
        /// Whether the response may come in a content coding that is decoded.
        var decodesBody = false
        /// Whether it carries a Kerberos ticket: some servers then attribute every request on the connection to the
        /// ticket's user.
        var showsTicket = false

        /// The fields as the server receives them, with the ones that libcurl adds for the body; secrets are masked.
        func shownFields(overHTTP2 allowsHTTP2: Bool) -> HeaderFields {
            guard let body else { return headers.shown }
            var fields = headers.shown
            if let length = body.length {
                if fields["Content-Length"] == nil { fields.append(name: "Content-Length", value: String(length)) }
            } else if !allowsHTTP2 {
                fields.append(name: "Transfer-Encoding", value: "chunked")
            }
            if expectsContinue, fields["Expect"] == nil { fields.append(name: "Expect", value: "100-continue") }
            return fields
        }
    }

    /// Validates the fields once more, because the session's and the ones after a redirect were not checked before.
    ///
    /// Without a body, the previous transfer's header list is reused if it is the same.
    ///
    /// - Parameters:
    ///   - added: the fields of a further connection; nil for the handler's own.
    ///   - requestTarget: the server and request of a mirror attempt.
    func makeMessage(adding added: HeaderFields? = nil, to requestTarget: RequestTarget? = nil) throws(SessionError)
        -> Message
    {
        let request = requestTarget?.request ?? request
        let hasLeftOrigin = requestTarget?.hasLeftOrigin ?? asking.redirects.context.hasLeftOrigin
        var authorization = asking.credentials.isEmpty ? nil : asking.credentials.field(for: request)
        let showsTicket = authorization?.hasPrefix("Negotiate ") ?? false
        var own = request.headers
        let offer = codingOffer
        if let offer { own["Accept-Encoding"] = offer }
        if let options = core.options(of: request.sharedOptions), options.identifies {
            try addIdentity(options.values, of: request, hasLeftOrigin: hasLeftOrigin, to: &own, &authorization)
        } else {
            addNamed(of: request, hasLeftOrigin: hasLeftOrigin, to: own, &authorization)
        }
        if added == nil, requestTarget == nil { asking.redirects.context.cookies = own["Cookie"] }
        let parts = RequestFields(
            own: own, added: added ?? handler.additionalFields(), authorization: authorization,
            hasLeftOrigin: hasLeftOrigin)
        guard let body = try makeSource().map({ upload?.piece(of: $0) ?? $0 }) else {
            return Message(
                headers: try core.recent.headerList(of: parts), decodesBody: offer != nil, showsTicket: showsTicket)
        }
        var framing = try RequestFraming(
            parts.merged(session: core.configuration.additionalHeaders),
            body: body.length.map { .known($0) } ?? .unknown)
        if asking.body.refusesExpectation { framing.withholdExpectation() }
        var message = Message(
            headers: try HeaderList(framing), body: body, decodesBody: offer != nil, showsTicket: showsTicket)
        if body.length == nil, let length = framing.bodyLength {
            message.body = AnnouncedBodySource(body, length: length)
        }
        message.expectsContinue = expectsContinue(framing)
        if !message.expectsContinue { try message.headers.withhold("Expect") }
        return message
    }

    /// The value of `Accept-Encoding`; nil where a decoded body is not wanted, or where a range of an encoded one would
    /// be ambiguous.
    private var codingOffer: String? {
        guard core.configuration.decodesBodies, description.kind == .data, request.method != "HEAD",
            request.headers["Accept-Encoding"] == nil, request.headers["Range"] == nil,
            core.configuration.additionalHeaders["Accept-Encoding"] == nil
        else { return nil }
        return ContentCoding.offer
    }

    private func makeSource() throws(SessionError) -> (any BodySource)? {
        switch request.body {
        case .none:
            // A server may wait for the body of these methods until it learns that none follows (RFC 9110, 8.6).
            return ["POST", "PUT", "PATCH"].contains(request.method) ? BytesBodySource([]) : nil
        case .bytes(let bytes): return BytesBodySource(bytes)
        case .file(let path): return try FileBodySource.source(path: path, wake: wake)
        case .pieces(let pieces): return try PiecesBodySource(pieces, wake: wake)
        case .descriptor(let descriptor):
            if let unread = asking.body.unread { return unread }
            let piped =
                description.arrangement.pipedBody?.descriptor == descriptor ? description.arrangement.pipedBody : nil
            let source = try DescriptorBodySource(descriptor: descriptor, piped: piped, wake: wake)
            // The source reads ahead, so another one would begin behind what it has buffered.
            asking.keepUnread(source)
            return source
        }
    }

    /// Whether the body can be sent again: it can be read again, nothing of it was read yet, or the caller makes a new
    /// one.
    var mayRepeatBody: Bool { isBodyAtStart || asks(.body) }

    /// Whether another attempt can send the body from its start.
    var isBodyAtStart: Bool {
        asking.isBodyAtStart(isReplayable: request.body.isReplayable, sent: attempt?.sent ?? 0)
    }

    /// Records at the end of an attempt that it may have read a body that cannot be read again.
    func recordBody(readBy attempt: Attempt) {
        asking.bodyWasRead(attempt.sent, isReplayable: request.body.isReplayable)
    }

    /// Reports from any thread that the body source has bytes again.
    private var wake: @Sendable () -> Void {
        let (loop, id) = (core.loop, id)
        return { loop.run { $0.transfer(id)?.sourceHasBytes() } }
    }

    func configure(_ attempt: Attempt, _ message: Message) throws(SessionError) {
        let request = attempt.requestTarget?.request ?? request
        try ParsedURL.checkText(request.url)
        try HeaderValidator.validate(method: request.method)
        attempt.plan.allowsHTTP2 =
            (attempt.requestTarget?.isEncrypted ?? isEncrypted) && (request.allowsHTTP2 ?? (description.kind == .data))
        let url = try sentURL(
            of: request, hasLeftOrigin: attempt.requestTarget?.hasLeftOrigin ?? asking.redirects.context.hasLeftOrigin)
        let (handle, context) = (attempt.handle, Unmanaged.passUnretained(attempt).toOpaque())
        try handle.configureTransfer(to: url, context: context)
        try handle.configureMessage(request.method, message.headers, message.body, context: context)
        if !mayShareConnection(attempt, message) { handle.isolate() }
        try handle.configureConnection(
            allowsHTTP2: attempt.plan.allowsHTTP2,
            timeoutMilliseconds: max(1, Int(Deadlines.milliseconds(core.configuration.connectTimeout))),
            receiveBufferSize: min(core.buffers.received, core.pace.step(.download, of: id)))
        let connection = attempt.plan.connection
        if attempt.isEncrypted {
            let authorities = try core.authorities(of: connection?.options.authorities)
            try handle.configureSecurity(authorities, core.secureSessions, attempt.plan.trust, connection)
        }
        if let connection { try handle.configure(connection) }
    }

    /// Whether an attempt may use an existing connection and leave it for others.
    ///
    /// On an existing one libcurl would repeat an upload's piece by itself after a disconnect, which the server has
    /// counted.
    private func mayShareConnection(_ attempt: Attempt, _ message: Message) -> Bool {
        !message.showsTicket && !core.distrusts(attempt.connectionName) && upload?.machine.piece == nil
            && !isRepeatedUnasked(message)
    }
}

/// A request body that has to be sent again although it cannot be read again.
extension Transfer {
    /// Prepares an attempt, with a new body if the last one was read.
    func prepareRequest() {
        if description.request.uploadPlan != nil { prepareUpload() }
        guard asking.body.isSpent, !request.body.isReplayable else {
            handler.prepare { [unowned self] preparation in prepared(preparation) }
            return
        }
        guard asks(.body) else { return failUnreplayable() }
        let reply: @Sendable (BodySpecification?) -> Void = question(.body) { $0.replaceBody(with: $1) }
        core.emit(.needsBody(id, reply: reply))
    }

    private func replaceBody(with body: BodySpecification?) {
        guard let body else { return failUnreplayable() }
        asking.replace(with: body)
        send(body)
        prepareRequest()
    }

    private func failUnreplayable() {
        fail(
            SessionError(.notReplayable, BodyErrors.readOnce, failingURL: request.url))
    }
}

/// `Expect: 100-continue` for large bodies (RFC 9110, 10.1.1).
extension Transfer {
    /// The bytes from which on a body is large enough to send `Expect: 100-continue`.
    private static let worthAsking: Int64 = 1 << 20

    /// Whether the attempt sends `Expect`: as its caller has said, otherwise by the body's size.
    func expectsContinue(_ framing: RequestFraming) -> Bool {
        switch framing.expectation {
        case .asked: true
        case .withheld: false
        case .unsaid: (framing.bodyLength ?? .max) >= Self.worthAsking
        }
    }
}
