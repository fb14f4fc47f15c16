import SessionSupport

/// Records the ends of rows in the history.
extension LocalService {
    /// Adds the end of a row's run to the history of a saved session, where it is before the end is told.
    ///
    /// A request that is repeated every few seconds would leave room for nothing else, and a skipped download is no
    /// transfer.
    func recordEnd(of row: TransferRow, _ what: TransferEvent.What) {
        guard let history, row.repeatInterval == nil, let end = Self.end(of: what) else { return }
        let routes = state.withLock(\.routes)
        let snapshot = row.snapshot(retryLimit: retries, directory: factory.directory, routes)
        let url = Redaction.url(row.job.url, userInfo: .removed)
        let reason = end.reason.map { SafeText(untrusted: $0.replacing(row.job.url, with: url)) }
        let job = row.job
        let isComplete = job.kind == .data && job.headers.isEmpty && job.body == .none && job.options.isEmpty
        let entry = HistoryEntry(
            endedAt: Timestamp.now().milliseconds / 1000, kind: row.job.kind, outcome: end.outcome,
            method: snapshot.method, name: snapshot.name, host: snapshot.host, url: SafeText(maskedURL: url),
            bytes: row.toldAtEnd, milliseconds: row.timeOfEnd, reason: reason,
            isComplete: isComplete ? true : nil)
        state.withLock { $0.removed.note(end.outcome == .cancelled ? entry : nil, of: row.id) }
        history.record(entry)
    }

    /// The ends over all runs, or why none can be read.
    func endedTasks() -> TransferAnswer {
        let history = history ?? earlierHistory
        let entries = history?.entries() ?? []
        guard entries.isEmpty, let problem = history?.problem ?? history?.damage else { return .history(entries) }
        return .failed(TransferFailure(kind: "storage", category: .disk, message: problem.string))
    }

    private static func end(of what: TransferEvent.What) -> (outcome: HistoryEntry.Outcome, reason: String?)? {
        switch what {
        case .completed(let completion): return completion.wasSkipped || completion.isUnchanged ? nil : (.done, nil)
        case .failed(let failure): return (.failed, failure.message)
        case .cancelled: return (.cancelled, nil)
        case .added, .started, .response, .progress, .paused, .resumed, .retrying, .restarted, .mirrorDropped,
            .mirrorSwitched, .notice:
            return nil
        }
    }
}
