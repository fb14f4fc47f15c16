public import FoundationNetworking

/// What a closure answers to a challenge.
///
/// What the original refuses at run time cannot be written here.
public enum ChallengeResponse: Sendable {
    /// What would happen without the closure: a server's trust goes to the security policy, anything else is not shown.
    case performDefault
    /// Accept the server; for a challenge of another kind the same as ``performDefault``.
    case trust
    /// Show these.
    case use(URLCredential)
    /// Try the next scheme the server offers.
    case rejectProtectionSpace
    /// End the task as cancelled.
    case cancel
    /// End the task with this error.
    case fail(any Error)
}
