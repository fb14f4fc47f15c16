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
        let moved = totals.cells.reduce(0) { $0 &+ $1.moved }
        var summary = RunSummary(results: [], moved: MovedBytes(received: moved), seconds: 0)
        (summary.completed, summary.failed, summary.cancelled) = (count(.done), count(.failed), count(.cancelled))
        summary.paused = totals.count - summary.completed - summary.failed - summary.cancelled
        return summary
    }

    // MARK: - Selections

    /// What a page has, beside the counts of all jobs.
    private struct Page {
        var jobs: [ListedJob] = []
        /// The jobs that match, as far as they were counted; nil where the tallies have their number.
        var matching: Int?
        var hasMore = false
        var problem: SafeText?
    }

    private func matches(of selection: RowRequest) throws(FleetError) -> RowMatches {
        let conditions = SelectionConditions(selection)
        var page: Page
        do throws(FleetError) {
            page = try conditions.isByState ? ordered(selection) : filtered(selection, conditions)
        } catch {
            guard error.code == .refused, !error.isSlow else { throw error }
            // Such as a pattern that the server reads in another way.
            page = Page(matching: 0, problem: WindowErrors.badSelection(error.text))
        }
        let present = Set(page.jobs.map { UInt64(clamping: $0.id) })
        page.jobs += try jobs(selection.kept.filter { !present.contains($0) })
        var totals = picture.withLock(\.totals)
        totals.problem = picture.withLock(\.problem) ?? conditions.problem ?? page.problem
        totals.matching = page.matching ?? Self.tally(selection, totals)
        totals.hasMore = page.hasMore
        return RowMatches(rows: rows(page.jobs), totals: totals)
    }

    private func ordered(_ selection: RowRequest) throws(FleetError) -> Page {
        let page = page(selection)
        return Page(
            jobs: try desk.ask { (queue: FleetQueue) throws(FleetError) in try Self.jobs(of: page, queue) })
    }

    /// A page by the ids that a search has found: all that match, or of very many the first ones.
    private func filtered(_ selection: RowRequest, _ conditions: SelectionConditions) throws(FleetError) -> Page {
        let deadline = MonotonicClock.milliseconds + FilterSearch.patience
        let searching = Page(matching: 0, hasMore: true, problem: WindowErrors.searching)
        guard let all = try search.ids(of: .all(conditions), deadline: deadline) else { return searching }
        guard all.count > FilterScan.countLimit else {
            let page = page(selection, among: all)
            return Page(
                jobs: try desk.ask { (queue: FleetQueue) throws(FleetError) in try Self.jobs(of: page, queue) },
                matching: all.count)
        }
        guard let first = try search.ids(of: .first(page(selection)), deadline: deadline) else { return searching }
        return Page(
            jobs: try desk.ask { (queue: FleetQueue) throws(FleetError) in try queue.jobs(first) },
            matching: FilterScan.countLimit, hasMore: true)
    }

    private func page(_ selection: RowRequest, among ids: [Int64]? = nil) -> SelectionPage {
        let picture = picture.withLock(\.self)
        return SelectionPage(
            selection, present: picture.present, hasPriorities: picture.hasPriorities,
            hosts: picture.totals.hosts.count,
            workers: selection.grouping == .worker ? picture.named : [], among: ids)
    }

    static func jobs(of page: SelectionPage, _ queue: FleetQueue) throws(FleetError) -> [ListedJob] {
        try queue.first(page.limit, of: page.statements) { (statement) throws(FleetError) in
            try queue.jobs(statement)
        }
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
