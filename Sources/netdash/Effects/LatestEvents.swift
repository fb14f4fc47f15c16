import CLinux
import Dashboard
import SessionSupport
import TransferService

/// The latest events of all transfers, for whoever opens the event log.
///
/// Only events are kept; their sentences are made when somebody reads them, because thousands a second may come.
struct LatestEvents: Sendable {
    /// The number of events that are kept, as many as the model keeps.
    static let limit = 2_000

    private var events: [TransferEvent] = []
    /// The place of the oldest one, once there are as many as are kept.
    private var oldest = 0
    /// What came since the reader had the last of them; nil while nobody reads.
    private var unread: [TransferEvent]?

    /// Adds an event.
    mutating func append(_ event: TransferEvent) {
        if events.count < Self.limit {
            events.append(event)
        } else {
            events[oldest] = event
            oldest = (oldest + 1) % Self.limit
        }
        unread?.append(event)
    }

    /// All of them, oldest first; from now on somebody reads.
    mutating func beginReading() -> [TransferEvent] {
        unread = []
        return Array(events[oldest...] + events[..<oldest])
    }

    /// What came since the last time, as far as it is kept.
    mutating func takeUnread() -> [TransferEvent] {
        guard let news = unread else { return [] }
        unread = []
        return news.count > Self.limit ? Array(news.suffix(Self.limit)) : news
    }

    /// Nobody reads any more, and nothing is to be told.
    mutating func endReading() -> [TransferEvent] {
        unread = nil
        return []
    }

    // MARK: - Words

    /// The events as lines of the log.
    ///
    /// A transfer that has left the list is named by the URL that its end was told with.
    static func entries(_ events: [TransferEvent], from service: (any TransferService)?) -> [LogEntry] {
        guard !events.isEmpty else { return [] }
        var names: [UInt64: SafeText] = [:]
        for event in events {
            if let url = event.url { names[event.id] = SafeText(untrusted: Redaction.url(url)) }
        }
        for row in service?.snapshots(of: Set(events.map(\.id)).sorted()) ?? [] { names[row.id] = row.name }
        // Events have the time of the wall's clock, the model that of one that is never set.
        let offset = cl_monotonic_milliseconds() - Timestamp.now().milliseconds
        return events.compactMap { event in
            event.what.logLine.map { text in
                LogEntry(
                    time: event.time.milliseconds + offset, id: event.id,
                    name: names[event.id] ?? "#" + SafeText(event.id), text: text, isError: event.what.isFailure)
            }
        }
    }
}
