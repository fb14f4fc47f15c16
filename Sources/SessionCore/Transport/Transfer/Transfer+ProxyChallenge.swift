import CCurl

/// What a proxy wants to know before it goes on, and the answer that it would get otherwise.
struct ProxyQuestion: Sendable, Equatable {
    var proxy: Proxy
    /// The offers that are left to be asked about.
    var offers: ArraySlice<AuthenticationOffer>
    /// The answer of a proxy that reads the request; nil for one that was to make a tunnel.
    var head: ResponseHead?
    /// What the transfer fails with where no tunnel is made.
    var refusal: SessionError?
}

/// A proxy that wants to know who asks (RFC 9110, 15.5.8): the caller is asked, and what it says counts for the session.
extension Transfer {
    /// What has been said to proxies.
    ///
    /// A class because nearly all transfers have none, and a place for it would be in each of them. Confined to the loop.
    final class ProxyHistory {
        /// What the caller decides about before a tunnel is tried again.
        var undecided: ProxyQuestion?
        /// How often what was shown has been refused.
        var refusals = 0
        /// How often what others were given in the meantime was tried.
        var borrowed = 0
        /// Whether the proxy's own name and password have answered an offer of Digest.
        var hasAnswered = false
    }

    /// What follows a proxy's question.
    private enum Turn {
        /// The same request, with what is known by now.
        case again
        case ask
        /// Nobody has an answer.
        case leave
    }

    /// Fixes what the proxy of an attempt is shown.
    func prepareProxy(_ connection: ConnectionSettings) {
        guard let proxy = connection.proxy, proxy.readsRequests else { return }
        connection.asksForProxy = isEncrypted && (asks(.challenge) || proxy.user != nil)
        guard !core.proxyCredentials.isEmpty, let url = try? ParsedURL(request.url) else { return }
        let place = "\(url.host):\(url.port)"
        let action =
            isEncrypted
            ? DigestAuthorization.Action(method: "CONNECT", target: place, body: .none)
            : DigestAuthorization.Action(
                method: request.method, target: "http://" + (url.port == 80 ? url.host : place) + url.target,
                body: request.body)
        connection.proxyAnswer = core.proxyCredentials.shown(to: proxy, for: action)
    }

    /// Holds the response of a proxy that asks for credentials while the caller decides; false when it is an answer like
    /// any other.
    func askForProxy(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        guard head.statusCode == 407, !isEncrypted, let connection = attempt.connection, let proxy = connection.proxy,
            proxy.readsRequests
        else { return false }
        let offers = AuthenticationOffer.supported(
            head.headers.values(named: "Proxy-Authenticate"), for: request.body)
        switch turn(after: offers, connection, proxy) {
        case .leave: return false
        case .again: turnDown(attempt, then: .authenticate, keepingPage: false)
        case .ask:
            attempt.pause.insert(.decision)
            ask(ProxyQuestion(proxy: proxy, offers: offers[...], head: head))
        }
        return true
    }

    /// What follows a proxy that wants to know who asks before it makes a tunnel; nil where it has not asked.
    func questionOfTunnel(_ attempt: Attempt, refusal: SessionError) -> Attempt.Next? {
        guard let connection = attempt.connection, connection.asksForProxy, let proxy = connection.proxy,
            cc_get_long(attempt.handle.raw, CURLINFO_HTTP_CONNECTCODE) == 407
        else { return nil }
        let offers = AuthenticationOffer.supported(attempt.handle.tunnelFields(named: "Proxy-Authenticate"))
        switch turn(after: offers, connection, proxy) {
        case .leave: return nil
        case .again: return .useNewConnection
        case .ask: return .askForProxy(ProxyQuestion(proxy: proxy, offers: offers[...], refusal: refusal))
        }
    }

    private func turn(
        after offers: [AuthenticationOffer], _ connection: ConnectionSettings, _ proxy: Proxy
    ) -> Turn {
        guard !offers.isEmpty else { return .leave }
        let shown = connection.proxyAnswer
        if core.proxyCredentials.renew(from: offers, proxy, shown) || answersByItself(offers, proxy, shown) {
            return .again
        }
        guard asks(.challenge) else { return .leave }
        if shown != nil || proxy.user != nil || proxy.password != nil { proxies.refusals += 1 }
        guard proxies.refusals < OriginCredentials.refusalLimit else { return .leave }
        if core.proxyCredentials.hasOthers(than: shown, for: proxy), proxies.borrowed < 1 {
            proxies.borrowed += 1
            return .again
        }
        core.proxyCredentials.forget(shown, of: proxy)
        return .ask
    }

    /// Answers an offer of Digest with the name and password that the request has for the proxy, which have gone out as Basic
    /// so far; false where there are none, and where they have been refused.
    private func answersByItself(
        _ offers: [AuthenticationOffer], _ proxy: Proxy, _ shown: ProxyCredentials.Shown?
    ) -> Bool {
        guard shown == nil, !proxies.hasAnswered, let user = proxy.user, let offer = offers.first(where: \.isDigest)
        else { return false }
        proxies.hasAnswered = true
        // Another request may have answered in the meantime.
        if !core.proxyCredentials.hasOthers(than: nil, for: proxy) {
            core.proxyCredentials.give(
                HTTPCredentials(offer: offer, user: user, password: proxy.password ?? ""), to: proxy)
        }
        return true
    }

    /// Asks about the first of the schemes that are left.
    func ask(_ question: ProxyQuestion) {
        guard let offer = question.offers.first else { return decline(question) }
        let challenge = EngineChallenge(
            kind: .credentials(scheme: offer.scheme, isProxy: true), scheme: question.proxy.scheme.rawValue,
            host: question.proxy.host, port: question.proxy.port, realm: offer.realm,
            previousFailures: proxies.refusals)
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
            proxies.undecided = nil
            return prepareRequest()
        }
        guard let attempt else { return }
        turnDown(attempt, then: .authenticate, keepingPage: false)
        proceed()
    }

    /// The proxy's answer is the answer, or there is no tunnel.
    private func decline(_ question: ProxyQuestion) {
        proxies.undecided = nil
        if let head = question.head { return declineCredentials(head) }
        if let refusal = question.refusal { fail(refusal) }
    }

    private func cancel(_ question: ProxyQuestion) {
        proxies.undecided = nil
        cancelOnAnswer()
        if question.head == nil { prepared(.ready) }
    }
}

extension EasyHandle {
    /// The values of a name in what a proxy has answered to the wish for a tunnel.
    fileprivate func tunnelFields(named name: String) -> [String] {
        var values: [String] = []
        var field: UnsafeMutablePointer<curl_header>?
        while curl_easy_header(raw, name, values.count, UInt32(CURLH_CONNECT), -1, &field) == CURLHE_OK, let field {
            values.append(String(cString: field.pointee.value))
        }
        return values
    }
}
