import CLinux
import SessionCore
import SessionSupport

/// Answers questions about transfers with copies.
extension LocalService {
    /// The results of the transfers in the order they were added, without the ones that ended in an earlier run.
    ///
    /// Without visible rows, failures of an earlier run that were not retried count too: the session still has to do
    /// them.
    var results: [TransferResult] {
        let countsEarlierFailures = !observers.interest.showsRows
        return state.withLock { state in
            state.order.compactMap { state.rows.standing(of: $0, countingEarlierFailures: countsEarlierFailures) }
        }
    }

    /// The failed rows in the order they were added.
    var failedRows: [TransferRow] {
        state.withLock { state in
            state.order.compactMap { id in
                guard case .failed = state.rows.result(of: id) else { return nil }
                return state.rows[id]
            }
        }
    }

    /// The rows that have not ended, in the order they were added.
    var unfinishedRows: [TransferRow] {
        state.withLock { state in
            guard state.liveCount > 0 else { return [] }
            return state.order.compactMap { id in state.rows[id].flatMap { $0.isFinal ? nil : $0 } }
        }
    }

    /// The failures of writing cookies, lists, sessions and bodies.
    var complaints: [SafeText] {
        factory.identity.complaints
            + [
                state.withLock { $0.failedListProblem }, archive?.complaint, unsaved, unwrittenBody, secrets?.problem,
                history?.problem,
            ].compactMap(\.self)
    }

    /// The error of a body that standard output refused; nil without one.
    var unwrittenBody: SafeText? {
        BodyTurns.standardOutput.failure.map {
            ServiceErrors.unwrittenBody(SafeText(untrusted: TransferFailure($0, path: nil).message))
        }
    }

    /// The paused transfers that no user can resume, and the ones that wait for them, by id.
    var undone: [RunEnd.Undone] {
        state.withLock { state in
            let waiting = state.precedence.waitingTasks
            return state.parked.union(waiting.keys).sorted().compactMap { id in
                state.rows[id].map { RunEnd.Undone(id: id, url: $0.job.url, predecessor: waiting[id] ?? nil) }
            }
        }
    }

    /// Whether every transfer has ended, or has been paused since an earlier run.
    package var isIdle: Bool { counts.isIdle }

    /// Whether nothing goes on before a user resumes a row.
    package var isAtRest: Bool { state.withLock(\.isAtRest) }

    package var summary: RunSummary { summary(of: results) }

    /// Sums up the run from ``results`` that are known already.
    func summary(of results: [TransferResult]) -> RunSummary {
        let (moved, cleared) = state.withLock { state in
            var moved = state.earlierBytes
            moved += state.rows.counted
            return (moved, state.clearedCompletions)
        }
        let seconds = Double(cl_monotonic_milliseconds() - startedAt) / 1000
        var summary = RunSummary(results: results, moved: moved, seconds: seconds)
        summary.completed += cleared
        return summary
    }

    /// The current rows of some ids; missing ids are left out.
    package func snapshots(of ids: [UInt64]) -> [RowSnapshot] {
        var snapshots: [RowSnapshot] = []
        snapshots.reserveCapacity(ids.count)
        // Rows are large, so only a few are copied at once.
        for start in stride(from: 0, to: ids.count, by: Self.pageLength) {
            let page = ids[start..<min(start + Self.pageLength, ids.count)]
            let (rows, routes) = state.withLock { state in (page.compactMap { state.rows[$0] }, state.routes) }
            for row in rows {
                var snapshot = row.snapshot(retryLimit: retries, directory: factory.directory, routes)
                if row.job.precedence != nil { snapshot = state.withLock { $0.completed(snapshot) } }
                if row.hours != nil { snapshot.figures = state.withLock { $0.completed(snapshot.figures) } }
                snapshots.append(snapshot)
            }
        }
        return snapshots
    }

    /// The current numbers of some rows; missing ids are left out.
    package func figures(of ids: [UInt64]) -> [RowFigures] {
        state.withLock { state in
            // Most runs have neither order nor hours, and a row's figures are large.
            let mayWait = !state.precedence.isEmpty || !state.hours.isEmpty
            return ids.compactMap { id in
                let figures = state.rows.figures(of: id, retryLimit: retries)
                return mayWait ? figures.map(state.completed) : figures
            }
        }
    }

    /// Where every row stands, in the order they were added.
    package var standings: [RowStanding] {
        state.withLock { $0.rows.standings(of: $0.order) }
    }

    /// Every row in the order they were added.
    package var allSnapshots: [RowSnapshot] { snapshots(of: state.withLock { Array($0.order) }) }

