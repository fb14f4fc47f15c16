import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// The counts of a queue as a window shows them.
@Suite("Counts of all jobs")
struct TotalsTests {
    @Test("The lengths that servers name may have any sum")
    func largestLengths() {
        let tallies = ["a", "b"].map {
            JobTally(
                host: $0, state: .waiting, isHeldUp: false, count: 1, received: 0, expected: .max, unmeasured: 0,
                isPrioritised: false)
        }
        let totals = TotalsMaking.totals(tallies, ended: [], running: [], workers: [])
        #expect(totals.count == 2)
    }
}
