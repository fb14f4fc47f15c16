/// A server in backoff, and why.
package struct ServerBackoff: Sendable, Equatable, Codable {
    /// The host's name in its rows, with its port unless it is the scheme's default.
    package var host: SafeText
    /// The route of its rows; empty for the direct route.
    package var route: SafeText
    /// The unreachable proxy or replacement address; nil where the server itself has the problem.
    package var unreached: SafeText?
    /// ``Cause/noNetwork`` where this machine has no route to it.
    package var cause: Cause
    /// The status of a busy server's response.
    package var statusCode: Int?
    /// Milliseconds of the model's clock at which one task retries; nil while one does.
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

    /// The name of the server, proxy or address with the problem.
    package var name: SafeText { unreached ?? Self.label(host, route) }

    /// Identifies a host by one route.
    package static func label(_ host: SafeText, _ route: SafeText) -> SafeText {
        route.isEmpty ? host : host + " (" + route + ")"
    }

    /// The longest word for the problem that fits into `cells`.
    package func word(cells: Int) -> SafeText { cause.word(status: statusCode, cells: cells) }
}

extension [ServerBackoff] {
    /// One server per name: the one that is retried first.
    package func named() -> [ServerBackoff] {
        var named: [ServerBackoff] = []
        var indices: [SafeText: Int] = [:]
        for server in self {
            guard let index = indices[server.name] else {
                indices[server.name] = named.count
                named.append(server)
                continue
            }
            if let time = named[index].askedAgainAt, time > server.askedAgainAt ?? .min { named[index] = server }
        }
        return named
    }
}
