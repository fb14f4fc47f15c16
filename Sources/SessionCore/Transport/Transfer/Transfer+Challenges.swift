import CCurl

/// Server trust and client certificates, decided between two handshakes, before anything is sent to the server.
extension Transfer {
    /// Returns the review of the current server's certificate; nil where libcurl's own rules suffice.
    ///
    /// - Parameter acceptsAny: whether the options accept any certificate.
    func makeTrustReview(_ request: TransferRequest, acceptsAny: Bool) -> TrustReview? {
        guard !acceptsAny else { return nil }
        let origin = try? Origin(request.url)
        let rules = description.arrangement.trust?.rules(for: origin?.host) ?? TrustSettings.Rules()
        guard rules.custom != nil || asks(.challenge), let origin else { return nil }
        if asks(.challenge) { return TrustReview(.caller(core.trustMemory, rules), origin: origin) }
        return rules.custom.map { TrustReview(.policy($0), origin: origin) }
    }

    /// Asks the caller about a chain, unless another transfer is asking or has the verdict; nothing has been sent to
    /// the server yet.
    func askAboutTrust(_ question: TrustReview.Question) {
        switch core.trustMemory.meet(question.subject, id) {
        case .goOn:
            answered()
            prepareRequest()
        case .wait: break
        case .ask:
            askCaller(question)
        }
    }

    private func askCaller(_ question: TrustReview.Question) {
        guard asking.mayAskAboutTrust() else {
            leaveTrust(question)
            return refuseTrust(question)
        }
        let reply: @Sendable (EngineChallengeAnswer) -> Void = self.question(.trust(question)) {
            $0.trustAnswered($1, question)
        }
        core.emit(.challenge(id, question.challenge, reply: reply))
    }

    /// Continues after the transfer that asked before this one has its verdict, or one that does not count for others.
    private func trustTurn() {
        guard case .trust(let question)? = machine.openQuestion else { return }
        if core.trustMemory.verdict(about: question.subject) == nil { return askCaller(question) }
        answered()
        prepareRequest()
    }

    /// Leaves the queue of transfers that ask about a chain or wait for its verdict.
    func leaveTrust(_ question: TrustReview.Question) {
        guard let next = core.trustMemory.leave(question.subject, id) else { return }
        core.transfer(next)?.trustTurn()
    }

    private func trustAnswered(_ answer: EngineChallengeAnswer, _ question: TrustReview.Question) {
        switch question.reply(to: answer) {
        case .remember(let verdict): decideTrust(verdict, question)
        case .refuse:
            leaveTrust(question)
            refuseTrust(question)
        case .cancel:
            leaveTrust(question)
            cancelOnAnswer()
            prepared(.ready)
        }
    }

    private func decideTrust(_ verdict: TrustVerdict, _ question: TrustReview.Question) {
        let others = core.trustMemory.remember(verdict, about: question.subject).filter { $0 != id }
        prepareRequest()
        for other in others { core.transfer(other)?.trustTurn() }
    }

    private func refuseTrust(_ question: TrustReview.Question) {
        guard case .serverTrust = question.challenge.kind else {
            return fail(CurlFailure.error(CURLE_SSL_CLIENTCERT, url: request.url, host: hostName, systemError: 0))
        }
        var error = SessionError(
            .certificate, CurlFailure.distrust(of: hostName, problem: question.problem), failingURL: request.url)
        if case .serverTrust(let chain, _, _) = question.challenge.kind { error.peerCertificates = chain }
        fail(error)
    }

    /// Forgets the caller's reply to a certificate request after the server refused the handshake, so that the next
    /// transfer asks again.
    func reviewGivenCertificate(_ attempt: Attempt, _ error: SessionError) {
        guard error.code == .tls, let subject = attempt.plan.trust?.certificateSubject else { return }
        core.trustMemory.forget(subject)
    }
}

/// Credentials for servers (RFC 9110, 11.6.1) and proxies (11.7.1): the caller is asked about one scheme after the other.
extension Transfer {
    /// Asks the caller about the first scheme left.
    func ask(_ question: CredentialQuestion) {
        guard let challenge = question.challenge else { return decline(question) }
        let subject: CallerQuestion = question.isBeforeAttempt ? .proxy(question) : .credentials
        let reply: @Sendable (EngineChallengeAnswer) -> Void = self.question(subject) {
            $0.carryOut(question.reply(to: $1), question)
        }
        core.emit(.challenge(id, challenge, reply: reply))
    }

