import CCurl

/// The message an attempt sends: fields and body, which have to agree about the body's length.
extension Transfer {
    /// Returns the message of an attempt.
    ///
    /// - Parameters:
    ///   - added: the fields of a further connection; nil for the handler's own.
    ///   - requestTarget: the server and request of a further attempt.
    ///   - piece: the range of the body that a further attempt sends.
    func makeMessage(
        adding added: HeaderFields? = nil, to requestTarget: RequestTarget? = nil, piece: Range<Int64>? = nil
    ) throws(SessionError) -> RequestMessage {
        let identity = identity(of: requestTarget)
        if identity.options?.identifies == true { asking.keepsCookies(identity.keepsCookies) }
        let answer = asking.authorization(for: identity.request)
        let maker = MessageMaker(
            identity: identity, kind: description.kind, decodesBodies: core.configuration.decodesBodies,
            session: core.configuration.additionalHeaders, cache: core.recent)
        let message = try maker.message(
            adding: added ?? ownFields, answer: answer, known: asking.credentials,
            withholdsExpectation: asking.body.refusesExpectation || identity.handshake != nil
        ) { () throws(SessionError) in
            guard let piece else { return try makeSource().map { upload?.piece(of: $0) ?? $0 } }
            let body = identity.request.body
            return try body.source(for: identity.request.method, piped: nil, wake: wake)
                .map { PieceBodySource($0, piece) }
        }
        if added == nil, requestTarget == nil { asking.send(cookies: message.cookies) }
        return message
    }

    /// The cache's conditions for the current request: none for another URL than its own, and none once a 304 was of
    /// another version.
    var conditions: HeaderFields {
        asking.asksForAll || request.url != description.request.url
            ? HeaderFields() : description.arrangement.conditions
    }

    /// The fields of the lead beyond the request's own: a range or the cache's conditions, and the digests of its body.
    private var ownFields: HeaderFields {
        var fields = handler.additionalFields()
        if fields.isEmpty { fields = conditions }
        for field in knownDigestFields() { fields.append(name: field.name, value: field.value) }
        return fields
    }

    /// Turns to https if the server has asked for it (RFC 6797, 8.3).
    func secureRequest() {
        guard !isEncrypted, let secured = secured(request) else { return }
        ask(secured)
    }

    /// Returns the https request instead of one whose server has asked for that; nil for any other.
    func secured(_ request: TransferRequest) -> TransferRequest? {
        guard let hosts = core.options(of: request.sharedOptions)?.values.transport.secureHosts,
            let url = hosts.secured(request.url)
        else { return nil }
        var secured = request
        secured.url = url
        return secured
    }

    /// Returns the identity for the server of an attempt's request.
    func identity(of requestTarget: RequestTarget?) -> RequestIdentity {
        let request = requestTarget?.request ?? request
        return RequestIdentity(
            request: request, options: core.options(of: request.sharedOptions),
            hasLeftOrigin: requestTarget?.hasLeftOrigin ?? asking.redirects.hasLeftOrigin)
    }

    private func makeSource() throws(SessionError) -> (any BodySource)? {
        if let unread = asking.unreadSource(of: request.body) { return unread }
        let source = try request.body.source(for: request.method, piped: pipedBody, wake: wake)
        // Such a source reads ahead, so another one would begin behind what it has buffered.
        if let source, !source.canRewind { asking.keepUnread(source, of: request.body) }
        return source
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
        asking.bodyWasRead(attempt.sent, isReplayable: !isBodyMadeAgain)
    }

    /// Reports from any thread that the body source has bytes again.
    private var wake: @Sendable () -> Void {
        let (loop, id) = (core.loop, id)
        return { loop.run { $0.transfer(id)?.sourceHasBytes() } }
    }

    func configure(_ attempt: Attempt, _ message: RequestMessage, to url: String) throws(SessionError) {
        let request = attempt.requestTarget?.request ?? request
        try ParsedURL.checkText(request.url)
        try HeaderValidator.validate(method: request.method)
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
        } else if let options = connection?.options, options.transport.nameService != nil {
            try handle.trustNameService(by: core.authorities(of: options.authorities))
        }
        if let connection { try handle.configure(connection) }
        if let credentials = attempt.plan.handshake { try handle.answerChallenges(with: credentials) }
    }

    private var mayShareUpload: Bool {
        upload.map { $0.machine.piece == nil || $0.machine.sharesConnections } ?? true
    }

    /// Whether an attempt may use an existing connection and leave it for others.
    ///
    /// On an existing one libcurl would repeat an upload's piece by itself after a disconnect, which the server has
    /// counted.
    private func mayShareConnection(_ attempt: Attempt, _ message: RequestMessage) -> Bool {
        !message.showsTicket && !core.distrusts(attempt.connectionName) && mayShareUpload
            && !repetition.isRepeatedUnasked(message.body)
    }
}

