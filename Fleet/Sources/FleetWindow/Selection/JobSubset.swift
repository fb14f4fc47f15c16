internal import FleetQueue
internal import TransferService

/// Jobs that an index has in the order wanted: of one state, by its name in the condition, because a condition on a state
/// that the planner does not know cannot use an index of some states.
struct JobSubset: Sendable, Equatable {
    /// A condition on `netdash.job j`.
    let condition: String
    let state: JobState
    /// Whether nothing is known of these jobs' bytes, so that all are equal by size and progress.
    var isUnmeasured = false

    /// The subsets of some states of the dashboard, or of all; the waiting ones in two where bytes decide.
    static func subsets(of states: [RowState]?, byBytes: Bool = false) -> [JobSubset] {
        let wanted = Set((states ?? RowState.allCases).compactMap(\.queueState))
        return JobState.allCases.filter { wanted.contains($0) }.flatMap { state in
            let condition = "j.state = '\(state.rawValue)'"
            guard byBytes, state == .waiting else { return [JobSubset(condition: condition, state: state)] }
            let isMeasured = JobMeasures.isMeasured("j.")
            return [
                JobSubset(condition: "\(condition) AND \(isMeasured)", state: state),
                JobSubset(condition: "\(condition) AND \(isMeasured) IS NOT TRUE", state: state, isUnmeasured: true),
            ]
        }
    }

    /// The order of an index by size or progress within the subset: then by id in the same direction.
    func order(by order: RowRequest.Order) -> String {
        let id = "j.id" + (order.isInverted ? " DESC" : "")
        let isEqual = isUnmeasured || (order.column == .progress && state == .done)
        return isEqual ? id : SelectionPage.expression(order) + ", " + id
    }
}

extension RowState {
    /// The queue's state of such rows; nil where it has none.
    var queueState: JobState? {
        switch self {
        case .running, .pausing: .running
        case .retrying, .queued: .waiting
        case .paused: .paused
        case .failed: .dead
        case .done: .done
        case .cancelled: .cancelled
        case .verifying, .saving: nil
        }
    }
}
