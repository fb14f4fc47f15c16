/// What one task tells its own handler, before the session manager's closures (the original's per-task delegate).
///
/// Set it before the task is resumed. The task keeps it strongly until it has completed and then lets go. Everything is
/// called on the delegate queue, and every method has a default that does nothing or what the session would do.
public protocol TaskHandler: AnyObject, Sendable {
    /// Called for everything that happens to the task.
    func task(_ task: SessionTask, didReceive event: SessionTaskEvent)
    /// Called with a redirect, also with one that is refused unless somebody allows it (from https to http, or with a body to
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
