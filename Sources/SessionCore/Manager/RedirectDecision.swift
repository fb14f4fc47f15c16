/// What a task's handler decides about a redirect.
public enum RedirectDecision: Sendable, Equatable {
    /// Leave it to the session manager.
    case useSession
    /// Follow it with this request.
    case follow(TransferRequest)
    /// Do not follow it: the redirect itself is the answer.
    case refuse
}
