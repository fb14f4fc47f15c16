/// What the engine does about a challenge.
enum EngineChallengeAnswer: Sendable, Equatable {
    /// What it would do unasked: the security policy for a server's trust, no credentials otherwise.
    case performDefault
    /// Accept the server although the system may not.
    case acceptTrust
    case useCredentials(user: String, password: String)
    /// Give up this scheme and try the next one the server offers.
    case rejectProtectionSpace
    /// End the transfer as cancelled.
    case cancel
}
