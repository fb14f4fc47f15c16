/// The route of a request to its server if it is not the direct one; a failure on one route says nothing about another
/// route.
struct RequestRoute: Sendable, Equatable {
    /// Scheme, host and port of the server.
    var origin: String
    /// The endpoint instead of the server, and the local interface; nil for the direct route.
    var via: String?
    /// The endpoint instead of the server; nil for the server itself, and if only the key was known.
    private(set) var stead: String?

    /// - Parameter options: the request's options, completed by the session's.
    init(to url: String, options: RequestOptions?, origin text: String? = nil) {
        let server = try? Origin(url)
        origin = text ?? server.map { "\($0)" } ?? url
        guard let options, let server else { return }
        (stead, via) = options.via(to: server)
    }

    /// Reads a route from a text of ``key``.
    init(key: String) {
        let end = key.firstIndex(of: Self.separator) ?? key.endIndex
        origin = String(key[..<end])
        if end < key.endIndex { via = String(key[key.index(after: end)...]) }
    }

    /// Identifies a server and a route to it; the origin alone for the direct route.
    var key: String { Self.key(origin, via) }

    static func key(_ origin: String, _ via: String?) -> String {
        via.map { origin + String(separator) + $0 } ?? origin
    }

    /// No origin contains this character.
    static let separator: Character = " "
}

extension RequestOptions {
    /// Returns the endpoint instead of a server, and the full description of the route; nil for the direct route.
    fileprivate func via(to server: Origin) -> (stead: String?, full: String?) {
        if let unixSocket { return (unixSocket, unixSocket) }
        let proxy = proxies?.proxy(for: server)
        let other = stead(of: server, resolvesElsewhere: proxy?.resolvesNames == true).map { place in
            "\(place.targets[0].isEmpty ? server.host : place.targets[0]):\(place.port)"
        }
        var words = [proxy?.endpoint, other].compactMap(\.self)
        let stead = words.first
        if let interface { words.append("from \(interface)") }
        switch addressFamily {
        case .ipv4: words.append("by IPv4")
        case .ipv6: words.append("by IPv6")
        case .any, nil: break
        }
        if let service = transport.nameService { words.append("DoH \(Origin.label(of: service))") }
        return (stead, words.isEmpty ? nil : words.joined(separator: " "))
    }

    /// Returns the hosts or addresses that connections for a server go to instead, and the port; nil for the server.
    ///
    /// They are tried in their order; an empty host is the server's. As in curl, an endpoint names another server first,
    /// and that one may then have an address.
    ///
    /// - Parameter resolvesElsewhere: whether a proxy looks up names, which gets no addresses.
    func stead(of server: Origin, resolvesElsewhere: Bool) -> (targets: [String], port: Int)? {
        guard !connections.isEmpty else { return nil }
        let other = connections.first { !$0.isAddressOnly && $0.standsFor(server.host, server.port) }
        let (host, port) = (other?.target ?? "", other?.targetPort ?? server.port)
        let name = host.isEmpty ? server.host : host
        let address = connections.first { $0.isAddressOnly && !resolvesElsewhere && $0.standsFor(name, port) }
        guard let place = address ?? other else { return nil }
        return ([place.target] + place.furtherTargets, port)
    }

    /// Returns the route of a request with these options, in the form of ``HostBackoff/route``; nil for the direct route.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - session: the session's options, which count where these are unset.
    package func route(to url: String, in session: RequestOptions? = nil) -> String? {
        RequestRoute(to: url, options: session.map { completed(by: $0) } ?? self).via
    }
}

extension ConnectionEndpoint {
    /// Returns whether connections for a server go here.
    fileprivate func standsFor(_ name: String, _ number: Int) -> Bool {
        (host.isEmpty || host.lowercased() == name.lowercased()) && (port ?? number) == number
    }
}

/// The keys of servers for tasks that do not exist yet; see ``RequestRoute/key``.
///
/// A class because lookups of its owner change it. Belongs to one thread.
package final class HostKeys {
    private let origins = OriginCache()

    package init() {}

    /// Returns the key of a URL's server; nil for an invalid URL.
    ///
    /// - Parameter route: returns the route to an origin by the request's options; nil for the direct route.
    package func key(of url: String, route: (_ origin: String) -> String?) -> String? {
        guard let origin = origins.entry(of: url)?.text else { return nil }
        return RequestRoute.key(origin, route(origin))
    }
}
