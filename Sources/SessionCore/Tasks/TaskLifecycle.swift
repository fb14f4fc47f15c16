/// The public life of a task as a pure value: what was asked, and what has to be done about it.
///
/// Every decision that changes what the engine should do draws a new revision, so that decisions that overtake each
/// other on their way to the engine can be told apart.
struct TaskLifecycle: Sendable {
    /// What a resume asks for.
    enum ResumeAction: Sendable, Equatable {
        case none
        /// The engine has never heard of the task: add it.
        case start(revision: UInt64)
        case proceed(revision: UInt64)
    }

    /// What a suspend asks for.
    enum SuspendAction: Sendable, Equatable {
        case none
        case hold(revision: UInt64)
    }

    /// What a cancel asks for.
    enum CancelAction: Sendable, Equatable {
        case none
        /// The engine has never heard of the task, so the session ends it.
        case endUnstarted
        case stop(revision: UInt64)
    }

    /// Suspended at first.
    ///
    /// Any state may move to canceling or completed; completed is final.
    private(set) var state: SessionTask.State = .suspended
    /// Whether the engine was told about the task.
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

    /// Draws a revision for a change of mind about the part of a task that is being cancelled; nil when it is too late.
    mutating func reviseCancellation() -> UInt64? {
        guard state == .canceling, isStarted else { return nil }
        revision += 1
        return revision
    }

    /// Tells whether this is the task's end: true exactly once.
    mutating func complete() -> Bool {
        guard state != .completed else { return false }
        state = .completed
        return true
    }
}
