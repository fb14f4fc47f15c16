import Dashboard

/// What lines and JSON tell of servers that nobody asks: when one begins to be held, and when it may be asked again.
///
/// A value that knows what was told last. A probe that fails is no news.
struct HeldReport: Sendable {
    /// A piece of news.
    enum News: Sendable, Equatable {
        case held(HeldServer)
        case released(SafeText)
        /// This machine has no way to some servers, or has one again.
        case network(isGone: Bool)
    }

    private var told: [SafeText: HeldServer] = [:]
    private var isOffline = false

    /// What is new about the servers that are held now.
    mutating func news(_ servers: [HeldServer]) -> [News] {
        var news: [News] = []
        let wasOffline = isOffline
        isOffline = servers.contains { $0.cause == .noNetwork }
        if isOffline != wasOffline { news.append(.network(isGone: isOffline)) }
        let held = servers.filter { $0.cause != .noNetwork }
        for server in held where told[server.host]?.cause != server.cause { news.append(.held(server)) }
        let names = Set(servers.map(\.host))
        for host in told.keys.filter({ !names.contains($0) }).sorted(by: { $0.string < $1.string }) {
            news.append(.released(host))
        }
        told = Dictionary(held.map { ($0.host, $0) }) { first, _ in first }
        return news
    }
}

extension PlainEventFormatter {
    /// The line of a piece of news about servers, with its line break.
    func line(for news: HeldReport.News, time: Timestamp, now: Int64) -> [UInt8] {
        let text: SafeText =
            switch news {
            case .held(let server):
                server.host + " is left alone (" + server.word(cells: 11) + "), asked again by one task in "
                    + DurationText.elapsed(milliseconds: max((server.askedAgainAt ?? now) - now, 0))
            case .released(let host): host + " may be asked again"
            case .network(isGone: true): "no network, what needs it waits"
            case .network(isGone: false): "the network is back"
            }
        return Array((SafeText(untrusted: clock(time)) + " " + text + "\n").string.utf8)
    }
}

extension JSONEventFormatter {
    /// The line of a piece of news about servers.
    func line(for news: HeldReport.News, time: Timestamp, now: Int64) -> [UInt8] {
        var object = JSONObject()
        switch news {
        case .held(let server):
            object.add("event", "held")
            object.add("time", time.rfc3339)
            object.add("host", server.host.string)
            object.add("kind", server.cause.rawValue)
            object.add("status", server.statusCode)
            object.add("after", Double(max((server.askedAgainAt ?? now) - now, 0)) / 1000)
        case .released(let host):
            object.add("event", "released")
            object.add("time", time.rfc3339)
            object.add("host", host.string)
        case .network(let isGone):
            object.add("event", isGone ? "offline" : "online")
            object.add("time", time.rfc3339)
        }
        return object.closed() + [UInt8(ascii: "\n")]
    }
}
