import CCurl
import Foundation
import SessionSupport

/// The security policy of one manager, and which of its closures are asked, where the transport can read it whenever it
/// connects.
///
/// A class because manager and transport share it.
final class TrustSettings: Sendable {
    /// A policy that is not the default one.
    struct Custom: Sendable {
        let policy: SecurityPolicy
        /// Differs from that of every other policy, and is the same for the same one.
        let poolKey: String
    }

    /// What connections have to be checked against.
    struct Rules: Sendable {
        /// Nil for the default policy.
        var custom: Custom?
        /// Counts how often the closures were exchanged: an answer is that of the closure which gave it.
        var closures = 0

        /// Differs when policy or closures do.
        var poolKey: String { "asked-\(closures)-" + (custom?.poolKey ?? "system") }
    }

    private struct State {
        var policy = SecurityPolicy.default
        var rules = Rules()
        var hosts = HostSecurityPolicies()
        /// What the policies of hosts are for connections; nil for the default one.
        var customs: [String: Custom?] = [:]
    }

    private let state = Locked(State())

    var policy: SecurityPolicy {
        get { state.withLock { $0.policy } }
        set {
            let custom = Self.custom(newValue)
            state.withLock { ($0.policy, $0.rules.custom) = (newValue, custom) }
        }
    }

    /// The policies of single hosts.
    var hosts: HostSecurityPolicies {
        get { state.withLock { $0.hosts } }
        set {
            let customs = newValue.policies.mapValues(Self.custom)
            state.withLock { ($0.hosts, $0.customs) = (newValue, customs) }
        }
    }

    /// What counts for a connection to a host made now.
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

    private static func custom(_ policy: SecurityPolicy) -> Custom? {
        policy == .default ? nil : Custom(policy: policy, poolKey: poolKey(of: policy))
    }

    /// Records that the closures have changed: what the earlier ones have said does not count any more.
    ///
    /// Called after the exchange, so that no answer of an earlier one is kept as the new one's.
    func closuresChanged() { state.withLock { $0.rules.closures += 1 } }

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

/// Whom the system trusts, or whom files name, read once for all connections of a session.
///
/// libcurl reads all of them for each connection, which costs thirty times as much as the handshake. A class because it
/// owns a C object. Confined to the transfer loop.
final class Authorities {
    let raw: OpaquePointer

    /// The system's authorities, or those of files.
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
