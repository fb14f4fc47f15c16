/// What a caller decided about one server's certificate, for one transfer.
enum TrustVerdict: Sendable, Equatable {
    /// The server is accepted as long as it shows this public key.
    case key([UInt8])
    /// The security policy decides.
    case policy
}
