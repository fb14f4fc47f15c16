/// A task's public life cycle as a pure value: turns requests into actions.
///
/// Every decision that changes the engine's work draws a new revision, so that the engine can order decisions that
/// overtake each other.
struct TaskLifecycle: Sendable {
    /// The action a resume requires.
    enum ResumeAction: Sendable, Equatable {
        case none
        /// Adds the task, which the engine does not know yet.
        case start(revision: UInt64)
        case proceed(revision: UInt64)
    }

    /// The action a suspend requires.
    enum SuspendAction: Sendable, Equatable {
        case none
        case hold(revision: UInt64)
    }

    /// The action a cancel requires.
    enum CancelAction: Sendable, Equatable {
        case none
        /// Lets the session end the task, which the engine does not know.
        case endUnstarted
        case stop(revision: UInt64)
    }

    /// Suspended at first.
    ///
    /// Any state may move to canceling or completed; completed is final.
    private(set) var state: SessionTask.State = .suspended
    /// Whether the task was submitted to the engine.
    private(set) var isStarted = false
    private(set) var revision: UInt64 = 0

    mutating func resume() -> ResumeAction {
        guard state == .suspended else { return .none }
        state = .running
        revision += 1
        if isStarted { return .proceed(revision: revision) }
        isStarted = true
        return .start(revision: revision)
    }

    mutating func suspend() -> SuspendAction {
        guard state == .running else { return .none }
        state = .suspended
        revision += 1
        return .hold(revision: revision)
    }

    mutating func cancel() -> CancelAction {
        switch state {
        case .canceling, .completed:
            return .none
        case .running, .suspended:
            state = .canceling
            revision += 1
            return isStarted ? .stop(revision: revision) : .endUnstarted
        }
    }

    /// Draws a revision to change whether a cancelled task's partial file is kept; nil if it is too late.
    mutating func reviseCancellation() -> UInt64? {
        guard state == .canceling, isStarted else { return nil }
        revision += 1
        return revision
    }

    /// Returns true exactly once, at the task's end.
    mutating func complete() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
