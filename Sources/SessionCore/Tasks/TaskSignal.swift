/// What the session tells a task's delegate, on the delegate queue, in order; ``finished(_:)`` is the last.
enum TaskSignal: Sendable {
    case transition(TaskTransition)
    case status(TaskStatus)
    case response(ResponseHead, awaitsDisposition: Bool)
    case redirect(ResponseHead, to: TransferRequest, needsConsent: Bool)
    case challenge(EngineChallenge, reply: @Sendable (EngineChallengeAnswer) -> Void)
    case needsBody(reply: @Sendable (BodySpecification?) -> Void)
    case data([UInt8])
    case resumedAtOffset(Int64, expectedTotal: Int64?)
    case restarted(reason: String)
    case retrying(attempt: Int, afterMilliseconds: Int64, reason: String)
    case finished(SharedValue<TransferOutcome>)
    /// The body was serialized on another queue; follows ``finished(_:)``.
    case serialized(TaskCompletion)
    /// The task's end is in the session's store.
    case recorded(TaskCompletion)
}
