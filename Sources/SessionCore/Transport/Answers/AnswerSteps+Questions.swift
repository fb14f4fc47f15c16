/// Whether the server wants another request first.
extension AnswerSteps {
    /// Judges a 417: a server that does not understand `Expect` gets the body without it.
    ///
    /// If the body cannot be sent again, the 417 is the response.
    static let expectation: AnswerStep = { head, role, facts in
        guard head.statusCode == 417, role == .lead, facts.asksForContinue, facts.mayRepeatBody else { return nil }
        return .sendUnasked
    }

    /// Judges a 304 to the cache's conditions: one of another version does not confirm the stored response.
    static let confirmation: AnswerStep = { head, role, facts in
        guard head.statusCode == 304, role == .lead, CacheRules.isOfOtherVersion(head, askedWith: facts.conditions)
        else { return nil }
        return .askForAll
    }

    /// Judges redirects in every role; only the lead's caller can be asked about one.
    static let redirect: AnswerStep = { head, role, facts in
        guard RedirectPolicy.isRedirect(head.statusCode) else { return nil }
        let decision = RedirectPolicy.decide(
            head, to: facts.request, context: facts.redirects, cookies: { facts.cookies(for: $0) },
            secured: { facts.secured($0) })
        switch decision {
        case .notARedirect: return nil
        case .leadsNowhere where role == .lead && facts.takesEveryStatus,
            .keep where role == .lead && facts.takesEveryStatus:
            return nil
        case .follow(let next): return .redirect(next, refusal: nil)
        case .needsConsent(let next, let refusal) where role == .lead && facts.asks(.redirect),
            .needsOther(let next, let refusal) where role == .lead && facts.asks(.redirect):
            return .redirect(next, refusal: refusal)
        case .needsConsent(_, let error), .needsOther(_, let error), .refuse(let error), .leadsNowhere(let error),
            .keep(let error):
            switch role {
            case .lead: return .refused(error)
            case .branch, .part: return .range(.refused(reason: ResumePolicy.phrase(head)))
            case .probe: return .block(.refused(MirrorAnswer.Refusal(reason: error.message), passes: false))
            }
        }
    }

    /// Judges a proxy's challenge (RFC 9110, 15.5.8).
    ///
    /// A server must not answer 407, so it counts as a proxy's challenge only if the attempt has a proxy.
    static let proxyChallenge: AnswerStep = { head, role, facts in
        guard head.statusCode == 407, role == .lead, let proxy = facts.proxy else { return nil }
        let offers = AuthenticationOffer.supported(
            head.headers.values(named: "Proxy-Authenticate"), for: facts.request.body)
        return proxy.turn(after: offers, asks: facts.asks(.challenge)).map {
            .proxy(ProxyChallenge(turn: $0, proxy: proxy.proxy, offers: offers))
        }
    }

    /// Judges a server's challenge: renews a digest it wants renewed, then uses the options' or the URL's credentials,
    /// then asks the caller.
    static let challenge: AnswerStep = { head, role, facts in
        guard head.statusCode == 401, role != .branch, let origin = try? Origin(facts.request.url) else { return nil }
        let hasLeftOrigin = facts.redirects.hasLeftOrigin
        var credentials = facts.credentials
        let offers = AuthenticationOffer.supported(
            head.headers.values(named: "WWW-Authenticate"), for: facts.request.body)
        if role == .lead, !credentials.isEmpty, facts.mayRepeatBody,
            !(hasLeftOrigin && credentials.answerSource(for: origin) == .options),
            credentials.renew(from: offers, origin)
        {
            return .challenge(.again(credentials))
        }
        credentials = facts.credentials
        if let own = answer(of: facts, role, offers, origin, head) { return .challenge(own) }
        guard role == .lead, facts.asks(.challenge) else { return nil }
        credentials.recordChallenge(from: origin)
        guard !offers.isEmpty, credentials.refusals(by: origin) < OriginCredentials.refusalLimit else { return nil }
        return .challenge(.ask(offers, origin, credentials))
    }

