import Testing

@testable import SessionCore

/// When an attempt counts as stalled.
@Suite("Stall watch")
struct StallWatchTests {
    @Test("An attempt that moves nothing is stalled when the limit has passed, and not before")
    func nothingMoves() {
        var watch = StallWatch(limitMilliseconds: 8000, now: 100)
        #expect(watch.interval == 1000)
        #expect(watch.look(moved: 0, mayMove: true, now: 1100) == .lookAgain(afterMilliseconds: 1000))
        #expect(watch.look(moved: 0, mayMove: true, now: 8000) == .lookAgain(afterMilliseconds: 100))
        #expect(watch.look(moved: 0, mayMove: true, now: 8100) == .stalled)
    }

    @Test("A single byte starts the time anew")
    func byteMoves() {
        var watch = StallWatch(limitMilliseconds: 8000, now: 0)
        #expect(watch.look(moved: 1, mayMove: true, now: 7999) == .lookAgain(afterMilliseconds: 1000))
        #expect(watch.look(moved: 1, mayMove: true, now: 15_998) == .lookAgain(afterMilliseconds: 1))
        #expect(watch.look(moved: 1, mayMove: true, now: 15_999) == .stalled)
    }

    @Test("A count that falls, as after a body that is sent again, is a movement too")
    func countFalls() {
        var watch = StallWatch(limitMilliseconds: 1000, now: 0)
        #expect(watch.look(moved: 50, mayMove: true, now: 500) != .stalled)
        #expect(watch.look(moved: 10, mayMove: true, now: 1400) != .stalled)
        #expect(watch.look(moved: 10, mayMove: true, now: 2300) != .stalled)
        #expect(watch.look(moved: 10, mayMove: true, now: 2400) == .stalled)
    }

    @Test("LT16 KB18: while nothing may move no time passes")
    func pause() {
        var watch = StallWatch(limitMilliseconds: 1000, now: 0)
        #expect(watch.look(moved: 0, mayMove: false, now: 60_000) == .lookAgain(afterMilliseconds: 125))
        #expect(watch.look(moved: 0, mayMove: true, now: 60_999) == .lookAgain(afterMilliseconds: 1))
        #expect(watch.look(moved: 0, mayMove: true, now: 61_000) == .stalled)
    }
}
