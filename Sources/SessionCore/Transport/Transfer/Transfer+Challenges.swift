import CCurl

/// Server trust and client certificates, decided between two handshakes, before anything is sent to the server.
extension Transfer {
    /// The most chains in a row that the caller is asked about for one transfer.
    private static let trustQuestionLimit = 3

    /// Returns the review of the current server's certificate; nil where libcurl's own rules suffice.
    func makeTrustReview(_ attempt: Attempt) -> TrustReview? {
        let url = attempt.requestTarget?.request.url ?? request.url
        guard attempt.requestTarget?.isEncrypted ?? isEncrypted, attempt.plan.connection?.acceptsAnyCertificate != true
        else {
            return nil
        }
        let rules =
            description.arrangement.trust?.rules(for: (try? Origin(url))?.host) ?? TrustSettings.Rules()
        guard rules.custom != nil || asks(.challenge), let origin = try? Origin(url) else {
            return nil
        }
        if asks(.challenge) { return TrustReview(.caller(core.trustMemory, rules), origin: origin) }
        return rules.custom.map { TrustReview(.policy($0), origin: origin) }
    }

    /// Asks the caller about a chain, unless another transfer is asking or has the verdict; nothing has been sent to
    /// the server yet.
    func askAboutTrust(_ question: TrustReview.Question) {
        switch core.trustMemory.meet(question.subject, id) {
        case .goOn:
            trustIsDecided()
            prepareRequest()
        case .wait: break
        case .ask:
            askCaller(question)
        }
    }

    private func askCaller(_ question: TrustReview.Question) {
        guard asking.trust.questionCount < Self.trustQuestionLimit else {
            leaveTrust()
            return refuseTrust(question)
        }
        asking.trust.questionCount += 1
        let reply: @Sendable (EngineChallengeAnswer) -> Void = self.question(.trust) { $0.trustAnswered($1, question) }
        core.emit(.challenge(id, question.challenge, reply: reply))
    }

    /// Continues after the transfer that asked before this one has its verdict, or one that does not count for others.
    private func trustTurn() {
        guard let question = asking.trust.undecided, machine.openQuestion == .trust else { return }
        if core.trustMemory.verdict(about: question.subject) == nil { return askCaller(question) }
        trustIsDecided()
        prepareRequest()
    }

    /// Applies the verdict of another transfer's caller.
    private func trustIsDecided() {
        asking.trust.undecided = nil
        _ = answered(.trust)
    }

    /// Leaves the queue of transfers that ask about a chain or wait for its verdict.
    func leaveTrust() {
        guard let question = asking.trust.undecided else { return }
        asking.trust.undecided = nil
        guard let next = core.trustMemory.leave(question.subject, id) else { return }
        core.transfer(next)?.trustTurn()
    }

    private func trustAnswered(_ answer: EngineChallengeAnswer, _ question: TrustReview.Question) {
        if case .clientCertificate = question.challenge.kind { return certificateAnswered(answer, question) }
        switch answer {
        case .acceptTrust, .useCredentials: decideTrust(.accepted, question)
        case .performDefault, .showCertificate: decideTrust(.policy, question)
        case .rejectProtectionSpace:
            leaveTrust()
            refuseTrust(question)
        case .cancel: cancelTrust()
        }
    }

    private func certificateAnswered(_ answer: EngineChallengeAnswer, _ question: TrustReview.Question) {
        switch answer {
        case .showCertificate(let certificate): decideTrust(.shows(certificate), question)
        case .performDefault, .acceptTrust, .useCredentials, .rejectProtectionSpace: decideTrust(.shows(nil), question)
        case .cancel: cancelTrust()
        }
    }

    private func cancelTrust() {
        leaveTrust()
        cancelOnAnswer()
        prepared(.ready)
    }

    private func decideTrust(_ verdict: TrustVerdict, _ question: TrustReview.Question) {
        asking.trust.undecided = nil
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

    /// Uses the client certificate that the caller has given, for an attempt.
    func showGivenCertificate(_ attempt: Attempt) throws(SessionError) {
        guard let given = attempt.plan.trust?.givenCertificate, attempt.plan.connection?.clientCertificate == nil else {
            return
        }
        if attempt.plan.connection == nil {
            attempt.plan.connection = try ConnectionSettings(
                SharedOptions(RequestOptions()), url: request.url,
                hasLeftOrigin: asking.redirects.context.hasLeftOrigin, turn: 0)
        }
        attempt.plan.connection?.givenCertificate = given
    }

    /// Forgets the caller's reply to a certificate request after the server refused the handshake, so that the next
    /// transfer asks again.
    func reviewGivenCertificate(_ attempt: Attempt, _ error: SessionError) {
        guard error.code == .tls, let subject = attempt.plan.trust?.certificateSubject else { return }
        core.trustMemory.forget(subject)
    }
}

/// Proxy authentication (RFC 9110, 15.5.8): the caller is asked, and the credentials count for the session.
extension Transfer {
    /// The credentials that proxies were shown, the session's included.
    var proxyMemory: ProxyMemory {
        get {
            var memory = asking.proxies.said
            memory.credentials = core.proxyCredentials
            return memory
        }
        set {
            core.proxyCredentials = newValue.credentials
            asking.proxies.said = newValue
            asking.proxies.said.credentials = ProxyCredentials()
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
            ask(ProxyQuestion(proxy: challenge.proxy, offers: challenge.offers[...], head: head))
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
            return .askForProxy(ProxyQuestion(proxy: proxy, offers: offers[...], refusal: refusal))
        case nil: return nil
        }
    }

    /// Asks the caller about the first scheme left.
    func ask(_ question: ProxyQuestion) {
        guard let offer = question.offers.first else { return decline(question) }
        let challenge = EngineChallenge(
            kind: .credentials(scheme: offer.scheme, isProxy: true), scheme: question.proxy.scheme.rawValue,
            host: question.proxy.host, port: question.proxy.port, realm: offer.realm,
            previousFailures: asking.proxies.said.refusals)
        let subject: CallerQuestion = question.head == nil ? .proxy : .credentials
        let reply: @Sendable (EngineChallengeAnswer) -> Void = self.question(subject) { transfer, answer in
            switch answer {
            case .performDefault, .acceptTrust, .showCertificate: transfer.decline(question)
            case .rejectProtectionSpace:
                var rest = question
                rest.offers.removeFirst()
                transfer.ask(rest)
            case .cancel: transfer.cancel(question)
            case .useCredentials(let user, let password):
                transfer.show(HTTPCredentials(offer: offer, user: user, password: password), question)
            }
        }
        core.emit(.challenge(id, challenge, reply: reply))
    }

    private func show(_ credentials: HTTPCredentials, _ question: ProxyQuestion) {
        core.proxyCredentials.give(credentials, to: question.proxy)
        guard question.head != nil else {
            asking.proxies.undecided = nil
            return prepareRequest()
        }
        guard let attempt else { return }
        turnDown(attempt, then: .authenticate, keepingPage: false)
        proceed()
    }

    /// Accepts the proxy's 407 as the response, or fails where it refused a tunnel.
    private func decline(_ question: ProxyQuestion) {
        asking.proxies.undecided = nil
        if let head = question.head { return declineCredentials(head) }
        if let refusal = question.refusal { fail(refusal) }
    }

    private func cancel(_ question: ProxyQuestion) {
        asking.proxies.undecided = nil
        cancelOnAnswer()
        if question.head == nil { prepared(.ready) }
    }
}
