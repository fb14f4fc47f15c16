/// Whether a server wants something else before it answers.
extension AnswerSteps {
    /// A server that does not understand the question whether it wants the body gets it without.
    ///
    /// A body that cannot be sent again leaves the 417 as the answer.
    static let expectation: AnswerStep = { head, role, facts in
        guard head.statusCode == 417, role == .lead, facts.asksForContinue, facts.mayRepeatBody else { return nil }
        return .sendUnasked
    }

    /// Redirects in every role: the lead's caller may be asked about one, and there is none to ask for the others.
    static let redirect: AnswerStep = { head, role, facts in
        guard RedirectPolicy.isRedirect(head.statusCode) else { return nil }
        let decision = RedirectPolicy.decide(head, to: facts.request, context: facts.redirects) {
            facts.cookies(for: $0)
        }
        switch decision {
        case .notARedirect: return nil
        case .leadsNowhere where role == .lead && facts.takesEveryStatus: return nil
        case .follow(let next): return .redirect(next, refusal: nil)
        case .needsConsent(let next, let refusal) where role == .lead && facts.asks(.redirect):
            return .redirect(next, refusal: refusal)
        case .needsConsent(_, let error), .refuse(let error), .leadsNowhere(let error):
            switch role {
            case .lead: return .refused(error)
            case .branch: return .range(.refused(reason: ResumePolicy.phrase(head)))
            case .probe: return .block(.refused(MirrorAnswer.Refusal(reason: error.message), passes: false))
            }
        }
    }

    /// A proxy that wants to know who asks (RFC 9110, 15.5.8).
    ///
    /// A server has no right to answer 407, so that is a proxy's question only where there is one.
    static let proxyChallenge: AnswerStep = { head, role, facts in
        guard head.statusCode == 407, role == .lead, let proxy = facts.proxy else { return nil }
        let offers = AuthenticationOffer.supported(
            head.headers.values(named: "Proxy-Authenticate"), for: facts.request.body)
        return proxy.turn(after: offers, asks: facts.asks(.challenge)).map {
            .proxy(ProxyChallenge(turn: $0, proxy: proxy.proxy, offers: offers))
        }
    }

    /// A server that wants to know who asks: it is shown what it wants newer, then what the options or the URL have for it,
    /// and then the caller is asked.
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

    /// What the options or the URL have for a server that asks; nil where they have nothing, or where it was refused.
    private static func answer(
        of facts: any AnswerFacts, _ role: AttemptRole, _ offers: [AuthenticationOffer], _ origin: Origin,
        _ head: ResponseHead
    ) -> ServerChallenge? {
        guard let (own, source) = facts.ownCredentials, facts.request.headers["Authorization"] == nil else {
            return nil
        }
        var credentials = facts.credentials
        if own.scheme == .negotiate {
            let offered = head.headers.values(named: "WWW-Authenticate").flatMap(AuthenticationOffer.parse)
            guard role == .lead, let offer = offered.first(where: \.isNegotiate),
                !credentials.hasShownTicket(to: origin),
                facts.mayRepeatBody
            else { return nil }
            return .ticket(offer, origin)
        }
        // Basic was shown already.
        guard credentials.answerSource(for: origin) == nil, let offer = offers.first(where: \.isDigest),
            facts.mayRepeatBody
        else { return nil }
        credentials.give(
            HTTPCredentials(offer: offer, user: own.user, password: own.password), to: origin, from: source)
        return .again(credentials)
    }
}

/// What follows a server that wants to know who asks.
enum ServerChallenge: Sendable, Equatable {
    /// The same request, with what is known by now.
    case again(OriginCredentials)
    /// A ticket is got for it, and then the same request follows.
    case ticket(AuthenticationOffer, Origin)
    /// The caller is asked about the offers, the first one first.
    case ask([AuthenticationOffer], Origin, OriginCredentials)
}

/// What follows a proxy that wants to know who asks.
struct ProxyChallenge: Sendable, Equatable {
    var turn: ProxyTurn
    var proxy: Proxy
    var offers: [AuthenticationOffer]
}

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

/// What has been said to proxies: a value.
struct ProxyMemory: Sendable, Equatable {
    /// What the session shows to proxies.
    var credentials: ProxyCredentials
    /// How often what was shown has been refused.
    var refusals = 0
    /// How often what others were given in the meantime was tried.
    var borrowed = 0
    /// Whether the proxy's own name and password have answered an offer of Digest.
    var hasAnswered = false
}

/// What follows a proxy's question, and what is remembered of it.
enum ProxyTurn: Sendable, Equatable {
    /// The same request, with what is known by now.
    case again(ProxyMemory)
    case ask(ProxyMemory)
}

extension ProxyFacts {
    /// What follows a proxy that makes offers; nil where there is no answer to them.
    func turn(after offers: [AuthenticationOffer], asks: Bool) -> ProxyTurn? {
        guard !offers.isEmpty else { return nil }
        var memory = memory
        if memory.credentials.renew(from: offers, proxy, shown) || answersByItself(offers, &memory) {
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

    /// Answers an offer of Digest with the name and password that the request has for the proxy, which have gone out as Basic
    /// so far; false where there are none, and where they have been refused.
    private func answersByItself(_ offers: [AuthenticationOffer], _ memory: inout ProxyMemory) -> Bool {
        guard shown == nil, !memory.hasAnswered, let user = proxy.user, let offer = offers.first(where: \.isDigest)
        else { return false }
        memory.hasAnswered = true
        // Another request may have answered in the meantime.
        if !memory.credentials.hasOthers(than: nil, for: proxy) {
            memory.credentials.give(
                HTTPCredentials(offer: offer, user: user, password: proxy.password ?? ""), to: proxy)
        }
        return true
    }
}
