import CLinux
import Dashboard
import SessionSupport
import TransferService

/// Keeps the latest events of all transfers for the event log.
///
/// Only events are kept; their sentences are made when the log is open, because thousands per second may come.
struct LatestEvents: Sendable {
    /// The same number as the model keeps.
    static let limit = 2_000

    /// An event, and when it happened by the model's clock.
    struct Heard: Sendable {
        let event: TransferEvent
        /// Events have wall clock times, whose distance from the model's clock changes when the machine sleeps: it is
        /// taken when they arrive.
        let moment: Int64

        init(_ event: TransferEvent) {
            self.event = event
            moment = event.time.milliseconds + cl_monotonic_milliseconds() - Timestamp.now().milliseconds
        }
    }

    private var events: [Heard] = []
    /// The index of the oldest one in the full ring buffer.
    private var oldest = 0
    /// The events since the last read; nil while the log is closed.
    private var unread: [Heard]?

    mutating func append(_ event: TransferEvent) {
        let event = Heard(event)
        if events.count < Self.limit {
            events.append(event)
        } else {
            events[oldest] = event
            oldest = (oldest + 1) % Self.limit
        }
        unread?.append(event)
    }

    /// Returns all events, oldest first, and starts collecting new ones.
    mutating func beginReading() -> [Heard] {
        unread = []
        return Array(events[oldest...] + events[..<oldest])
    }

    /// The events since the last read, as far as they are kept.
    mutating func takeUnread() -> [Heard] {
        guard let news = unread else { return [] }
        unread = []
        return news.count > Self.limit ? Array(news.suffix(Self.limit)) : news
    }

    /// Stops collecting.
    mutating func endReading() -> [Heard] {
        unread = nil
        return []
    }

    // MARK: - Words

    /// The events as lines of the log.
    ///
    /// A transfer that has left the list is named by the URL of its end event.
    static func entries(_ heard: [Heard], from service: (any TransferService)?) -> [LogEntry] {
        guard !heard.isEmpty else { return [] }
        let events = heard.map(\.event)
        var names: [UInt64: SafeText] = [:]
        for event in events {
            if let url = event.url { names[event.id] = SafeText(url: url) }
        }
        for row in service?.snapshots(of: Set(events.map(\.id)).sorted()) ?? [] { names[row.id] = row.name }
        return heard.compactMap { heard in
            let event = heard.event
            return event.what.logLine.map { text in
                LogEntry(
                    time: heard.moment, id: event.id, name: names[event.id] ?? "#" + SafeText(event.id), text: text,
                    isError: event.what.isFailure)
            }
        }
    }
}
