/// A server that nobody asks at the moment, and why.
package struct ServerBackoff: Sendable, Equatable, Codable {
    /// The host's name that its rows have, with its port where that is not the usual one.
    package var host: SafeText
    /// The way that its rows go; empty for the ordinary one.
    package var route: SafeText
    /// What is in trouble where it is not the server: the proxy, or the place that stands for it.
    package var unreached: SafeText?
    /// What is wrong; ``Cause/noNetwork`` where this machine has no way to it.
    package var cause: Cause
    /// The status that it answered, where it asks to be left alone.
    package var statusCode: Int?
    /// Milliseconds of the model's clock at which one task asks again; nil while one does.
    package var askedAgainAt: Int64?

    package init(
        host: SafeText, route: SafeText = .empty, unreached: SafeText? = nil, cause: Cause, statusCode: Int? = nil,
        askedAgainAt: Int64? = nil
    ) {
        (self.host, self.route, self.unreached) = (host, route, unreached)
        self.cause = cause
        self.statusCode = statusCode
        self.askedAgainAt = askedAgainAt
    }

    /// The name of what is in trouble.
    package var name: SafeText { unreached ?? Self.place(host, route) }

    /// What tells those who go one way to a host from all others.
    package static func place(_ host: SafeText, _ route: SafeText) -> SafeText {
        route.isEmpty ? host : host + " (" + route + ")"
    }

    /// The most telling word for what is wrong that has room in so many cells.
    package func word(cells: Int) -> SafeText { cause.word(status: statusCode, cells: cells) }
}

extension [ServerBackoff] {
    /// One server for each name: that which is asked again first.
    package func named() -> [ServerBackoff] {
        var named: [ServerBackoff] = []
        var places: [SafeText: Int] = [:]
        for server in self {
            guard let index = places[server.name] else {
                places[server.name] = named.count
                named.append(server)
                continue
            }
            if let time = named[index].askedAgainAt, time > server.askedAgainAt ?? .min { named[index] = server }
        }
        return named
    }
}