    /// Returns the reply from the options' or the URL's credentials; nil without any, or if they were refused.
    private static func answer(
        of facts: any AnswerFacts, _ role: AttemptRole, _ offers: [AuthenticationOffer], _ origin: Origin,
        _ head: ResponseHead
    ) -> ServerChallenge? {
        guard let (own, source) = facts.ownCredentials, facts.request.headers["Authorization"] == nil else {
            return nil
        }
        // libcurl has answered the challenges of NTLM, so that this is a refusal.
        guard own.scheme != .ntlm else { return nil }
        var credentials = facts.credentials
        if own.scheme == .negotiate {
            let offered = head.headers.values(named: "WWW-Authenticate").flatMap(AuthenticationOffer.parse)
            guard role == .lead, let offer = offered.first(where: \.isNegotiate),
                !credentials.hasShownTicket(to: origin),
                facts.mayRepeatBody
            else { return nil }
            return .ticket(offer, origin)
        }
        // Of `basic` they were already sent without a challenge; the offers are Digest, then Basic.
        let digest = offers.first(where: \.isDigest)
        guard credentials.answerSource(for: origin) == nil, let offer = own.scheme == .any ? offers.first : digest,
            facts.mayRepeatBody
        else { return nil }
        credentials.give(
            HTTPCredentials(offer: offer, user: own.user, password: own.password), to: origin, from: source)
        return .again(credentials)
    }
}

/// The next step after a server's challenge.
enum ServerChallenge: Sendable, Equatable {
    /// The request is repeated with the present credentials.
    case again(OriginCredentials)
    /// A ticket is fetched, then the request is repeated.
    case ticket(AuthenticationOffer, Origin)
    /// The caller is asked about the offers, the first one first.
    case ask([AuthenticationOffer], Origin, OriginCredentials)
}

/// The next step after a proxy's challenge.
struct ProxyChallenge: Sendable, Equatable {
    var turn: ProxyTurn
    var proxy: Proxy
    var offers: [AuthenticationOffer]
}

/// The credentials shown to proxies.
struct ProxyMemory: Sendable, Equatable {
    /// The session's credentials for proxies.
    var credentials: ProxyCredentials
    /// How often shown credentials were refused.
    var refusals = 0
    /// How often in a row credentials that other requests had obtained since were tried.
    var borrowed = 0
    /// Whether the proxy's own name and password have answered a Digest challenge.
    var hasAnswered = false
}

/// The reply to a proxy's challenge, and the state to remember.
enum ProxyTurn: Sendable, Equatable {
    /// The request is repeated with the present credentials.
    case again(ProxyMemory)
    case ask(ProxyMemory)
}

extension ProxyState {
    /// How often in a row credentials that others have obtained are tried: a proxy that calls every number stale would
    /// keep two transfers going for ever.
    private static let borrowingLimit = 3

    /// Returns the reply to a proxy's offers; nil without any.
    func turn(after offers: [AuthenticationOffer], asks: Bool) -> ProxyTurn? {
        guard !offers.isEmpty else { return nil }
        var memory = memory
        if memory.credentials.renew(from: offers, proxy, shown) || answersByItself(offers, &memory) {
            return .again(memory)
        }
        // The number that two transfers have shown at once becomes stale for both, and only one of them renews it.
        if shown != nil, memory.credentials.hasOthers(than: shown, for: proxy), memory.borrowed < Self.borrowingLimit {
            memory.borrowed += 1
            return .again(memory)
        }
        guard asks else { return nil }
        if shown != nil || proxy.user != nil || proxy.password != nil { memory.refusals += 1 }
        guard memory.refusals < OriginCredentials.refusalLimit else { return nil }
        if memory.credentials.hasOthers(than: shown, for: proxy), memory.borrowed < 1 {
            memory.borrowed += 1
            return .again(memory)
        }
        memory.credentials.forget(shown, of: proxy)
        return .ask(memory)
    }

    /// Answers a Digest challenge with the request's name and password for the proxy, which were so far sent as Basic;
    /// returns false without any, or if they were refused.
    private func answersByItself(_ offers: [AuthenticationOffer], _ memory: inout ProxyMemory) -> Bool {
        guard shown == nil, !memory.hasAnswered, let user = proxy.user, let offer = offers.first(where: \.isDigest)
        else { return false }
        memory.hasAnswered = true
        // Another request may have answered since.
        if !memory.credentials.hasOthers(than: nil, for: proxy) {
            memory.credentials.give(
                HTTPCredentials(offer: offer, user: user, password: proxy.password ?? ""), to: proxy)
        }
        return true
    }
}
