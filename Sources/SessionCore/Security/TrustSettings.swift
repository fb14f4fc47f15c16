import CCurl
import Foundation
import SessionSupport

/// One manager's security policy and closures' revision, which the transport reads for each connection.
///
/// A class because manager and transport share it.
final class TrustSettings: Sendable {
    /// A policy other than the default.
    struct Custom: Sendable {
        let policy: SecurityPolicy
        /// Equal for equal policies and different for others.
        let poolKey: String
    }

    /// The checks of connections.
    struct Rules: Sendable {
        /// The policy that was set; nil for the default policy.
        var custom: Custom?
        /// Counts the changes of the closures: an answer counts only for the closure that gave it.
        var closures = 0

        /// Changes with policy or closures.
        var poolKey: String { "asked-\(closures)-" + (custom?.poolKey ?? "system") }
    }

    private struct State {
        var policy = SecurityPolicy.default
        var rules = Rules()
        var hosts = HostSecurityPolicies()
        /// The prepared policies of hosts; nil for the default one.
        var customs: [String: Custom?] = [:]
    }

    private let state = Locked(State())
    /// Distinguishes the closures of managers, also of other processes.
    private let identity = UInt64.random(in: .min ... .max)

    var policy: SecurityPolicy {
        get { state.withLock { $0.policy } }
        set {
            let custom = Self.custom(newValue)
            state.withLock { ($0.policy, $0.rules.custom) = (newValue, custom) }
        }
    }

    var hosts: HostSecurityPolicies {
        get { state.withLock { $0.hosts } }
        set {
            let customs = newValue.policies.mapValues(Self.custom)
            state.withLock { ($0.hosts, $0.customs) = (newValue, customs) }
        }
    }

    /// Returns the rules for a new connection to a host.
    func rules(for host: @autoclosure () -> String?) -> Rules {
        state.withLock { state in
            guard !state.customs.isEmpty, let host = host(), let name = state.hosts.pattern(for: host),
                let custom = state.customs[name]
            else { return state.rules }
            var rules = state.rules
            rules.custom = custom
            return rules
        }
    }

    /// Returns a text for the trust in a host that is equal for equal policies; nil for the system's trust.
    ///
    /// Closures cannot be compared, so that where they are asked it is this manager's alone.
    func cacheKey(for host: String?, asks: Bool) -> String? {
        let rules = rules(for: host)
        return asks ? "\(identity)-" + rules.poolKey : rules.custom?.poolKey
    }

    private static func custom(_ policy: SecurityPolicy) -> Custom? {
        policy == .default ? nil : Custom(policy: policy, poolKey: poolKey(of: policy))
    }

    /// Records a change of the closures, which invalidates the earlier closures' answers.
    ///
    /// Called after the change, so that no answer of an earlier closure counts for the new one.
    func closuresChanged() { state.withLock { $0.rules.closures += 1 } }

    private static func poolKey(of policy: SecurityPolicy) -> String {
        var text = "\(policy.pinningMode.rawValue)"
        text += policy.allowsInvalidCertificates ? "i" : "s"
        text += policy.validatesDomainName ? "n" : "a"
        let pins = policy.pinnedCertificates.map { ByteText.hexadecimal($0) }.sorted().joined(separator: ",")
        // Without a digest, the full text is the key.
        let digest = (try? Digest.of(pins.utf8, .sha256)).map { ByteText.hexadecimal($0) }
        return "policy-" + text + "-" + (digest ?? pins)
    }
}

/// The certificate authorities of the system or of files, read once for all connections of a session.
///
/// libcurl reads them for each connection, which costs thirty times as much as the handshake. A class because it owns a
/// C object. Confined to the transfer loop.
final class Authorities {
    let raw: OpaquePointer

    init(_ files: AuthorityFiles? = nil) throws(SessionError) {
        guard let raw = cc_authorities_create(files?.file, files?.folder) else {
            throw SessionError(.internal, EngineErrors.noTrustMemory)
        }
        self.raw = raw
    }

    deinit { cc_authorities_free(raw) }
}

@available(*, unavailable)
extension Authorities: Sendable {}
