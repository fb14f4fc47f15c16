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

    private var events: [TransferEvent] = []
    /// The index of the oldest one in the full ring buffer.
    private var oldest = 0
    /// The events since the last read; nil while the log is closed.
    private var unread: [TransferEvent]?

    mutating func append(_ event: TransferEvent) {
        if events.count < Self.limit {
            events.append(event)
        } else {
            events[oldest] = event
            oldest = (oldest + 1) % Self.limit
        }
        unread?.append(event)
    }

    /// Returns all events, oldest first, and starts collecting new ones.
    mutating func beginReading() -> [TransferEvent] {
        unread = []
        return Array(events[oldest...] + events[..<oldest])
    }

    /// The events since the last read, as far as they are kept.
    mutating func takeUnread() -> [TransferEvent] {
        guard let news = unread else { return [] }
        unread = []
        return news.count > Self.limit ? Array(news.suffix(Self.limit)) : news
    }

    /// Stops collecting.
    mutating func endReading() -> [TransferEvent] {
        unread = nil
        return []
    }

    // MARK: - Words

    /// The events as lines of the log.
    ///
    /// A transfer that has left the list is named by the URL of its end event.
    static func entries(_ events: [TransferEvent], from service: (any TransferService)?) -> [LogEntry] {
        guard !events.isEmpty else { return [] }
        var names: [UInt64: SafeText] = [:]
        for event in events {
            if let url = event.url { names[event.id] = SafeText(url: url) }
        }
        for row in service?.snapshots(of: Set(events.map(\.id)).sorted()) ?? [] { names[row.id] = row.name }
        // Events have wall clock times, the model uses the monotonic clock.
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
