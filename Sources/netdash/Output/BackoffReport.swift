import Dashboard
import SessionSupport
import TransferService

/// Reports servers in backoff, or with fewer concurrent tasks, to lines and JSON: when that begins, and when it ends.
///
/// A value that knows the last report. A failed probe is no news, nor is one task more at a limited server.
struct BackoffReport: Sendable {
    /// A change to report.
    enum News: Sendable, Equatable {
        case backoff(ServerBackoff)
        case released(SafeText)
        /// This machine lost the route to some servers, or has one again.
        case network(isGone: Bool)
        /// A server gets only this many concurrent tasks, because more have failed.
        case limited(SafeText, Int)
        /// A server gets as many tasks as the limits allow again.
        case unlimited(SafeText)
    }

    private var told: [SafeText: ServerBackoff] = [:]
    private var isOffline = false
    private var limits: [SafeText: Int] = [:]

    /// The changes of the servers in backoff.
    mutating func news(_ servers: [ServerBackoff]) -> [News] {
        var news: [News] = []
        let wasOffline = isOffline
        isOffline = servers.contains { $0.cause == .noNetwork }
        if isOffline != wasOffline { news.append(.network(isGone: isOffline)) }
        let backoffs = servers.filter { $0.cause != .noNetwork }.named()
        for server in backoffs where told[server.name]?.cause != server.cause { news.append(.backoff(server)) }
        let names = Set(servers.map(\.name))
        for host in told.keys.filter({ !names.contains($0) }).sorted(by: { $0.string < $1.string }) {
            news.append(.released(host))
        }
        told = Dictionary(backoffs.map { ($0.name, $0) }) { first, _ in first }
        return news
    }

    /// The changes of the servers with fewer concurrent tasks than the limits allow, by their numbers.
    mutating func news(limits counts: [SafeText: Int]) -> [News] {
        defer { limits = counts }
        let names = Set(counts.keys).union(limits.keys).sorted { $0.string < $1.string }
        return names.compactMap { name in
            guard let count = counts[name] else { return .unlimited(name) }
            return count < limits[name] ?? .max ? .limited(name, count) : nil
        }
    }
}

extension PlainEventFormatter {
    /// The line for a change, with its line break.
    func line(for news: BackoffReport.News, time: Timestamp, now: Int64) -> [UInt8] {
        let text: SafeText =
            switch news {
            case .backoff(let server):
                ServerLines.backingOff(
                    server.name, server.word(cells: 11),
                    retryIn: DurationText.elapsed(milliseconds: max((server.askedAgainAt ?? now) - now, 0)))
            case .released(let host): ServerLines.available(host)
            case .network(isGone: true): ServerLines.networkDown
            case .network(isGone: false): ServerLines.networkBack
            case .limited(let host, let count):
                ServerLines.limited(host, to: count)
            case .unlimited(let host): ServerLines.unlimited(host)
            }
        return Array((PlainLines.line(SafeText(untrusted: clock(time)), text) + "\n").string.utf8)
    }
}

extension JSONEventFormatter {
    /// The line for a change, with its line break.
    func line(for news: BackoffReport.News, time: Timestamp, now: Int64) -> [UInt8] {
        var object = JSONObjectWriter()
        switch news {
        case .backoff(let server):
            object.add("event", "backoff")
            object.add("time", time.rfc3339)
            object.add("host", server.name.string)
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
        case .limited(let host, let count):
            object.add("event", "limited")
            object.add("time", time.rfc3339)
            object.add("host", host.string)
            object.add("tasks", count)
        case .unlimited(let host):
            object.add("event", "unlimited")
            object.add("time", time.rfc3339)
            object.add("host", host.string)
        }
        return object.closed() + [UInt8(ascii: "\n")]
    }
}
