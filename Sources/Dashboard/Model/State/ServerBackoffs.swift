/// The servers that get no requests at the moment: nearly always none.
package struct ServerBackoffs: Sendable, Equatable {
    /// The paused servers to show, one per name: the one that is retried first.
    package private(set) var servers: [ServerBackoff] = []
    /// All paused servers, including several reached through one proxy.
    private var all: [ServerBackoff] = []
    private var indices: [SafeText: Int] = [:]
    /// The concurrency limits of servers that have refused more.
    private var limits: [SafeText: Int] = [:]

    package init() {}

    package var isEmpty: Bool { servers.isEmpty }

    /// The paused server for a row's host and route; nil if it may be contacted.
    package func server(_ host: SafeText, route: SafeText = .empty) -> ServerBackoff? {
        all.isEmpty ? nil : indices[ServerBackoff.label(host, route)].map { all[$0] }
    }

    /// The number of tasks a server gets at once after it failed with more; nil for the configured limits.
    package func limit(of host: SafeText, route: SafeText = .empty) -> Int? {
        limits.isEmpty ? nil : limits[ServerBackoff.label(host, route)]
    }

    mutating func limit(_ counts: [SafeText: Int]) { limits = counts }

    mutating func replace(with servers: [ServerBackoff]) {
        all = servers
        indices = Dictionary(servers.indices.map { (ServerBackoff.label(servers[$0].host, servers[$0].route), $0) }) {
            first, _ in first
        }
        self.servers = servers.named()
    }
}

extension Model {
    /// The header's notices of paused servers, from long to short; empty if there are none.
    package var backoffNotices: [SafeText] {
        guard let first = backoffs.servers.first else { return [] }
        let waiting = rows.counts[nil, .retrying, .queued]
        if backoffs.servers.contains(where: { $0.cause == .noNetwork }) {
            return [BackoffLabels.noNetwork(waiting: waiting), BackoffLabels.noNetwork]
        }
        guard backoffs.servers.count == 1 else {
            let count = backoffs.servers.count
            return [BackoffLabels.hostsDown(count, waiting: waiting), BackoffLabels.hostsDown(count)]
        }
        let (again, cause) = (nextTry(first), first.word(cells: 11))
        return [
            BackoffLabels.cause(first.name, cause, again), BackoffLabels.cause(first.name, cause),
            BackoffLabels.cause(cause, retry: again),
        ]
    }

    private func nextTry(_ server: ServerBackoff) -> SafeText {
        guard let time = server.askedAgainAt, time > shownNow else { return BackoffLabels.retryingNow }
        let seconds = (time - shownNow + 999) / 1000
        return BackoffLabels.retry(
            in: seconds < 60 ? BackoffLabels.seconds(seconds) : DurationText.elapsed(milliseconds: seconds * 1000))
    }

    /// The details' words for a row that waits because its server is paused, or limited after failures; nil for
    /// neither.
    package func waitingWords(host: SafeText, route: SafeText = .empty, state: RowState = .queued) -> SafeText? {
        guard let server = backoffs.server(host, route: route) else {
            guard state == .queued, let count = backoffs.limit(of: host, route: route) else { return nil }
            return BackoffLines.limited(host, count)
        }
        if server.cause == .noNetwork { return BackoffLines.noNetwork(state.word) }
        return BackoffLines.backingOff(state.word, server.name, server.word(cells: 11), nextTry(server))
    }
}
