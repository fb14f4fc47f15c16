internal import FleetQueue
internal import TransferService

/// Makes the dashboard's counts of the queue's tallies.
enum TotalsMaking {
    /// The most hosts that are named one by one.
    static let hostLimit = 1_000

    static func totals(_ tallies: [JobTally], running: [ListedJob], workers: [ListedWorker]) -> RowTotals {
        var hosts: [String: [JobTally]] = [:]
        for tally in tallies { hosts[tally.host, default: []].append(tally) }
        // Of more hosts, the ones with the most jobs.
        let sizes = hosts.mapValues { $0.reduce(0) { $0 + $1.count } }
        let named = hosts.keys.sorted { (sizes[$0] ?? 0, $1) > (sizes[$1] ?? 0, $0) }.prefix(hostLimit).sorted()
        var held = Dictionary(workers.map { ($0.name, [ListedJob]()) }) { first, _ in first }
        for job in running { if let worker = job.worker { held[worker, default: []].append(job) } }
        return RowTotals(
            cells: cells(tallies),
            hosts: named.map { RowTotals.Group(title: SafeText(untrusted: $0), cells: cells(hosts[$0] ?? [])) },
            workers: held.keys.sorted().map { name in
                RowTotals.Group(title: SafeText(untrusted: name), cells: cells(of: held[name] ?? []))
            })
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

    private static func cells(of jobs: [ListedJob]) -> [RowTotals.Cell] {
        var cells: [RowState: RowTotals.Cell] = [:]
        for job in jobs {
            add(
                RowTotals.Cell(
                    .download, RowMaking.state(of: job), count: 1, moved: job.received,
                    expected: job.total ?? job.received, unmeasured: job.total == nil ? 1 : 0), to: &cells)
        }
        return sorted(cells)
    }

    private static func add(_ cell: RowTotals.Cell, to cells: inout [RowState: RowTotals.Cell]) {
        var sum = cells[cell.state] ?? RowTotals.Cell(cell.kind, cell.state, count: 0)
        sum.count += cell.count
        sum.moved += cell.moved
        sum.expected += cell.expected
        sum.unmeasured += cell.unmeasured
        cells[cell.state] = sum
    }

    private static func sorted(_ cells: [RowState: RowTotals.Cell]) -> [RowTotals.Cell] {
        RowState.allCases.compactMap { cells[$0] }
    }
}
