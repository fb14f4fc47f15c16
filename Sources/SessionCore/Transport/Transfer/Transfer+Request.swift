/// What an attempt sends: the fields and the body, which have to agree about its length.
extension Transfer {
    /// A request as it goes out.
    struct Message {
        var headers: HeaderList
        /// Nil without a body.
        var body: (any BodySource)?
        /// Whether the server is asked before the body is sent.
        var expectsContinue = false
        /// Whether the body of the answer may come in a coding, which is undone.
        var decodesBody = false
        /// Whether it shows a ticket: some servers then take whatever comes on the same connection for its user's.
        var showsTicket = false

        /// The fields as the server gets them, with those that libcurl adds for the body; secrets are masked.
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

    /// The last look at the fields: the session's and a redirect's answer were not seen before.
    ///
    /// Without a body the list of the transfer before serves, when it sent the same.
    ///
    /// - Parameters:
    ///   - added: the fields of a further connection; nil for those of the transfer's own.
    ///   - aim: whom it asks where that is a mirror.
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

    /// The codings that the answer is asked for in; nil where it is wanted as it is, or nobody can tell what a part of it
    /// would be in one.
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
            // A server may wait for the body of these methods until it is told that there is none (RFC 9110, 8.6).
            return ["POST", "PUT", "PATCH"].contains(request.method) ? BytesBodySource([]) : nil
        case .bytes(let bytes): return BytesBodySource(bytes)
        case .file(let path): return try FileBodySource.source(path: path, wake: wake)
        case .pieces(let pieces): return try PiecesBodySource(pieces, wake: wake)
        case .descriptor(let descriptor):
            if let unread = asking.body.unread { return unread }
            let piped =
                description.arrangement.pipedBody?.descriptor == descriptor ? description.arrangement.pipedBody : nil
            let source = try DescriptorBodySource(descriptor: descriptor, piped: piped, wake: wake)
            // It reads ahead, so another one would begin behind what it holds.
            asking.keepUnread(source)
            return source
        }
    }

    /// Whether the body may follow once more: because it can be read again, nothing of it has been read, or the caller makes
    /// a fresh one.
    var mayRepeatBody: Bool { isBodyAtStart || asks(.body) }

    /// Whether the body is the same for another attempt as it was for the first.
    var isBodyAtStart: Bool {
        asking.isBodyAtStart(isReplayable: request.body.isReplayable, sent: attempt?.sent ?? 0)
    }

    /// Records that an attempt is over, which may have read what nobody can read again.
    func recordBody(readBy attempt: Attempt) {
        asking.bodyWasRead(attempt.sent, isReplayable: request.body.isReplayable)
    }

    /// Tells the transfer that its body has bytes again, from any thread.
    private var wake: @Sendable () -> Void {
        let (loop, id) = (core.loop, id)
        return { loop.run { $0.transfer(id)?.sourceHasBytes() } }
    }

    /// Sets every option of an attempt's handle.
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

    /// Whether the connection of an attempt may have been used before, and may be used again.
    ///
    /// On one that was used before libcurl would send a piece again by itself, after a cut that the server counts.
    private func mayShareConnection(_ attempt: Attempt, _ message: Message) -> Bool {
        !message.showsTicket && !core.distrusts(attempt.connectionName) && upload?.machine.piece == nil
            && !isRepeatedUnasked(message)
    }
}

/// A request body that has to be sent again and cannot be read again.
extension Transfer {
    /// Gets ready for an attempt, with a fresh body where the last one is spent.
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

/// Asking a server whether it wants a large body before it is sent (RFC 9110, 10.1.1).
extension Transfer {
    /// A body of at least so many bytes is worth a question.
    private static let worthAsking: Int64 = 1 << 20

    /// Whether the attempt asks: when its caller has said so, else when it is worth it.
    func expectsContinue(_ framing: RequestFraming) -> Bool {
        switch framing.expectation {
        case .asked: true
        case .withheld: false
        case .unsaid: (framing.bodyLength ?? .max) >= Self.worthAsking
        }
    }
}
