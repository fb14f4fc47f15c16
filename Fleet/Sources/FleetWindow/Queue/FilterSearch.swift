internal import Dispatch
internal import FleetQueue
internal import SessionSupport
internal import TransferService

/// Searches the queue for the jobs of filters, over a connection of its own: a search may read the whole queue, and no
/// page waits for it.
///
/// Safe from any thread.
final class FilterSearch: Sendable {
    /// The milliseconds that a page waits for the first results of its filter.
    static let patience: Int64 = 120

    private let desk: QueueDesk
    private let scans = Monitor(FilterScans())
    /// The searches, one after the other.
    private let turns = DispatchQueue(label: "netdash.fleet.search")

    init(_ desk: QueueDesk) { self.desk = desk }

    /// The latest ids that a search has found; nil while its first result is not there at `deadline`, in milliseconds.
    func ids(of scan: FilterScan, deadline: Int64) throws(FleetError) -> [Int64]? {
        if scans.change({ $0.begin(scan, now: MonotonicClock.milliseconds) }) {
            turns.async { [self] in search(scan) }
        }
        let left = max(0, deadline - MonotonicClock.milliseconds)
        scans.wait(timeoutMilliseconds: left) { $0.result(of: scan) != nil }
        return try scans.withLock { $0.result(of: scan) }?.get()
    }

    func fallSilent(because error: FleetError?) { desk.fallSilent(because: error) }

    private func search(_ scan: FilterScan) {
        let began = MonotonicClock.milliseconds
        let result = Result { () throws(FleetError) in
            try desk.ask { (queue: FleetQueue) throws(FleetError) in
                try queue.first(scan.limit, of: scan.statements) { (statement) throws(FleetError) in
                    try queue.numbers(statement)
                }
            }
        }
        let end = MonotonicClock.milliseconds
        scans.change { $0.end(scan, result, now: end, took: end - began) }
    }
}

extension FleetQueue {
    /// The first results of some statements, of which the later ones are asked for only while there are too few.
    func first<Found>(
        _ limit: Int, of statements: [QueueStatement], _ ask: (QueueStatement) throws(FleetError) -> [Found]
    ) throws(FleetError) -> [Found] {
        var found: [Found] = []
        for statement in statements where found.count < limit {
            found += try ask(statement).prefix(limit - found.count)
        }
        return found
    }
}
