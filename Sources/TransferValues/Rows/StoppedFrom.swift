/// What a row did before it was stopped so that something could be done with its file.
package enum StoppedFrom: Sendable, Codable {
    /// It had ended by itself.
    case ended
    case paused
    /// It ran or waited for its turn.
    case running

    package init(_ state: RowState) {
        self = state.isFinal ? .ended : state.isPaused ? .paused : .running
    }
}
