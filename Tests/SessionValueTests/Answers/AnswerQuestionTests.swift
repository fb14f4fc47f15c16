import Testing

@testable import SessionCore

@Suite("Steps: whether a server wants something else before it answers")
struct AnswerQuestionTests {
    @Test(
        "A refused question whether the body is wanted has the body sent without, if that is possible",
        arguments: [
            (417, true, true, true), (417, true, false, false), (417, false, true, false), (200, true, true, false),
        ])
    func expectation(status: Int, isAsked: Bool, mayRepeat: Bool, isSent: Bool) {
        let facts = GivenFacts {
            $0.asksForContinue = isAsked
            $0.mayRepeatBody = mayRepeat
        }
        #expect(AnswerSteps.expectation(.given(status), .lead, facts) == (isSent ? .sendUnasked : nil))
        #expect(AnswerSteps.expectation(.given(status), .branch, facts) == nil)
    }

    @Test("Of a refused question that cannot be put another way the head alone is the answer")
    func headAlone() {
        let facts = GivenFacts {
            $0.asksForContinue = true
            $0.mayRepeatBody = false
        }
        #expect(AnswerSteps.verdict(on: .given(417), .lead, facts) == .headAlone(.body(.full)))
    }

    private func next(_ url: String) -> TransferRequest {
        RedirectPolicy.request(TransferRequest(url: "http://host/file"), at: url)
    }

    @Test(
        "A redirect is followed in every role", arguments: [AttemptRole.lead, .branch, .probe],
        [301, 302, 303, 307, 308])
    func redirect(role: AttemptRole, status: Int) {
        let head = ResponseHead.given(status, ["Location": "/other"])
        let verdict = AnswerSteps.verdict(on: head, role, GivenFacts())
        #expect(verdict == .redirect(next("http://host/other"), refusal: nil))
    }

