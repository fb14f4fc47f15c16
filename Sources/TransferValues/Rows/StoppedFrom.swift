/// The state of a row before it was stopped for a change of its file.
package enum StoppedFrom: Sendable, Codable {
    /// It had ended on its own.
    case ended
    case paused
    /// It ran or was queued.
    case running

    package init(_ state: RowState) {
        self = state.isFinal ? .ended : state.isPaused ? .paused : .running
    }
}
