import Foundation

/// The security policy of one manager, where the transport can read it whenever it connects.
///
/// A class because manager and transport share it.
final class TrustSettings: Sendable {
    /// A policy that is not the default one.
    struct Custom: Sendable {
        let policy: SecurityPolicy
        /// Differs from that of every other policy, and is the same for the same one.
        let poolKey: String
    }

    private struct State {
        var policy = SecurityPolicy.default
        var custom: Custom?
    }

    private let state = Locked(State())

    var policy: SecurityPolicy {
        get { state.withLock { $0.policy } }
        set {
            let custom = newValue == .default ? nil : Custom(policy: newValue, poolKey: Self.poolKey(of: newValue))
            state.withLock { $0 = State(policy: newValue, custom: custom) }
        }
    }

    /// What connections have to be checked against beyond libcurl's own rules; nil for the default policy.
    var current: Custom? { state.withLock { $0.custom } }

    private static func poolKey(of policy: SecurityPolicy) -> String {
        var text = "\(policy.pinningMode.rawValue)"
        text += policy.allowsInvalidCertificates ? "i" : "s"
        text += policy.validatesDomainName ? "n" : "a"
        let pins = policy.pinnedCertificates.map { ByteText.hexadecimal($0) }.sorted().joined(separator: ",")
        // Without the digest the whole text does the same, only longer.
        let digest = (try? Digest.of(pins.utf8, .sha256)).map { ByteText.hexadecimal($0) }
        return "policy-" + text + "-" + (digest ?? pins)
    }
}
