/// What waits for the delegate queue.
enum SessionInboxItem: Sendable {
    /// A batch from the engine.
    case engine([EngineEvent])
    /// A task has transitions to announce.
    case transitions(SessionTask)
    /// A task ended without the engine.
    case unstarted(SessionTask, SharedValue<TransferOutcome>)
    /// A task's body was serialized.
    case serialized(SessionTask, TaskCompletion)
    /// A task's end is in the session's store.
    case recorded(SessionTask, TaskCompletion)
}
