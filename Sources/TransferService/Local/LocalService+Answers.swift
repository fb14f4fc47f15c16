import SessionSupport

/// Answers questions that arrive as values.
extension LocalService {
    package func answer(_ question: TransferQuestion) -> TransferAnswer {
        switch question {
        case .counts: .counts(counts)
        case .summary: .summary(summary)
        case .page(let id, let limit): .rows(snapshots(of: state.withLock { $0.listed(after: id, limit: limit) }))
        case .ids: .ids(state.withLock { Array($0.order) })
        case .rows(let ids): .rows(snapshots(of: ids))
        case .figures(let ids): .figures(figures(of: ids))
        case .details(let id): .details(details(of: id))
        case .connections(let ids): .connections(connections(of: ids))
        case .connectionCounts(let ids): .connectionCounts(connectionCounts(of: ids))
        case .matching:
            .failed(TransferFailure(kind: "notSelecting", category: .ordinary, message: ServiceErrors.notSelecting))
        case .jobs(let ids): .jobs(jobs(of: ids))
        case .path(let id): .path(path(of: id))
        case .destination(let job): .destination(destinationInfo(for: job))
        case .leftovers:
            switch leftovers() {
            case .success(let parts): .leftovers(parts)
            case .failure(let failure): .failed(failure)
            }
        case .unsaved: .unsaved(unsavedAfterWriting())
        case .history: endedTasks()
        }
    }

    package var counts: RunCounts {
        state.withLock { state in
            RunCounts(live: state.liveCount, pending: state.liveCount - state.parked.count, isIdle: state.isIdle)
        }
    }
}
