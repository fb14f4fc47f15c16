/// What a caller decided about the chain that a server showed.
enum TrustVerdict: Sendable, Equatable {
    /// The server is accepted, whatever is wrong with the chain.
    case accepted
    /// The security policy decides.
    case policy
}
