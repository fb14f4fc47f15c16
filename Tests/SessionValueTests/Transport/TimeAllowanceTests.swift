import Testing

@testable import SessionCore

/// The time that a transfer may take, by the clock that stands while it is paused.
@Suite("Time allowance")
struct TimeAllowanceTests {
    @Test("Time counts while the clock runs, and not while it stands")
    func pauses() {
        var allowance = TimeAllowance(milliseconds: 10_000, now: 1_000)
        #expect(allowance.left(now: 3_000) == 8_000)
        allowance.stop(now: 3_000)
        #expect(allowance.isStopped)
        #expect(allowance.left(now: 60_000) == 8_000)
        allowance.start(now: 60_000)
        #expect(!allowance.isStopped)
        #expect(allowance.left(now: 68_000) == 0)
        #expect(allowance.left(now: 69_000) == -1_000)
    }

    @Test("Stopping or starting twice changes nothing")
    func twice() {
        var allowance = TimeAllowance(milliseconds: 1_000, now: 0)
        allowance.start(now: 500)
        #expect(allowance.left(now: 500) == 500)
        allowance.stop(now: 500)
        allowance.stop(now: 900)
        #expect(allowance.left(now: 2_000) == 500)
    }
}