    @Test("A redirect that needs consent goes on only for the lead, and only where the caller would be asked")
    func consent() {
        let head = ResponseHead.given(302, ["Location": "http://host/other"], url: "https://host/file")
        let facts = GivenFacts { $0.request = TransferRequest(url: "https://host/file") }
        guard case .refused(let refusal) = AnswerSteps.redirect(head, .lead, facts) else {
            return #expect(Bool(false), "it needs consent")
        }
        #expect(refusal.code == .redirectRefused)
        facts.answered = .redirect
        guard case .redirect(let next, let objection) = AnswerSteps.redirect(head, .lead, facts) else {
            return #expect(Bool(false), "the caller is asked")
        }
        #expect(next.url == "http://host/other" && objection == refusal)
        #expect(AnswerSteps.redirect(head, .branch, facts) == .range(.refused(reason: "302")))
        #expect(
            AnswerSteps.redirect(head, .probe, facts)
                == .block(.refused(MirrorAnswer.Refusal(reason: refusal.message), passes: false)))
    }

    @Test("A redirect without a place is the answer where every status is one", arguments: [true, false])
    func leadsNowhere(takesEveryStatus: Bool) {
        let facts = GivenFacts { $0.takesEveryStatus = takesEveryStatus }
        let verdict = AnswerSteps.redirect(.given(302), .lead, facts)
        if takesEveryStatus { #expect(verdict == nil) } else { #expect(verdict != nil) }
        #expect(AnswerSteps.redirect(.given(200), .lead, facts) == nil)
    }

    private let digest: HeaderFields = ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""]
    private let basic: HeaderFields = ["WWW-Authenticate": "Basic realm=\"r\""]

    private func own(_ scheme: RequestCredentials.Scheme = .basic) -> RequestCredentials {
        var own = RequestCredentials(user: "u", password: "p")
        own.scheme = scheme
        return own
    }

    @Test("A 401 is answered by what the request has, and then by the caller")
    func challenge() throws {
        let facts = GivenFacts { $0.ownCredentials = (own(), .options) }
        guard case .challenge(.again(let known)) = AnswerSteps.challenge(.given(401, digest), .lead, facts) else {
            return #expect(Bool(false), "Digest is answered")
        }
        #expect(try known.answerSource(for: Origin(facts.request.url)) == .options && !known.isEmpty)
        guard case .challenge(.again) = AnswerSteps.challenge(.given(401, digest), .probe, facts) else {
            return #expect(Bool(false), "a mirror that is compared is answered too")
        }
        #expect(AnswerSteps.challenge(.given(401, basic), .lead, facts) == nil, "Basic was shown already")
        facts.answered = .challenge
        guard case .challenge(.ask(let offers, let origin, _)) = AnswerSteps.challenge(.given(401, basic), .lead, facts)
        else { return #expect(Bool(false), "the caller is asked") }
        #expect(offers.count == 1 && origin.host == "host")
        facts.mayRepeatBody = false
        guard case .challenge(.ask) = AnswerSteps.challenge(.given(401, digest), .lead, facts) else {
            return #expect(Bool(false), "nothing is sent by itself that cannot be sent again")
        }
        #expect(AnswerSteps.challenge(.given(403, digest), .lead, facts) == nil)
        #expect(AnswerSteps.challenge(.given(401, digest), .branch, facts) == nil)
    }

    @Test("A ticket is got for a server that offers to take one, once")
    func ticket() throws {
        let head = ResponseHead.given(401, ["WWW-Authenticate": "Negotiate"])
        let facts = GivenFacts { $0.ownCredentials = (own(.negotiate), .options) }
        guard case .challenge(.ticket(let offer, let origin)) = AnswerSteps.challenge(head, .lead, facts) else {
            return #expect(Bool(false), "a ticket is got")
        }
        facts.credentials.give(HTTPCredentials(offer: offer, user: "", password: "t"), to: origin)
        _ = facts.credentials.field(for: facts.request)
        #expect(AnswerSteps.challenge(head, .lead, facts) == nil)
    }

    @Test("Credentials that were refused as often as may be are asked for no more")
    func refusals() throws {
        let facts = GivenFacts { $0.answered = .challenge }
        let origin = try Origin(facts.request.url)
        let offer = AuthenticationOffer.supported(basic.map(\.value), for: .none)[0]
        for count in 1...OriginCredentials.refusalLimit {
            facts.credentials.give(HTTPCredentials(offer: offer, user: "u", password: "p"), to: origin)
            let verdict = AnswerSteps.challenge(.given(401, basic), .lead, facts)
            guard count < OriginCredentials.refusalLimit else { return #expect(verdict == nil) }
            guard case .challenge(.ask(_, _, let known)) = verdict else {
                return #expect(Bool(false), "the caller is asked again")
            }
            facts.credentials = known
            #expect(known.refusals(by: origin) == count)
        }
    }

    private func proxy(user: String = "") throws -> ProxyState {
        ProxyState(
            proxy: try Proxy("http://\(user)p:8080"), shown: nil, memory: ProxyMemory(credentials: ProxyCredentials()))
    }

    @Test("A 407 is a proxy's question only where there is a proxy that reads the request")
    func proxyChallenge() throws {
        let head = ResponseHead.given(407, ["Proxy-Authenticate": "Digest realm=\"r\", nonce=\"n\""])
        #expect(AnswerSteps.proxyChallenge(head, .lead, GivenFacts { $0.answered = .challenge }) == nil)
        let named = try proxy(user: "u:u@")
        let facts = GivenFacts { $0.proxy = named }
        guard case .proxy(let challenge) = AnswerSteps.proxyChallenge(head, .lead, facts),
            case .again(let memory) = challenge.turn
        else { return #expect(Bool(false), "its own name and password answer") }
        #expect(memory.hasAnswered && !memory.credentials.isEmpty)
        facts.proxy = try proxy()
        #expect(AnswerSteps.proxyChallenge(head, .lead, facts) == nil, "there is no answer")
        facts.answered = .challenge
        guard case .proxy(let asked) = AnswerSteps.proxyChallenge(head, .lead, facts), case .ask = asked.turn else {
            return #expect(Bool(false), "the caller is asked")
        }
        #expect(AnswerSteps.proxyChallenge(.given(407), .lead, facts) == nil, "it offers nothing")
        facts.proxy?.memory.refusals = OriginCredentials.refusalLimit
        #expect(AnswerSteps.proxyChallenge(head, .lead, facts) == nil, "enough was refused")
    }
}
