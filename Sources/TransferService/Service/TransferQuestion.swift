/// A question about transfers: a value, so that it can be asked of a service in another process.
///
/// Each is answered by the case of ``TransferAnswer`` with its name.
package enum TransferQuestion: Sendable, Equatable, Codable {
    /// The transfers that have not ended.
    case counts
    /// The run so far, in figures.
    case summary
    /// The rows behind an id, in the order in which they were added, at most so many; from the first on without one.
    case page(after: UInt64?, limit: Int)
    /// Some rows as they are now; ids that are gone are left out.
    case rows([UInt64])
    /// The numbers of some rows as they are now; ids that are gone are left out.
    case figures([UInt64])
    /// The texts and figures that the details of a row show.
    case details(UInt64)
    /// The names of the connections on which the answers of some rows come; rows that share one have the same.
    case connections([UInt64])
    /// The jobs of some rows, as they were asked for; their paths mean the same in every folder.
    case jobs([UInt64])
    /// The path of a row's file, as far as one can tell.
    case path(UInt64)
    /// The facts about the place where a download would go; reads a disk.
    case destination(Job)
    /// The parts in the folders of the run and its rows that nothing owns any more; reads a disk.
    case leftovers
}

/// The answer to a ``TransferQuestion``; values are copies of the moment.
package enum TransferAnswer: Sendable, Equatable, Codable {
    case counts(RunCounts)
    case summary(RunSummary)
    case rows([RowSnapshot])
    case figures([RowFigures])
    /// Nil for a row that is gone.
    case details(RowDetails?)
    case connections([UInt64: String])
    case jobs([Job])
    /// Nil for a row without a file.
    case path(String?)
    case destination(DestinationFacts)
    case leftovers([LeftoverLine])
    /// The question cannot be answered, and why.
    case failed(TransferFailure)
}

/// The transfers that have not ended.
package struct RunCounts: Sendable, Equatable, Codable {
    /// Their number.
    package var live = 0
    /// The number of those that are not paused with no one to resume them.
    package var pending = 0
    /// Whether there is none but those that have been paused since an earlier run.
    package var isIdle = true
}

/// The questions with the types of their answers.
extension TransferService {
    /// The transfers that have not ended.
    package var counts: RunCounts {
        if case .counts(let counts) = answer(.counts) { counts } else { RunCounts() }
    }

    /// The run so far, in figures.
    package var summary: RunSummary {
        if case .summary(let summary) = answer(.summary) { return summary }
        return RunSummary(results: [], bytes: 0, seconds: 0)
    }

    /// Every row, in the order in which they were added.
    package var allSnapshots: [RowSnapshot] {
        if case .rows(let rows) = answer(.page(after: nil, limit: .max)) { rows } else { [] }
    }

    /// The rows of some ids as they are now; ids that are gone are left out.
    package func snapshots(of ids: [UInt64]) -> [RowSnapshot] {
        if case .rows(let rows) = answer(.rows(ids)) { rows } else { [] }
    }

    /// The numbers of some rows as they are now; ids that are gone are left out.
    package func figures(of ids: [UInt64]) -> [RowFigures] {
        if case .figures(let rows) = answer(.figures(ids)) { rows } else { [] }
    }

    /// The texts and figures that the details of a row show; nil for one that is gone.
    package func details(of id: UInt64) -> RowDetails? {
        if case .details(let details) = answer(.details(id)) { details } else { nil }
    }

    /// The names of the connections on which the answers of some rows come.
    package func connections(of ids: [UInt64]) -> [UInt64: String] {
        if case .connections(let names) = answer(.connections(ids)) { names } else { [:] }
    }

    /// The jobs of some rows, as they were asked for.
    package func jobs(of ids: [UInt64]) -> [Job] {
        if case .jobs(let jobs) = answer(.jobs(ids)) { jobs } else { [] }
    }

    /// The path of a row's file, as far as one can tell; nil where it has none.
    package func path(of id: UInt64) -> String? {
        if case .path(let path) = answer(.path(id)) { path } else { nil }
    }

    /// The facts about the place where a download would go.
    package func destinationFacts(for job: Job) -> DestinationFacts {
        if case .destination(let facts) = answer(.destination(job)) { facts } else { DestinationFacts() }
    }

    /// The parts in the folders of the run and its rows that nothing owns any more.
    package func leftovers() -> Result<[LeftoverLine], TransferFailure> {
        switch answer(.leftovers) {
        case .leftovers(let parts): .success(parts)
        case .failed(let failure): .failure(failure)
        default: .success([])
        }
    }
}
