/// The security policies of single hosts, by name.
///
/// A name is a host's own, or `*.` and a domain for every host below it, but not for the domain itself. Among several
/// matches the host's own counts, then the longest domain: `["api.example.org": pinned, "*.internal.example":
/// private]`. An international name may be written in either form, an IPv6 address with or without its brackets.
///
/// ```swift
/// manager.hostSecurityPolicies = ["*.example.org": try SecurityPolicy(pinningMode: .publicKey)]
/// ```
public struct HostSecurityPolicies: Sendable, Equatable, Codable, ExpressibleByDictionaryLiteral {
    /// Keyed by ``ParsedURL/host``, after the `*.` of a domain.
    package private(set) var policies: [String: SecurityPolicy] = [:]

    package init() {}

    /// Creates policies by name; the last one of a repeated name counts.
    public init(dictionaryLiteral elements: (String, SecurityPolicy)...) {
        for (name, policy) in elements { self[name] = policy }
    }

    /// The policy of a name; nil for none.
    public subscript(name: String) -> SecurityPolicy? {
        get { policies[Self.normalised(name)] }
        set { policies[Self.normalised(name)] = newValue }
    }

    /// Returns the policy for a host; nil if only the manager's applies.
    package func policy(for host: String) -> SecurityPolicy? { pattern(for: host).flatMap { policies[$0] } }

    /// Returns the name whose policy applies to a host.
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

    /// A name as the host of a parsed URL is written; one that is none in lower case.
    private static func normalised(_ name: String) -> String {
        let wildcard = name.hasPrefix("*.") ? "*." : ""
        let host = name.dropFirst(wildcard.count)
        return wildcard + (HostName.normalised(host) ?? host.lowercased())
    }
}
