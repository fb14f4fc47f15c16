/// The state of a job in the queue.
package enum JobState: String, Sendable, CaseIterable {
    /// Next: running, paused, cancelled.
    case waiting
    /// A worker holds it. Next: any other state.
    case running
    /// Next: waiting, cancelled.
    case paused
    /// Next: none.
    case done
    /// Its last attempt failed, or no attempt makes sense. Next: waiting, by `retry`.
    case dead
    /// Next: waiting, by `retry`.
    case cancelled
}
