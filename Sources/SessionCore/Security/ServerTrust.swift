public import Foundation

/// The chain a server showed.
public struct ServerTrust: Sendable, Equatable {
    /// The host that was asked for.
    public var host: String
    /// The chain in DER, the server's own certificate first: up to the authority where the system trusts it, else as
    /// the server sent it.
    public var certificates: [Data]
    /// Whether the chain leads to an authority that the system trusts and is valid now, whatever host it names.
    public var isTrustedBySystem: Bool
    /// Whether the server's own certificate names the host.
    public var namesHost: Bool

    /// A chain from its parts.
    public init(host: String, certificates: [Data], isTrustedBySystem: Bool, namesHost: Bool = true) {
        self.host = host
        self.certificates = certificates
        self.isTrustedBySystem = isTrustedBySystem
        self.namesHost = namesHost
    }
}