/// Bodies that are sent again.
extension Transfer {
    /// The rule about bodies that a server may have received.
    var repetition: RepetitionRule {
        RepetitionRule(
            isIdempotent: description.request.isIdempotent,
            repeatsUnansweredBodies: core.options(of: request.sharedOptions)?.values.repeatsUnansweredBodies == true)
    }

    /// Whether the peer of an attempt has acknowledged the request's full body.
    ///
    /// Always false for a resumable upload, whose server is asked for its offset first.
    func hasGivenAll(_ attempt: Attempt) -> Bool { upload?.machine.mayRepeat != true && attempt.hasGivenAll }

    /// Returns the error if libcurl may not send a request's body again; nil if it may.
    func refusalToRepeat(_ attempt: Attempt) -> SessionError? {
        guard upload?.machine.mayRepeat != true, attempt.hadGivenAll, !repetition.mayRepeatTakenBody else { return nil }
        return SessionError(
            .connectionLost, TransportErrors.bodyMayBeStored(TransportErrors.emptyReply(hostName)),
            failingURL: request.url)
    }
}

/// A request body that has to be sent again although it cannot be read again.
extension Transfer {
    /// The present body if another thread writes it.
    private var pipedBody: PipedBody? {
        asking.body.replacement.map(\.piped) ?? description.arrangement.pipedBody
    }

    /// Whether a repetition of the request needs a new body: the present one cannot be read again, or the caller makes
    /// one for each.
    private var isBodyMadeAgain: Bool {
        guard request.body.isReplayable else { return true }
        guard description.arrangement.questions.contains(.body), description.request.uploadPlan == nil,
            request.body != .none
        else { return false }
        // A redirect's request may have a body of its own.
        return request.body == asking.body.replacement?.specification ?? description.request.body
    }

    /// Prepares an attempt, with a new body if the last one was read.
    func prepareRequest() {
        if description.request.uploadPlan != nil { prepareUpload() }
        guard asking.body.isSpent, isBodyMadeAgain else {
            if waitsForDigests() { return }
            handler.prepare { [unowned self] preparation in prepared(preparation) }
            return
        }
        guard asks(.body) else { return failUnreplayable() }
        let reply: @Sendable (SentBody?) -> Void = question(.body) { $0.replaceBody(with: $1) }
        core.emit(.needsBody(id, reply: reply))
    }

    /// Replaces the request's body; a length that was announced for a body that another thread wrote goes with it.
    func send(_ body: SentBody, insteadOf former: PipedBody?) {
        var next = request
        if former?.length != nil { next.headers.removeAll(named: "Content-Length") }
        next.body = body.specification
        if let length = body.piped?.length { next.headers["Content-Length"] = "\(length)" }
        ask(next)
    }

    private func replaceBody(with body: SentBody?) {
        guard let body else { return failUnreplayable() }
        send(body, insteadOf: pipedBody)
        asking.replace(with: body)
        prepareRequest()
    }

    private func failUnreplayable() {
        fail(
            SessionError(.notReplayable, BodyErrors.readOnce, failingURL: request.url))
    }
}

/// A request's options, applied to its attempts: the route to the server, and the identity it shows.
extension Transfer {
    /// Returns the settings of an attempt, and starts the transfer's time limit.
    func plan(
        _ role: AttemptRole, _ message: RequestMessage, _ requestTarget: RequestTarget?,
        _ handshake: RequestCredentials?
    ) throws(SessionError) -> Attempt.Plan {
        let target = requestTarget?.request ?? request
        let isEncrypted = requestTarget?.isEncrypted ?? isEncrypted
        var plan = Attempt.Plan()
        if role.sendsBody {
            (plan.expectsContinue, plan.decodesBody) = (message.expectsContinue, message.decodesBody)
            plan.endsAtHead = target.method == "HEAD" && message.body != nil
        }
        plan.handshake = handshake
        plan.allowsHTTP2 = isEncrypted && plan.handshake == nil && (target.allowsHTTP2 ?? (description.kind == .data))
        if let options = core.options(of: target.sharedOptions) {
            if isEncrypted || options.identifies || options.leadsElsewhere || options.shapesPlainConnections {
                let connection = try settings(options, for: target, requestTarget)
                prepareProxy(connection)
                plan.connection = connection
            }
            startTime(options)
        }
        guard isEncrypted else { return plan }
        plan.trust = makeTrustReview(target, acceptsAny: plan.connection?.acceptsAnyCertificate == true)
        // The caller has given it for this one server, whichever connection meets it.
        if let given = plan.trust?.givenCertificate, plan.connection?.clientCertificate == nil {
            if plan.connection == nil {
                plan.connection = try settings(SharedOptions(RequestOptions()), for: target, requestTarget, turn: 0)
            }
            plan.connection?.givenCertificate = given
        }
        return plan
    }

