/// How the connections of a request are made, below HTTP: the versions of TLS, who resolves names, and the marks of
/// packets.
package struct TransportTerms: Sendable, Equatable {
    /// The oldest version of TLS; nil for TLS 1.2.
    package var leastTLS: TLSVersion?
    /// The newest version of TLS; nil for any.
    package var mostTLS: TLSVersion?
    /// The URL of a server that resolves host names over HTTPS (RFC 8484); nil for the system's resolver.
    package var nameService: String?
    package var marking = PacketMarking()
    /// The hosts that are only reached over https (RFC 6797); nil for none.
    package var secureHosts: (any SecureHostStore)?

    package init() {}

    /// Whether even connections without TLS differ from the usual ones.
    package var shapesPlainConnections: Bool { nameService != nil || marking != PacketMarking() }

    /// Whether no version of TLS is left.
    package var excludesEveryTLS: Bool { leastTLS == .tls13 && mostTLS == .tls12 }

    /// These terms, completed with a session's.
    func completed(by session: TransportTerms) -> TransportTerms {
        var result = self
        result.leastTLS = leastTLS ?? session.leastTLS
        result.mostTLS = mostTLS ?? session.mostTLS
        // What the request says itself stays.
        if result.excludesEveryTLS { (result.leastTLS, result.mostTLS) = (leastTLS, mostTLS) }
        result.nameService = nameService ?? session.nameService
        result.marking.serviceType = marking.serviceType ?? session.marking.serviceType
        result.marking.priority = marking.priority ?? session.marking.priority
        result.secureHosts = secureHosts ?? session.secureHosts
        return result
    }

    package static func == (left: TransportTerms, right: TransportTerms) -> Bool {
        left.leastTLS == right.leastTLS && left.mostTLS == right.mostTLS && left.nameService == right.nameService
            && left.marking == right.marking && left.secureHosts === right.secureHosts
    }
}

/// A version of TLS that is still in use.
package enum TLSVersion: String, Sendable, CaseIterable {
    case tls12 = "1.2"
    case tls13 = "1.3"
}

/// The marks by which networks may treat packets differently; nil leaves one as the system sets it.
package struct PacketMarking: Sendable, Equatable {
    /// The byte of the IP header with the differentiated services code point in its upper six bits (RFC 2474).
    package var serviceType: UInt8?
    /// The priority of packets within this machine, which becomes a VLAN's.
    package var priority: UInt8?

    package init(serviceType: UInt8? = nil, priority: UInt8? = nil) {
        (self.serviceType, self.priority) = (serviceType, priority)
    }
}

/// Stores the hosts that have asked to be reached over https only.
///
/// Called on the transfers' thread for each request and response, so it must return at once.
package protocol SecureHostStore: AnyObject, Sendable {
    /// The https URL to use instead; nil where the URL may be used as it is.
    func secured(_ url: String) -> String?
    /// Stores what a response over a trusted connection asks for.
    func store(_ fields: [String], from url: String)
}
