internal import FleetQueue
internal import SessionSupport
package import TransferService

/// Answers questions from the queue.
extension FleetService {
    /// The most rows of an answer, which bounds its memory.
    private static let rowLimit = 1_000

    package func answer(_ question: TransferQuestion) -> TransferAnswer {
        do throws(FleetError) {
            return try reply(to: question)
        } catch {
            if case .matching = question, error.isSlow {
                return .failed(
                    TransferFailure(
                        kind: "slowSelection", category: .ordinary, message: WindowErrors.slowSelection.string))
            }
            return .failed(WindowErrors.failed(error))
        }
    }

    private func reply(to question: TransferQuestion) throws(FleetError) -> TransferAnswer {
        switch question {
        case .counts: return .counts(counts)
        case .summary: return .summary(summary)
        case .matching(let selection): return .matching(try matches(of: selection))
        case .page(let id, let limit):
            let start = id.map { Int64(clamping: $0) } ?? .min
            return .rows(
                rows(
                    try desk.ask { (queue: FleetQueue) throws(FleetError) in
                        try queue.jobs(after: start, count: max(0, min(limit, Self.rowLimit)))
                    }))
        case .ids:
            let ids = try desk.ask { (queue: FleetQueue) throws(FleetError) in
                try queue.numbers(SelectionPage.allNumbers)
            }
            return .ids(ids.map { UInt64(clamping: $0) })
        case .rows(let ids): return .rows(rows(try jobs(ids)))
        case .figures(let ids): return .figures(rows(try jobs(ids)).map(\.figures))
        case .details(let id): return .details(try jobs([id]).first.map { RowMaking.details($0) })
        case .connections: return .connections([:])
        case .connectionCounts: return .connectionCounts([:])
        case .jobs(let ids):
            return .jobs(
                try jobs(ids).map { job in
                    var result = Job(kind: RowMaking.kind(job.kind), url: job.url)
                    result.output = .name(job.destination)
                    return result
                })
        case .path: return .path(nil)
        case .destination: return .destination(DestinationInfo())
        case .leftovers: return .failed(Self.refusal(QueueRefusalErrors.file))
        case .unsaved: return .unsaved(nil)
        case .history: return .failed(Self.refusal(QueueRefusalErrors.history))
        }
    }

    static func refusal(_ reason: SafeText) -> TransferFailure {
        TransferFailure(kind: "queueRefused", category: .ordinary, message: reason.string)
    }

    // MARK: - Rows

    private func jobs(_ ids: [UInt64]) throws(FleetError) -> [ListedJob] {
        guard !ids.isEmpty else { return [] }
        let ids = ids.prefix(Self.rowLimit).map { Int64(clamping: $0) }
        return try desk.ask { (queue: FleetQueue) throws(FleetError) in try queue.jobs(Array(ids)) }
    }

    private func rows(_ jobs: [ListedJob]) -> [RowSnapshot] {
        let now = MonotonicClock.milliseconds
        return picture.withLock { picture in jobs.map { picture.row($0, now: now) } }
    }

    /// Rows for a subscriber; none while the database is away.
    func snapshots(of ids: [UInt64]) -> [RowSnapshot] { (try? jobs(ids)).map { rows($0) } ?? [] }

    /// The numbers of running rows, without a question to the database: they are asked for in each frame.
    func knownFigures(of ids: [UInt64]) -> [RowFigures] {
        let now = MonotonicClock.milliseconds
        return picture.withLock { picture in
            ids.compactMap { id in
                picture.running[Int64(clamping: id)].map { picture.row($0, now: now).figures }
            }
        }
    }

    // MARK: - Counts

    private var counts: RunCounts {
        let totals = picture.withLock(\.totals)
        let live = totals.cells.filter { $0.state.isLive }.reduce(0) { $0 + $1.count }
        return RunCounts(live: live, pending: live, isIdle: live == 0)
    }

    private var summary: RunSummary {
        let totals = picture.withLock(\.totals)
        func count(_ state: RowState) -> Int { totals.cells.first { $0.state == state }?.count ?? 0 }
        let moved = totals.cells.reduce(0) { $0 + $1.moved }
        var summary = RunSummary(results: [], moved: MovedBytes(received: moved), seconds: 0)
        (summary.completed, summary.failed, summary.cancelled) = (count(.done), count(.failed), count(.cancelled))
        summary.paused = totals.count - summary.completed - summary.failed - summary.cancelled
        return summary
    }

    // MARK: - Selections

    private func matches(of selection: RowRequest) throws(FleetError) -> RowMatches {
        let conditions = SelectionConditions(selection)
        var listed: [ListedJob] = []
        var problem = conditions.problem
        var scan: FilterScan?
        var isSearching = false
        do throws(FleetError) {
            scan = conditions.isByState ? nil : try search.scan(of: conditions)
            isSearching = !conditions.isByState && scan == nil
            if isSearching {
                problem = problem ?? WindowErrors.searching
            } else {
                let page = page(selection, scan)
                listed = try desk.ask { (queue: FleetQueue) throws(FleetError) in try Self.jobs(of: page, queue) }
            }
        } catch {
            guard error.code == .refused, !error.isSlow else { throw error }
            // Such as a pattern that the server reads in another way.
            problem = WindowErrors.badSelection(error.text)
        }
        let present = Set(listed.map { UInt64(clamping: $0.id) })
        listed += try jobs(selection.kept.filter { !present.contains($0) })
        var totals = picture.withLock(\.totals)
        totals.problem = picture.withLock(\.problem) ?? problem
        totals.matching = isSearching ? 0 : scan?.count ?? Self.tally(selection, totals)
        totals.hasMore = isSearching || scan?.hasMore ?? false
        return RowMatches(rows: rows(listed), totals: totals)
    }

    private func page(_ selection: RowRequest, _ scan: FilterScan?) -> SelectionPage {
        let (present, hasPriorities, hosts) = picture.withLock {
            ($0.present, $0.hasPriorities, $0.totals.hosts.count)
        }
        return SelectionPage(
            selection, present: present, hasPriorities: hasPriorities, hosts: hosts, among: scan?.all)
    }

    static func jobs(of page: SelectionPage, _ queue: FleetQueue) throws(FleetError) -> [ListedJob] {
        var listed: [ListedJob] = []
        for statement in page.statements where listed.count < page.limit {
            listed += try queue.jobs(statement).prefix(page.limit - listed.count)
        }
        return listed
    }

    private static func tally(_ selection: RowRequest, _ totals: RowTotals) -> Int {
        totals.cells.reduce(0) { sum, cell in
            let matches =
                (selection.kind ?? cell.kind) == cell.kind
                && (selection.states.isEmpty || selection.states.contains(cell.state))
            return sum + (matches ? cell.count : 0)
        }
    }
}
