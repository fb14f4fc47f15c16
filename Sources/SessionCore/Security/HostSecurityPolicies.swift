/// The security policies of single hosts, by their names.
///
/// A name is a host's own, or `*.` and a domain for every host below it, though not for the domain itself. Of several that
/// fit, the host's own counts, then the longest domain: `["api.example.org": pinned, "*.internal.example": private]`.
///
/// ```swift
/// manager.hostSecurityPolicies = ["*.example.org": try SecurityPolicy(pinningMode: .publicKey)]
/// ```
public struct HostSecurityPolicies: Sendable, Equatable, Codable, ExpressibleByDictionaryLiteral {
    /// The policies by their names, in lower case and without a dot at the end.
    package private(set) var policies: [String: SecurityPolicy] = [:]

    /// No host has a policy of its own.
    package init() {}

    /// Policies by names; of two that are the same name the last one counts.
    public init(dictionaryLiteral elements: (String, SecurityPolicy)...) {
        for (name, policy) in elements { self[name] = policy }
    }

    /// The policy of a name; nil for none of its own.
    public subscript(name: String) -> SecurityPolicy? {
        get { policies[Self.normalised(name)] }
        set { policies[Self.normalised(name)] = newValue }
    }

    /// The policy that counts for a host; nil where only the manager's does.
    package func policy(for host: String) -> SecurityPolicy? { pattern(for: host).flatMap { policies[$0] } }

    /// The name whose policy counts for a host.
    func pattern(for host: String) -> String? {
        let host = Self.normalised(host)
        if policies[host] != nil { return host }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            let name = "*." + rest
            if policies[name] != nil { return name }
        }
        return nil
    }

    private static func normalised(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
