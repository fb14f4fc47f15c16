import Testing

@testable import SessionCore

@Suite("How a request is made beside what it says")
struct RequestStateTests {
    private let request = TransferRequest(url: "http://host/file")

    @Test("A redirect counts, is remembered, and may leave the origin for good")
    func moving() {
        var state = RequestState()
        let same = RedirectPolicy.request(request, at: "http://host/other")
        state.moveOn(from: request, to: same)
        #expect(state.redirects.hops == 1 && !state.redirects.hasLeftOrigin)
        #expect(state.redirects.visited == [RedirectPolicy.visitKey(request)])
        state.moveOn(from: same, to: RedirectPolicy.request(request, at: "http://elsewhere/file"))
        state.moveOn(from: RedirectPolicy.request(request, at: "http://elsewhere/file"), to: request)
        #expect(state.redirects.hops == 3 && state.redirects.hasLeftOrigin, "it stays so")
    }

    @Test(
        "A body that a redirect has left behind is remembered, of a form only where it is an upload",
        arguments: [
            ("PUT", false, true), ("PUT", true, true), ("POST", false, false), ("POST", true, true),
        ])
    func bodyLeft(method: String, isUpload: Bool, isRemembered: Bool) {
        var state = RequestState()
        let sent = TransferRequest(url: "http://host/file", method: method, body: .bytes([1]))
        state.moveOn(from: sent, to: TransferRequest(url: "http://elsewhere/file"), isUpload: isUpload)
        #expect(state.bodyLeftAt == (isRemembered ? sent.url : nil))
    }

    @Test(
        "Starting over forgets where the request was led, and a source elsewhere is another origin",
        arguments: [
            ("http://host/file", false), ("http://host/mirror", false), ("http://other/file", true),
            ("https://host/file", true),
        ])
    func startingOver(url: String, hasLeftOrigin: Bool) {
        var state = RequestState()
        state.moveOn(from: request, to: RedirectPolicy.request(request, at: "http://elsewhere/file"))
        state.startOver(at: url, insteadOf: request.url)
        #expect(state.redirects.hops == 0 && state.redirects.visited.isEmpty)
        #expect(state.redirects.hasLeftOrigin == hasLeftOrigin)
    }

    @Test("A body that can be read once is at its start until something was read, and again when it was replaced")
    func body() {
        var state = RequestState()
        let source = BytesBodySource([1])
        let body = BodySpecification.file(path: "/pipe")
        state.keepUnread(source, of: body)
        #expect(state.isBodyAtStart(isReplayable: false, sent: 0))
        #expect(!state.isBodyAtStart(isReplayable: false, sent: 1))
        state.bodyWasRead(0, isReplayable: false)
        #expect(state.unreadSource(of: body) === source && !state.body.isSpent)
        #expect(state.unreadSource(of: .descriptor(3)) == nil, "another request has a body of its own")
        state.bodyWasRead(5, isReplayable: true)
        #expect(!state.body.isSpent, "it can be read again")
        state.bodyWasRead(5, isReplayable: false)
        #expect(state.body.isSpent && state.unreadSource(of: body) == nil)
        #expect(!state.isBodyAtStart(isReplayable: false, sent: 0))
        #expect(state.isBodyAtStart(isReplayable: true, sent: 5))
        state.replace(with: SentBody(.bytes([2])))
        #expect(!state.body.isSpent && state.body.replacement?.specification == .bytes([2]))
        #expect(state.isBodyAtStart(isReplayable: false, sent: 0))
    }

    @Test("Each place is tried once, and then the first one again")
    func places() {
        var state = RequestState()
        func isNext(of count: Int, isUnreached: Bool = true) -> Bool {
            state.takeNextEndpoint(of: count, isUnreached: isUnreached)
        }
        let alone = isNext(of: 1)
        #expect(!alone)
        for turn in [1, 2] {
            let isTried = isNext(of: 3)
            #expect(isTried && Int(state.endpointIndex) == turn)
        }
        let isOver = !isNext(of: 3)
        #expect(isOver && state.endpointIndex == 0)
        let again = isNext(of: 3)
        let isLeft = isNext(of: 3, isUnreached: false)
        #expect(again && !isLeft && state.endpointIndex == 0, "it failed otherwise")
    }

    @Test("The caller is asked about three chains in a row, and again after a response")
    func trustQuestions() {
        var state = RequestState()
        let asked = (0..<4).map { _ in state.mayAskAboutTrust() }
        #expect(asked == [true, true, true, false])
        state.hasAnswered()
        let isAskedAgain = state.mayAskAboutTrust()
        #expect(isAskedAgain)
    }

    @Test("What proxies were shown is remembered without the session's credentials")
    func proxies() throws {
        var state = RequestState()
        var session = ProxyCredentials()
        #expect(state.proxyMemory(session) == ProxyMemory(credentials: session))
        let offer = AuthenticationOffer(scheme: "Basic")
        session.give(HTTPCredentials(offer: offer, user: "u", password: "p"), to: try Proxy("proxy:3128"))
        var memory = ProxyMemory(credentials: session)
        memory.refusals = 1
        state.remember(memory)
        #expect(state.proxyMemory(session) == memory)
        memory.credentials = ProxyCredentials()
        #expect(state.proxyMemory(ProxyCredentials()) == memory)
    }

    @Test("Another source's server has its own redirects")
    func turning() {
        var state = RequestState()
        state.moveOn(from: request, to: RedirectPolicy.request(request, at: "http://host/other"))
        let mirror = RedirectPolicy.request(request, at: "http://mirror/file")
        state.turn(to: RequestTarget(mirror, original: request, nil))
        #expect(state.redirects.hops == 0 && state.redirects.hasLeftOrigin)
    }

    @Test("The time limit starts once, and stops and runs with the transfer")
    func time() {
        var state = RequestState()
        let early = state.keepTime(isStopped: true, now: 0)
        let starts = [10, 20].map { state.limitTime(toMilliseconds: $0, now: 0) }
        let stops = [true, true, false].map { state.keepTime(isStopped: $0, now: 4) }
        #expect(!early && starts == [true, false] && stops == [true, false, true])
        #expect(state.allowance?.left(now: 6) == 4)
    }
}