    private func carryOut(_ reply: CredentialQuestion.Reply, _ question: CredentialQuestion) {
        switch reply {
        case .show(let credentials): show(credentials, question)
        case .askAgain(let next): ask(next)
        case .decline: decline(question)
        case .cancel:
            cancelOnAnswer()
            if question.isBeforeAttempt { prepared(.ready) }
        }
    }

    private func show(_ credentials: HTTPCredentials, _ question: CredentialQuestion) {
        switch question.asker {
        case .server(let origin): asking.give(credentials, to: origin)
        case .proxy(let proxy): core.proxyCredentials.give(credentials, to: proxy)
        }
        if question.isBeforeAttempt { return prepareRequest() }
        guard let attempt else { return }
        turnDown(attempt, then: .authenticate, keepingPage: false)
        proceed()
    }

    /// Accepts the challenge as the response, or fails where a proxy refused a tunnel.
    private func decline(_ question: CredentialQuestion) {
        switch question.fallback {
        case .failure(let refusal): fail(refusal)
        case .response(let head):
            guard let attempt else { return }
            accept(head, attempt)
            if !machine.isResponsePending { proceed() }
        }
    }

    // MARK: - Proxies

    /// The credentials that proxies were shown, the session's included.
    var proxyMemory: ProxyMemory {
        get { asking.proxyMemory(core.proxyCredentials) }
        set {
            core.proxyCredentials = newValue.credentials
            asking.remember(newValue)
        }
    }

    /// Fixes the credentials that an attempt shows to its proxy.
    func prepareProxy(_ connection: ConnectionSettings) {
        guard let proxy = connection.proxy, proxy.readsRequests else { return }
        connection.asksForProxy = isEncrypted && (asks(.challenge) || proxy.user != nil)
        guard !core.proxyCredentials.isEmpty, let url = try? ParsedURL(request.url) else { return }
        let authority = "\(url.host):\(url.port)"
        let action =
            isEncrypted
            ? DigestAuthorization.Action(method: "CONNECT", target: authority, body: .none)
            : DigestAuthorization.Action(
                method: request.method, target: "http://" + (url.port == 80 ? url.host : authority) + url.target,
                body: request.body)
        connection.proxyAnswer = core.proxyCredentials.shown(to: proxy, for: action)
    }

    /// Handles a 407 from a proxy that reads the request.
    func meet(_ challenge: ProxyChallenge, _ head: ResponseHead, _ attempt: Attempt) {
        switch challenge.turn {
        case .again(let memory):
            proxyMemory = memory
            turnDown(attempt, then: .authenticate, keepingPage: false)
        case .ask(let memory):
            proxyMemory = memory
            attempt.hold(.decision)
            ask(
                CredentialQuestion(
                    .proxy(challenge.proxy), offers: challenge.offers, refusals: memory.refusals,
                    otherwise: .response(head)))
        }
    }

    /// Returns the step after a proxy asks for credentials before it makes a tunnel; nil if it has not asked.
    func questionOfTunnel(_ attempt: Attempt, refusal: SessionError) -> NextStep? {
        guard let connection = attempt.plan.connection, connection.asksForProxy, let proxy = connection.proxy,
            cc_get_long(attempt.handle.raw, CURLINFO_HTTP_CONNECTCODE) == 407
        else { return nil }
        let offers = AuthenticationOffer.supported(attempt.handle.tunnelFields(named: "Proxy-Authenticate"))
        let state = ProxyState(proxy: proxy, shown: connection.proxyAnswer, memory: proxyMemory)
        switch state.turn(after: offers, asks: asks(.challenge)) {
        case .again(let memory):
            proxyMemory = memory
            return .useNewConnection
        case .ask(let memory):
            proxyMemory = memory
            return .askForProxy(
                CredentialQuestion(
                    .proxy(proxy), offers: offers, refusals: memory.refusals, otherwise: .failure(refusal)))
        case nil: return nil
        }
    }
}
