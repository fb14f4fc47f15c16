import SessionSupport

/// Records the ends of rows in the history.
extension LocalService {
    /// Adds the end of a row's run to the history of a saved session, where it is before the end is told.
    ///
    /// A request that is repeated every few seconds would leave room for nothing else, and a skipped download is no
    /// transfer.
    func recordEnd(_ id: UInt64, _ what: TransferEvent.What) {
        guard let history, let row = row(id), row.repeatInterval == nil, !(what.isCancellation && resumesAtEnd(id)),
            let end = Self.end(of: row, what), let snapshot = snapshots(of: [id]).first
        else { return }
        let url = Redaction.url(row.job.url, userInfo: .removed)
        let reason = end.reason.map { SafeText(untrusted: $0.replacing(row.job.url, with: url)) }
        // The time of the earlier runs is not known.
        let span =
            row.run.untoldFrom != nil ? nil : row.run.startedAt.flatMap { start in row.run.endedAt.map { $0 - start } }
        let job = row.job
        let isComplete = job.kind == .data && job.headers.isEmpty && job.body == .none && job.options.isEmpty
        let entry = HistoryEntry(
            endedAt: Timestamp.now().milliseconds / 1000, kind: row.job.kind, outcome: end.outcome,
            method: snapshot.method, name: snapshot.name, host: snapshot.host, url: SafeText(maskedURL: url),
            bytes: end.bytes, milliseconds: span, reason: reason,
            isComplete: isComplete ? true : nil)
        state.withLock { state in
            state.rows.slot(of: id)?.row.run.hasEntry = true
            if what.isCancellation { state.removed.note(entry, of: id) }
        }
        history.record(entry)
    }

    /// Whether a row that is being cancelled goes on after that, so that it has no end.
    private func resumesAtEnd(_ id: UInt64) -> Bool {
        state.withLock { state in
            if case .resumes = state.successions[id] { true } else { false }
        }
    }

    /// The ends over all runs, or why none can be read.
    func endedTasks() -> TransferAnswer {
        let history = history ?? earlierHistory
        let entries = history?.entries() ?? []
        guard entries.isEmpty, let problem = history?.problem ?? history?.damage else { return .history(entries) }
        return .failed(TransferFailure(kind: "storage", category: .disk, message: problem.string))
    }

    private static func end(
        of row: TransferRow, _ what: TransferEvent.What
    ) -> (outcome: HistoryEntry.Outcome, bytes: Int64, reason: String?)? {
        let run = row.run
        // A file that had to begin again has none of the earlier bytes.
        let untoldFrom = run.untoldFrom.map { run.beganAt < 0 ? $0 : min($0, run.beganAt) }
        // A run that got no byte has none of the bytes that it found.
        let beganAt = run.beganAt >= 0 ? run.beganAt : max(run.toldBefore, run.lastStatus.resumedAt)
        let moved = run.wasStarted || untoldFrom != nil ? max(row.moved - (untoldFrom ?? beganAt), 0) : 0
        switch what {
        case .completed(let completion):
            if completion.wasSkipped || completion.isUnchanged { return nil }
            return (.done, max(completion.bytes - (untoldFrom ?? completion.earlierBytes ?? 0), 0), nil)
        case .failed(let failure): return (.failed, moved, failure.message)
        case .cancelled: return (.cancelled, moved, nil)
        case .added, .started, .response, .progress, .paused, .resumed, .retrying, .restarted, .mirrorDropped,
            .mirrorSwitched, .notice:
            return nil
        }
    }
}

extension TransferEvent.What {
    fileprivate var isCancellation: Bool { if case .cancelled = self { true } else { false } }
}
