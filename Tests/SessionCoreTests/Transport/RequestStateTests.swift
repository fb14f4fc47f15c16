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
        #expect(state.redirects.context.hops == 1 && !state.redirects.context.hasLeftOrigin)
        #expect(state.redirects.context.visited == [RedirectPolicy.visitKey(request)])
        state.moveOn(from: same, to: RedirectPolicy.request(request, at: "http://elsewhere/file"))
        state.moveOn(from: RedirectPolicy.request(request, at: "http://elsewhere/file"), to: request)
        #expect(state.redirects.context.hops == 3 && state.redirects.context.hasLeftOrigin, "it stays so")
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
        #expect(state.redirects.context.hops == 0 && state.redirects.context.visited.isEmpty)
        #expect(state.redirects.context.hasLeftOrigin == hasLeftOrigin)
    }

    @Test("A body that can be read once is at its start until something was read, and again when it was replaced")
    func body() {
        var state = RequestState()
        let source = BytesBodySource([1])
        state.keepUnread(source)
        #expect(state.isBodyAtStart(isReplayable: false, sent: 0))
        #expect(!state.isBodyAtStart(isReplayable: false, sent: 1))
        state.bodyWasRead(0, isReplayable: false)
        #expect(state.body.unread === source && !state.body.isSpent)
        state.bodyWasRead(5, isReplayable: true)
        #expect(!state.body.isSpent, "it can be read again")
        state.bodyWasRead(5, isReplayable: false)
        #expect(state.body.isSpent && state.body.unread == nil)
        #expect(!state.isBodyAtStart(isReplayable: false, sent: 0))
        #expect(state.isBodyAtStart(isReplayable: true, sent: 5))
        state.replace(with: .bytes([2]))
        #expect(!state.body.isSpent && state.body.replacement == .bytes([2]))
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
}