    /// The bytes of some rows without rates; rows that have ended are left out.
    func progress(of ids: [UInt64], withURLs: Bool) -> [TransferUpdate.Progress] {
        let sources = state.withLock { state in
            ids.map { id in
                (id: id, source: state.rows.source(of: id), url: withURLs ? state.rows.url(of: id) : nil)
            }
        }
        return sources.compactMap { id, source, url in
            guard let source else { return nil }
            let status = source.task?.status ?? source.last
            let figures = TransferEvent.Figures(
                received: status.received, sent: status.sent, expectedToReceive: status.expectedToReceive,
                expectedToSend: status.expectedToSend, resumedAt: status.resumedAt, connections: status.connections)
            return TransferUpdate.Progress(id: id, url: url, figures: figures)
        }
    }

    /// The local address and the peer of the connection that each response comes on.
    package func connections(of ids: [UInt64]) -> [UInt64: String] {
        let tasks = state.withLock { state in ids.map { (id: $0, task: state.rows.source(of: $0)?.task) } }
        var names: [UInt64: String] = [:]
        for (id, task) in tasks {
            // Before the response the figures are an earlier attempt's.
            guard let metrics = task?.metrics, metrics.firstByte > 0, !metrics.localAddress.isEmpty else { continue }
            names[id] = metrics.localAddress + " " + metrics.peer
        }
        return names
    }

    /// How many connections move the bodies of some rows; rows that have ended are left out.
    package func connectionCounts(of ids: [UInt64]) -> [UInt64: Int] {
        let counts = progress(of: ids, withURLs: false).map { ($0.id, $0.figures.connections) }
        return Dictionary(counts) { first, _ in first }
    }

    package func job(of id: UInt64) -> Job? { jobToBe(of: id).map(prepared) }

    /// The jobs of some rows, as they were requested; missing ids are left out.
    package func jobs(of ids: [UInt64]) -> [Job] {
        let jobs = state.withLock { state in ids.compactMap { state.jobToShow(of: $0) } }
        return jobs.map(prepared)
    }

    package func details(of id: UInt64) -> RowDetails? {
        let row = row(id)
        var details = row?.currentDetails()
        if let row, row.checksumFailure != nil {
            details?.keepsWrongFile = factory.target(of: row.job).setAsidePath(of: row.job.url) != nil
        }
        if isSaved, let job = row?.job, job.hidesSecrets {
            details?.secrets = secrets?.job(of: id) != nil ? DetailLines.secretsKept : DetailLines.secretsNotKept
        }
        details?.rates = state.withLock { $0.ownRates[id] }
        return details
    }

    /// The facts about a download's destination; blocks while the disk is read.
    package func destinationInfo(for job: Job) -> DestinationInfo {
        // A partial file is reported even when it will not be resumed.
        var target = factory.target(of: job)
        target.adoptsPart = true
        let existing = target.existing(url: job.url)
        let occupant: DestinationInfo.Occupant? =
            switch existing.occupant {
            case .file: .file
            // A device or a pipe is written to directly.
            case .obstacle: factory.specialPath(of: job) == nil ? .obstacle : nil
            case nil: nil
            }
        return DestinationInfo(
            occupant: occupant, numberedName: existing.numberedName, keptBytes: existing.keptBytes,
            isInProgress: state.withLock { $0.isInProgress(job) })
    }

    // MARK: - Summary

    /// The number of rows that are named; further ones are counted.
    private static let namedLimit = 5

    /// The closing summary: counts per result, failures with reasons, and what the next run resumes.
    ///
    /// Only complaints when there was nothing to do.
    func closing(_ results: [TransferResult], _ summary: RunSummary) -> [SafeText] {
        guard !results.isEmpty || summary.completed > 0 else { return complaints }
        return [summary.sentence] + failures(summary.failed) + remainders + complaints
    }

    private func failures(_ count: Int) -> [SafeText] {
        let rows = first { row in
            if case .failed = row.run.result { !row.run.isEarlier } else { false }
        }
        var lines = rows.map { row in "  " + ServiceLines.failed(row.name, row.error ?? ServiceLines.noReason) }
        if count > rows.count, !rows.isEmpty { lines.append("  " + ServiceLines.more(count - rows.count)) }
        return lines
    }

    /// The first rows with kept bytes.
    private var remainders: [SafeText] {
        let rows = first { row in
            switch row.run.result {
            case nil, .unfinished:
                row.job.kind == .download && row.status.resumability != .no && row.status.received > 0
            case .completed, .failed, .cancelled: false
            }
        }
        return rows.filter { $0.continuation != .no && $0.moved > 0 }.map { row in
            let percent = PercentText.percent(row.moved, of: row.expected) ?? SizeText.long(row.moved)
            return "  " + ServiceLines.kept(row.name, percent)
        }
    }

    /// The first started rows that satisfy a condition.
    private func first(where condition: (TransferRow) -> Bool) -> [RowSnapshot] {
        let ids = state.withLock { state in
            var ids: [UInt64] = []
            for id in state.order where state.rows.isTouched(id) && ids.count < Self.namedLimit {
                if state.rows[id].map(condition) == true { ids.append(id) }
            }
            return ids
        }
        return snapshots(of: ids)
    }
}
