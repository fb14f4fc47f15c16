/// The way by which a server is asked, where that is not the ordinary one: who goes another way learns nothing from a server
/// that cannot be reached by it.
struct RequestRoute: Sendable, Equatable {
    /// The server's origin: scheme, host and port.
    var origin: String
    /// Who is connected to in the server's stead, and from where; nil for the server itself in the ordinary way.
    var via: String?
    /// Who is connected to in the server's stead; nil for nobody, and where only the key was known.
    private(set) var stead: String?

    /// - Parameter options: those of the request, completed by the session's.
    init(to url: String, options: RequestOptions?, origin text: String? = nil) {
        let place = try? Origin(url)
        origin = text ?? place.map { "\($0)" } ?? url
        guard let options, let place else { return }
        (stead, via) = options.via(to: place)
    }

    /// A way from a text that ``key`` has made.
    init(key: String) {
        let end = key.firstIndex(of: Self.separator) ?? key.endIndex
        origin = String(key[..<end])
        if end < key.endIndex { via = String(key[key.index(after: end)...]) }
    }

    /// What tells those who go the same way to the same server from all others; the origin alone where it is the ordinary one.
    var key: String { Self.key(origin, via) }

    /// The key of an origin and a detour.
    static func key(_ origin: String, _ via: String?) -> String {
        via.map { origin + String(separator) + $0 } ?? origin
    }

    /// Stands in no origin.
    static let separator: Character = " "
}

extension RequestOptions {
    /// Who is connected to in a server's stead, and from where; nil for the server itself in the ordinary way.
    fileprivate func via(to place: Origin) -> (stead: String?, whole: String?) {
        if let unixSocket { return (unixSocket, unixSocket) }
        let proxy = proxies?.proxy(for: place)
        let other = connections.first { $0.standsFor(place) && !($0.isAddressOnly && proxy?.resolvesNames == true) }
            .map { "\($0.target.isEmpty ? place.host : $0.target):\($0.targetPort ?? place.port)" }
        var words = [proxy?.place, other].compactMap(\.self)
        let stead = words.first
        if let interface { words.append("from \(interface)") }
        switch addressFamily {
        case .ipv4: words.append("by IPv4")
        case .ipv6: words.append("by IPv6")
        case nil: break
        }
        return (stead, words.isEmpty ? nil : words.joined(separator: " "))
    }

    /// The way by which a request with these options goes to its server, as ``HostBackoff/route`` has it; nil for the ordinary one.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - session: the options of the session, which count where these say nothing.
    package func route(to url: String, in session: RequestOptions? = nil) -> String? {
        RequestRoute(to: url, options: session.map { completed(by: $0) } ?? self).via
    }
}

extension ConnectionEndpoint {
    /// Whether it is connected to where a server of that origin is asked for.
    fileprivate func standsFor(_ origin: Origin) -> Bool {
        (host.isEmpty || host.lowercased() == origin.host) && (port ?? origin.port) == origin.port
    }
}

/// The keys of servers that tasks will ask which are not there yet; see ``RequestRoute/key``.
///
/// A class because it remembers while its owner only asks. Belongs to one thread.
package final class HostKeys {
    private let origins = OriginCache()

    package init() {}

    /// The key of a URL's server; nil for a URL that cannot be read.
    ///
    /// - Parameter way: answers the detour to an origin, as the request's options tell it; nil for the ordinary way.
    package func key(of url: String, route: (_ origin: String) -> String?) -> String? {
        guard let origin = origins.entry(of: url)?.text else { return nil }
        return RequestRoute.key(origin, route(origin))
    }
}
