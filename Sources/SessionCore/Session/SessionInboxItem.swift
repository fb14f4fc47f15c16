/// What waits for the delegate queue.
enum SessionInboxItem: Sendable {
    /// A batch from the engine.
    case engine([EngineEvent])
    /// A task has transitions to announce.
    case transitions(SessionTask)
    /// A task ended without the engine.
    indirect case unstarted(SessionTask, TransferOutcome)
    /// A task's body was serialized.
    indirect case serialized(SessionTask, TaskCompletion)
    /// A task's end is in the session's store.
    indirect case recorded(SessionTask, TaskCompletion)
}
