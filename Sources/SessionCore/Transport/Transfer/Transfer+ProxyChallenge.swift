import CCurl

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

extension EasyHandle {
    /// Returns the values of a field in the proxy's response to CONNECT.
    fileprivate func tunnelFields(named name: String) -> [String] {
        var values: [String] = []
        var field: UnsafeMutablePointer<curl_header>?
        while curl_easy_header(raw, name, values.count, UInt32(CURLH_CONNECT), -1, &field) == CURLHE_OK, let field {
            values.append(String(cString: field.pointee.value))
        }
        return values
    }
}
