/// The servers that nobody asks at the moment: none, nearly always.
package struct ServerBackoffs: Sendable, Equatable {
    /// In the order of their names, each name once.
    package private(set) var servers: [ServerBackoff] = []
    /// All of them, where several are asked by one proxy.
    private var all: [ServerBackoff] = []
    private var places: [SafeText: Int] = [:]
    /// The tasks that servers get at once which have refused more.
    private var limits: [SafeText: Int] = [:]

    package init() {}

    package var isEmpty: Bool { servers.isEmpty }

    /// The server of a row's host and way; nil when it may be asked.
    package func server(_ host: SafeText, route: SafeText = .empty) -> ServerBackoff? {
        all.isEmpty ? nil : places[ServerBackoff.place(host, route)].map { all[$0] }
    }

    /// The tasks that a server gets at once because more have failed; nil for as many as the limits allow.
    package func limit(of host: SafeText, route: SafeText = .empty) -> Int? {
        limits.isEmpty ? nil : limits[ServerBackoff.place(host, route)]
    }

    mutating func limit(_ counts: [SafeText: Int]) { limits = counts }

    mutating func replace(with servers: [ServerBackoff]) {
        all = servers
        places = Dictionary(servers.indices.map { (ServerBackoff.place(servers[$0].host, servers[$0].route), $0) }) {
            first, _ in first
        }
        self.servers = servers.named()
    }
}

extension Model {
    /// What the header says of servers that nobody asks, the shorter the further behind; empty when there are none.
    package var backoffNotices: [SafeText] {
        guard let first = held.servers.first else { return [] }
        let waiting = rows.counts[nil, .retrying, .queued]
        if held.servers.contains(where: { $0.cause == .noNetwork }) {
            return [HeldLabels.noNetwork(waiting: waiting), HeldLabels.noNetwork]
        }
        guard held.servers.count == 1 else {
            let count = held.servers.count
            return [HeldLabels.hostsDown(count, waiting: waiting), HeldLabels.hostsDown(count)]
        }
        let (again, cause) = (nextTry(first), first.word(cells: 11))
        return [
            HeldLabels.cause(first.name, cause, again), HeldLabels.cause(first.name, cause),
            HeldLabels.cause(cause, retry: again),
        ]
    }

    private func nextTry(_ server: ServerBackoff) -> SafeText {
        guard let time = server.askedAgainAt, time > shownNow else { return HeldLabels.retryingNow }
        let seconds = (time - shownNow + 999) / 1000
        return HeldLabels.retry(
            in: seconds < 60 ? HeldLabels.seconds(seconds) : DurationText.elapsed(milliseconds: seconds * 1000))
    }

    /// What the details say of a row whose server nobody asks.
    package func waitingWords(host: SafeText, route: SafeText = .empty, isQueued: Bool = true) -> SafeText? {
        guard let server = held.server(host, route: route) else {
            guard isQueued, let count = held.limit(of: host, route: route) else { return nil }
            return HeldLines.limited(host, count)
        }
        if server.cause == .noNetwork { return HeldLines.noNetwork }
        return HeldLines.waiting(server.name, server.word(cells: 11), nextTry(server))
    }
}
