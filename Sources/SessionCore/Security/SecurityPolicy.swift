public import Foundation

/// How servers have to prove who they are.
///
/// A value that a session manager holds; the transport reads it when it connects. The default is the system's trust with
/// the host's name checked and nothing pinned.
public struct SecurityPolicy: Sendable, Equatable, Codable {
    /// What is compared with the pins.
    public enum PinningMode: Int, Sendable, Codable, CaseIterable {
        /// Nothing: the system's trust decides.
        case none = 0
        /// The public key of any certificate of the chain.
        case publicKey = 1
        /// Any certificate of the chain.
        case certificate = 2
    }

    /// What is compared with the pins.
    public var pinningMode: PinningMode
    /// The pins, DER-encoded.
    public var pinnedCertificates: Set<Data>
    /// Whether a chain the system does not trust is accepted when a pin matches.
    public var allowsInvalidCertificates = false
    /// Whether the certificate has to name the host.
    ///
    /// Independent of pinning.
    public var validatesDomainName = true

    /// A strict policy, without pins unless some are given.
    public init(pinningMode: PinningMode = .none, pinnedCertificates: Set<Data> = []) {
        self.pinningMode = pinningMode
        self.pinnedCertificates = pinnedCertificates
    }

    /// The strict policy without pins.
    public static var `default`: SecurityPolicy { SecurityPolicy() }
}
