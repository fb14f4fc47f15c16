/// A handler of one task, called before the session manager's closures (AFNetworking's per-task delegate).
///
/// Set it before the task is resumed. The task retains it until it has completed and then releases it. Every method is
/// called on the delegate queue and has a default that does nothing or what the session would do.
///
/// ```swift
/// final class Printer: TaskHandler {
///     func task(_ task: SessionTask, didReceive event: SessionTaskEvent) { print(event) }
/// }
/// task.handler = Printer()
/// ```
public protocol TaskHandler: AnyObject, Sendable {
    /// Called for every event of the task.
    func task(_ task: SessionTask, didReceive event: SessionTaskEvent)
    /// Called with a redirect, also with one that is refused unless allowed here (from https to http, or with a body to
    /// another origin); following allows it. Return ``RedirectDecision/useSession`` to leave it to the session manager.
    func task(_ task: SessionTask, willFollow request: TransferRequest, from head: ResponseHead) -> RedirectDecision
    /// Called with the final response's head; nil leaves the decision to the session manager.
    func task(_ task: SessionTask, dispositionFor head: ResponseHead) -> ResponseDisposition?
}

extension TaskHandler {
    /// Does nothing.
    public func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {}

    /// Leaves the decision to the session manager.
    public func task(_ task: SessionTask, willFollow request: TransferRequest, from head: ResponseHead)
        -> RedirectDecision
    { .useSession }

    /// Leaves the decision to the session manager.
    public func task(_ task: SessionTask, dispositionFor head: ResponseHead) -> ResponseDisposition? { nil }
}

/// The decision of a task's handler about a redirect.
///
/// ```swift
/// final class NoRedirects: TaskHandler {
///     func task(_ task: SessionTask, willFollow request: TransferRequest, from head: ResponseHead) -> RedirectDecision {
///         .refuse
///     }
/// }
/// task.handler = NoRedirects()
/// ```
public enum RedirectDecision: Sendable, Equatable {
    /// Leave it to the session manager.
    case useSession
    /// Follow it with this request.
    case follow(TransferRequest)
    /// Do not follow it: the redirect itself is the response.
    case refuse
}

/// An event of a task, as ``SessionHandlers/onTaskEvent`` and ``TaskHandler`` receive it: in order, on the delegate
/// queue.
///
/// ```swift
/// for await event in task.events {
///     if case .retrying(let attempt, _, let reason) = event { print("attempt \(attempt) failed: \(reason)") }
/// }
/// ```
public enum SessionTaskEvent: Sendable {
    /// The task moved to running from another state.
    case resumed
    /// The task moved to suspended from another state.
    case suspended
    /// The final response's head arrived.
    case response(ResponseHead)
    /// Bytes were discarded and the transfer starts again from zero; the reason is a sentence.
    case restarted(reason: String)
    /// An attempt failed and another follows.
    case retrying(attempt: Int, afterMilliseconds: Int64, reason: String)
    /// A source of a download that has several was dropped, or replaced the first.
    case source(SourceEvent)
    /// A download resumes at an offset.
    case resumedAtOffset(Int64, expectedTotal: Int64?)
    /// A chunk of a streamed body.
    case data([UInt8])
    /// The counts or the phase changed; at most once per task and drain of the delegate queue.
    case status(TaskStatus)
    /// A finished download was moved to the URL its destination closure returned.
    case moved(path: String)
    /// Moving a finished download failed; the task completes with the error.
    case moveFailed(SessionError)
    /// The task ended; nothing follows.
    case completed(TaskCompletion)
}
