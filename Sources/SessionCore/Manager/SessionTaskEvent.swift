/// What happens to a task, as ``SessionHandlers/onTaskEvent`` and ``TaskHandler`` see it: in order, on the delegate queue.
public enum SessionTaskEvent: Sendable {
    /// The task moved to running from another state.
    case resumed
    /// The task moved to suspended from another state.
    case suspended
    /// The final response's head arrived.
    case response(ResponseHead)
    /// Bytes were given up and the transfer starts again from zero; the reason is a sentence.
    case restarted(reason: String)
    /// An attempt failed and another follows.
    case retrying(attempt: Int, afterMilliseconds: Int64, reason: String)
    /// A download goes on at an offset.
    case resumedAtOffset(Int64, expectedTotal: Int64?)
    /// A chunk of a streamed body.
    case data([UInt8])
    /// The counts or the phase changed; at most once per task and drain of the delegate queue.
    case status(TaskStatus)
    /// A finished download was moved to where its destination closure asked for.
    case moved(path: String)
    /// Moving a finished download failed; the task completes with the error.
    case moveFailed(SessionError)
    /// The task ended; nothing follows.
    case completed(TaskCompletion)
}
