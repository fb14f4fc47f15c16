internal import FleetQueue
internal import TransferService

/// Makes the dashboard's counts of the queue's tallies.
enum TotalsMaking {
    /// The most hosts that are named one by one.
    static let hostLimit = 1_000

    /// - Parameters:
    ///   - tallies: the counts of all jobs.
    ///   - ended: the counts of the jobs that workers have ended.
    static func totals(
        _ tallies: [JobTally], ended: [WorkerTally], running: [ListedJob], workers: [ListedWorker]
    ) -> RowTotals {
        var hosts: [String: [JobTally]] = [:]
        for tally in tallies { hosts[tally.host, default: []].append(tally) }
        // Of more hosts, the ones with the most jobs.
        let sizes = hosts.mapValues { $0.reduce(0) { $0 + $1.count } }
        let named = hosts.keys.sorted { (sizes[$0] ?? 0, $1) > (sizes[$1] ?? 0, $0) }.prefix(hostLimit).sorted()
        let cells = cells(tallies)
        return RowTotals(
            cells: cells,
            hosts: named.map { RowTotals.Group(title: SafeText(untrusted: $0), cells: Self.cells(hosts[$0] ?? [])) },
            workers: groups(of: workers, ended, running, among: cells))
    }

    /// A group for each worker, and one without a title for the jobs of none.
    private static func groups(
        of workers: [ListedWorker], _ ended: [WorkerTally], _ running: [ListedJob], among all: [RowTotals.Cell]
    ) -> [RowTotals.Group] {
        var groups = Dictionary(workers.map { ($0.name, [RowState: RowTotals.Cell]()) }) { first, _ in first }
        var others = Dictionary(all.map { ($0.state, $0) }) { first, _ in first }
        func count(_ cell: RowTotals.Cell, of worker: String) {
            add(cell, to: &groups[worker, default: [:]])
            add(cell, to: &others, sign: -1)
        }
        for tally in ended {
            count(
                RowTotals.Cell(
                    .download, RowMaking.state(tally.state, isHeldUp: false), count: tally.count,
                    moved: tally.received, expected: tally.expected,
                    unmeasured: tally.state == .done ? 0 : tally.unmeasured), of: tally.worker)
        }
        for job in running {
            guard let worker = job.worker else { continue }
            count(
                RowTotals.Cell(
                    .download, RowMaking.state(of: job), count: 1, moved: job.received,
                    expected: job.total ?? job.received, unmeasured: job.total == nil ? 1 : 0), of: worker)
        }
        let named = groups.keys.sorted { (size(groups[$0]), $1) > (size(groups[$1]), $0) }.prefix(hostLimit).sorted()
        return [RowTotals.Group(title: .empty, cells: sorted(others).filter { $0.count > 0 })]
            + named.map { RowTotals.Group(title: SafeText(untrusted: $0), cells: sorted(groups[$0] ?? [:])) }
    }

    private static func size(_ cells: [RowState: RowTotals.Cell]?) -> Int {
        cells?.values.reduce(0) { $0 + $1.count } ?? 0
    }

    private static func cells(_ tallies: [JobTally]) -> [RowTotals.Cell] {
        var cells: [RowState: RowTotals.Cell] = [:]
        for tally in tallies {
            let state = RowMaking.state(tally.state, isHeldUp: tally.isHeldUp)
            let isKnown = tally.state == .done
            add(
                RowTotals.Cell(
                    .download, state, count: tally.count, moved: tally.received, expected: tally.expected,
                    unmeasured: isKnown ? 0 : tally.unmeasured), to: &cells)
        }
        return sorted(cells)
    }

    private static func add(_ cell: RowTotals.Cell, to cells: inout [RowState: RowTotals.Cell], sign: Int = 1) {
        var sum = cells[cell.state] ?? RowTotals.Cell(cell.kind, cell.state, count: 0)
        sum.count += sign * cell.count
        // Lengths are what servers say; what is added is taken away again, also beyond the largest number.
        sum.moved &+= Int64(sign) &* cell.moved
        sum.expected &+= Int64(sign) &* cell.expected
        sum.unmeasured += sign * cell.unmeasured
        cells[cell.state] = sum
    }

    private static func sorted(_ cells: [RowState: RowTotals.Cell]) -> [RowTotals.Cell] {
        RowState.allCases.compactMap { cells[$0] }
    }
}
