/// A server that nobody asks at the moment, and why.
package struct HeldServer: Sendable, Equatable {
    /// Its name, with its port where that is not the usual one.
    package var host: SafeText
    /// What is wrong; ``Cause/noNetwork`` where this machine has no way to it.
    package var cause: Cause
    /// The status that it answered, where it asks to be left alone.
    package var statusCode: Int?
    /// Milliseconds of the model's clock at which one task asks again; nil while one does.
    package var askedAgainAt: Int64?

    package init(host: SafeText, cause: Cause, statusCode: Int? = nil, askedAgainAt: Int64? = nil) {
        self.host = host
        self.cause = cause
        self.statusCode = statusCode
        self.askedAgainAt = askedAgainAt
    }

    /// The most telling word for what is wrong that has room in so many cells.
    package func word(cells: Int) -> SafeText { cause.word(status: statusCode, cells: cells) }
}

/// The servers that nobody asks at the moment: none, nearly always.
package struct HeldServers: Sendable, Equatable {
    /// In the order of their names.
    package private(set) var servers: [HeldServer] = []
    private var places: [SafeText: Int] = [:]
    /// The tasks that servers get at once which have refused more.
    private var limits: [SafeText: Int] = [:]

    package init() {}

    package var isEmpty: Bool { servers.isEmpty }

    /// The server of a name; nil when it may be asked.
    package func server(_ host: SafeText) -> HeldServer? {
        servers.isEmpty ? nil : places[host].map { servers[$0] }
    }

    /// The tasks that a server gets at once because it has refused more; nil for as many as the limits allow.
    package func limit(of host: SafeText) -> Int? { limits.isEmpty ? nil : limits[host] }

    mutating func limit(_ counts: [SafeText: Int]) { limits = counts }

    mutating func replace(with servers: [HeldServer]) {
        self.servers = servers
        places = Dictionary(servers.indices.map { (servers[$0].host, $0) }) { first, _ in first }
    }
}

extension Model {
    /// What the header says of servers that nobody asks, the shorter the further behind; empty when there are none.
    package var heldNotices: [SafeText] {
        guard let first = held.servers.first else { return [] }
        let waiting = rows.counts[nil, .retrying, .queued]
        let tasks = SafeText(waiting) + (waiting == 1 ? " task waits" : " tasks wait")
        if held.servers.contains(where: { $0.cause == .noNetwork }) { return ["no network, " + tasks, "no network"] }
        guard held.servers.count == 1 else {
            let servers = SafeText(held.servers.count) + " servers away"
            return [servers + ", " + tasks, servers]
        }
        let again = timeUntil(first)
        return [
            first.host + ": " + first.word(cells: 11) + ", asked again " + again,
            first.host + ": " + first.word(cells: 11),
            first.word(cells: 11) + " " + again,
        ]
    }

    private func timeUntil(_ server: HeldServer) -> SafeText {
        guard let time = server.askedAgainAt, time > shownNow else { return "now" }
        return "in " + DurationText.elapsed(milliseconds: (time - shownNow + 999) / 1000 * 1000)
    }

    /// What the details say of a row whose server nobody asks.
    package func waitingWords(host: SafeText, isQueued: Bool = true) -> SafeText? {
        guard let server = held.server(host) else {
            guard isQueued, let count = held.limit(of: host) else { return nil }
            return
                "waiting for its turn: " + host + " gets " + SafeText(count) + (count == 1 ? " task" : " tasks")
                + " at once, because it refused more"
        }
        if server.cause == .noNetwork { return "waiting for the network" }
        return "waiting for " + host + ": " + server.word(cells: 11) + ", asked again " + timeUntil(server)
    }
}
