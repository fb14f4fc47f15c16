internal import Dispatch
internal import FleetQueue
internal import SessionSupport
internal import TransferService

/// Searches the queue for the jobs of filters, over a connection of its own: a search may read the whole queue, and no
/// page waits for it.
///
/// Safe from any thread.
final class FilterSearch: Sendable {
    /// The milliseconds that a page waits for the first result of its filter.
    private static let patience: Int64 = 120

    private let desk: QueueDesk
    private let scans = Monitor(FilterScans())
    /// The searches, one after the other.
    private let turns = DispatchQueue(label: "netdash.fleet.search")

    init(_ desk: QueueDesk) { self.desk = desk }

    /// The latest result for a filter; nil while its first search takes longer than a page may wait.
    func scan(of conditions: SelectionConditions) throws(FleetError) -> FilterScan? {
        if scans.change({ $0.begin(conditions, now: MonotonicClock.milliseconds) }) {
            turns.async { [self] in search(conditions) }
        }
        scans.wait(timeoutMilliseconds: Self.patience) { $0.result(of: conditions) != nil }
        return try scans.withLock { $0.result(of: conditions) }?.get()
    }

    private func search(_ conditions: SelectionConditions) {
        let began = MonotonicClock.milliseconds
        let statement = SelectionPage.scan(conditions)
        let result = Result { () throws(FleetError) in
            FilterScan(ids: try desk.ask { (queue: FleetQueue) throws(FleetError) in try queue.numbers(statement) })
        }
        let end = MonotonicClock.milliseconds
        scans.change { $0.end(conditions, result, now: end, took: end - began) }
    }
}
