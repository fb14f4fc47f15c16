/// A question about transfers that a service in another process can answer too.
///
/// The case of ``TransferAnswer`` with the same name answers it.
package enum TransferQuestion: Sendable, Equatable, Codable {
    case counts
    case summary
    /// At most `limit` rows after an id, in the order they were added; from the first row on without an id.
    case page(after: UInt64?, limit: Int)
    /// The ids of all rows, in the order they were added.
    case ids
    /// The first rows of a selection, and the counts of all; only of a service that says so when a client connects.
    case matching(RowRequest)
    /// The current rows of some ids; missing ids are left out.
    case rows([UInt64])
    /// The current numbers of some rows; missing ids are left out.
    case figures([UInt64])
    case details(UInt64)
    /// The local address and the peer of the connection that each response comes on; rows that share one get the same
    /// name.
    case connections([UInt64])
    /// How many connections move the bodies of some rows; rows that have ended are left out.
    case connectionCounts([UInt64])
    /// The jobs of some rows, as they were requested, with absolute paths.
    case jobs([UInt64])
    /// The path of a row's file, as far as it is known.
    case path(UInt64)
    /// The facts about a download's destination; reads a disk.
    case destination(Job)
    /// The partial files without an owner in the folders of the run and its rows; reads a disk.
    case leftovers
    /// Why the latest changes are not in the saved session; waits for a disk.
    case unsaved
    /// The latest ends of transfers over all runs; waits for a disk.
    case history
}

/// The answer to a ``TransferQuestion``; values are copies of the moment.
package enum TransferAnswer: Sendable, Equatable, Codable {
    case counts(RunCounts)
    case summary(RunSummary)
    case ids([UInt64])
    case rows([RowSnapshot])
    case matching(RowMatches)
    case figures([RowFigures])
    /// The details of a row; nil for a missing row.
    case details(RowDetails?)
    case connections([UInt64: String])
    case connectionCounts([UInt64: Int])
    case jobs([Job])
    /// The path of a row's file; nil without one.
    case path(String?)
    case destination(DestinationInfo)
    case leftovers([LeftoverLine])
    /// The reason why changes are not saved; nil where they are, and where the session is not saved at all.
    case unsaved(SafeText?)
    /// Newest first; empty where the session is not saved.
    case history([HistoryEntry])
    /// The question cannot be answered, and why.
    case failed(TransferFailure)
}

/// The transfers that have not ended.
package struct RunCounts: Sendable, Equatable, Codable {
    package var live = 0
    /// The number of unfinished transfers, without paused ones that no user can resume.
    package var pending = 0
    /// Whether none is left but transfers paused since an earlier run.
    package var isIdle = true

    package init(live: Int = 0, pending: Int = 0, isIdle: Bool = true) {
        (self.live, self.pending, self.isIdle) = (live, pending, isIdle)
    }
}

/// Typed answers to the questions.
extension TransferService {
    package var counts: RunCounts {
        if case .counts(let counts) = answer(.counts) { counts } else { RunCounts() }
    }

    package var summary: RunSummary {
        if case .summary(let summary) = answer(.summary) { return summary }
        return RunSummary(results: [], moved: MovedBytes(), seconds: 0)
    }

    /// In the order they were added.
    package var allSnapshots: [RowSnapshot] {
        if case .rows(let rows) = answer(.page(after: nil, limit: .max)) { rows } else { [] }
    }

    /// The current rows of some ids; missing ids are left out.
    package func snapshots(of ids: [UInt64]) -> [RowSnapshot] {
        if case .rows(let rows) = answer(.rows(ids)) { rows } else { [] }
    }

    /// The current numbers of some rows; missing ids are left out.
    package func figures(of ids: [UInt64]) -> [RowFigures] {
        if case .figures(let rows) = answer(.figures(ids)) { rows } else { [] }
    }

    /// The first rows of a selection, and the counts of all.
    package func matches(_ selection: RowRequest) -> Result<RowMatches, TransferFailure> {
        switch answer(.matching(selection)) {
        case .matching(let matches): .success(matches)
        case .failed(let failure): .failure(failure)
        default: .success(RowMatches(rows: [], totals: RowTotals()))
        }
    }

    /// The details of a row; nil for a missing row.
    package func details(of id: UInt64) -> RowDetails? {
        if case .details(let details) = answer(.details(id)) { details } else { nil }
    }

    /// The names of the connections that responses come on.
    package func connections(of ids: [UInt64]) -> [UInt64: String] {
        if case .connections(let names) = answer(.connections(ids)) { names } else { [:] }
    }

    /// How many connections move the bodies of some rows.
    package func connectionCounts(of ids: [UInt64]) -> [UInt64: Int] {
        if case .connectionCounts(let counts) = answer(.connectionCounts(ids)) { counts } else { [:] }
    }

    /// The jobs of some rows, as they were requested.
    package func jobs(of ids: [UInt64]) -> [Job] {
        if case .jobs(let jobs) = answer(.jobs(ids)) { jobs } else { [] }
    }

    /// The path of a row's file, as far as it is known; nil without one.
    package func path(of id: UInt64) -> String? {
        if case .path(let path) = answer(.path(id)) { path } else { nil }
    }

    package func destinationInfo(for job: Job) -> DestinationInfo {
        if case .destination(let info) = answer(.destination(job)) { info } else { DestinationInfo() }
    }

    /// Waits until every earlier change is in the saved session; returns why one is not, nil where all are.
    package func unsaved() -> SafeText? {
        if case .unsaved(let sentence) = answer(.unsaved) { sentence } else { nil }
    }

    /// The latest ends of transfers over all runs, newest first.
    package func history() -> Result<[HistoryEntry], TransferFailure> {
        switch answer(.history) {
        case .history(let entries): .success(entries)
        case .failed(let failure): .failure(failure)
        default: .success([])
        }
    }

    /// The partial files without an owner in the folders of the run and its rows.
    package func leftovers() -> Result<[LeftoverLine], TransferFailure> {
        switch answer(.leftovers) {
        case .leftovers(let parts): .success(parts)
        case .failed(let failure): .failure(failure)
        default: .success([])
        }
    }
}
