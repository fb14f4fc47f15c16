public import Foundation

/// The chain a server showed.
public struct ServerTrust: Sendable, Equatable {
    /// The host that was asked for.
    public var host: String
    /// The chain in DER, the server's own certificate first.
    public var certificates: [Data]
    /// Whether the system's trust accepts the chain for the host.
    public var isTrustedBySystem: Bool

    /// A chain from its parts.
    public init(host: String, certificates: [Data], isTrustedBySystem: Bool) {
        self.host = host
        self.certificates = certificates
        self.isTrustedBySystem = isTrustedBySystem
    }
}