    /// Returns the parser of the responses to an attempt's request.
    func parser(of request: TransferRequest, skipsHandshake: Bool) -> HeaderParser {
        HeaderParser(url: request.url, cache: core.recent.headerLines, skipsHandshake: skipsHandshake)
    }

    private func settings(
        _ options: SharedOptions, for target: TransferRequest, _ requestTarget: RequestTarget?, turn: Int? = nil
    ) throws(SessionError) -> ConnectionSettings {
        try ConnectionSettings(
            options, url: target.url, hasLeftOrigin: requestTarget?.hasLeftOrigin ?? asking.redirects.hasLeftOrigin,
            turn: turn ?? Int(asking.endpointIndex))
    }

    private func startTime(_ options: SharedOptions) {
        guard let seconds = options.values.timeLimit else { return }
        let limit = Deadlines.milliseconds(seconds)
        guard asking.limitTime(toMilliseconds: limit, now: core.now) else { return }
        core.setDeadline(.limit(id), afterMilliseconds: limit)
    }

    /// Runs the transfer's time limit in every phase except a pause and the wait for a slot.
    func keepTime(in phase: Phase) {
        let stands = phase == .paused || phase == .queued
        if !phase.isFinal { figures.keepTime(isStopped: stands, at: core.now) }
        guard asking.keepTime(isStopped: stands, now: core.now), let allowance = asking.allowance else { return }
        if stands {
            core.clearDeadline(.limit(id))
        } else {
            core.setDeadline(.limit(id), afterMilliseconds: max(allowance.left(now: core.now), 0))
        }
    }

    /// Fails the transfer if its time limit has passed.
    func timeLimitDue() {
        guard let seconds = core.options(of: request.sharedOptions)?.values.timeLimit, let allowance = asking.allowance,
            !allowance.isStopped
        else { return }
        let left = allowance.left(now: core.now)
        guard left <= 0 else { return core.setDeadline(.limit(id), afterMilliseconds: left) }
        let limit = seconds == seconds.rounded() ? "\(Int64(seconds))" : "\(seconds)"
        let sentence =
            tries.latestReason.map { TransportErrors.timeLimit(limit, last: $0) } ?? TransportErrors.timeLimit(limit)
        fail(SessionError(.timedOut, sentence, failingURL: request.url))
    }

    // MARK: - Identity

    /// Returns the user name and password for the server of an attempt's request, and their source.
    func ownCredentials(_ attempt: Attempt) -> (RequestCredentials, OriginCredentials.Source)? {
        guard let requestTarget = attempt.requestTarget else {
            return RequestIdentity.credentials(
                of: request, attempt.plan.connection?.options, hasLeftOrigin: asking.redirects.hasLeftOrigin)
        }
        let options = core.options(of: description.request.sharedOptions)?.values
        return RequestIdentity.credentials(
            of: requestTarget.request, options, hasLeftOrigin: requestTarget.hasLeftOrigin)
    }

    // MARK: - Endpoints

    /// Whether the attempt failed to connect to its endpoint, and another one is left to try.
    func triesNextEndpoint(after attempt: Attempt, _ result: CURLcode) -> Bool {
        let isUnreached =
            result == CURLE_COULDNT_CONNECT || result == CURLE_COULDNT_RESOLVE_HOST
            || result == CURLE_OPERATION_TIMEDOUT && !attempt.handle.hasSentRequest
        return asking.takeNextEndpoint(of: attempt.plan.connection?.endpointCount ?? 0, isUnreached: isUnreached)
    }

    // MARK: - Proxies

    /// Returns the step after a proxy refused to connect to the server; nil without such a refusal.
    func refusalOfProxy(_ attempt: Attempt) -> NextStep? {
        guard let proxy = attempt.plan.connection?.proxy else { return nil }
        let status = cc_get_long(attempt.handle.raw, CURLINFO_HTTP_CONNECTCODE)
        guard status >= 300 else { return nil }
        let sentence =
            status == 407
            ? TransportErrors.proxyCredentials(PeerLabels.proxy("\(proxy)"))
            : TransportErrors.tunnelRefused(PeerLabels.proxy("\(proxy)"), hostName, Int(status))
        var error = SessionError(.http, sentence, failingURL: request.url, statusCode: Int(status))
        if status == 407 { error.advice = .giveProxyCredentials }
        if let question = questionOfTunnel(attempt, refusal: error) { return question }
        return status >= 500 ? .retry(error, afterMilliseconds: nil) : .fail(error)
    }
}
