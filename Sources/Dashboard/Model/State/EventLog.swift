/// One event, as a line of the event log.
package struct LogEntry: Sendable, Equatable {
    /// Milliseconds of the model's clock.
    package var time: Int64
    /// The transfer of the event; nil for the dashboard's own messages.
    package var id: UInt64?
    /// The transfer's name; empty without one.
    package var name: SafeText
    package var text: SafeText
    package var isError: Bool

    package init(time: Int64, id: UInt64?, name: SafeText, text: SafeText, isError: Bool) {
        self.time = time
        self.id = id
        self.name = name
        self.text = text
        self.isError = isError
    }

    /// The full sentence.
    package var sentence: SafeText { [name, text].joined(by: "  ") }
}

/// The part of the event log that is on the screen.
package struct EventLogState: Sendable, Equatable {
    /// Entries scrolled up from the end.
    package var scroll = 0
    /// The filter, as it was typed.
    package var filter = ""
}

/// The events of transfers, which the model has only while the log is open.
///
/// The publisher of rows keeps the latest ones; a dashboard of ten thousand small files would otherwise do nothing but
/// make sentences without readers.
struct EventLog: Sendable {
    /// The number of events kept.
    static let limit = 2_000

    /// Whether events are requested.
    var isRead = false
    /// Oldest first.
    private(set) var entries: [LogEntry] = []

    mutating func replace(with entries: [LogEntry]) { self.entries = Array(entries.suffix(Self.limit)) }

    /// Adds later events, dropping the oldest.
    mutating func append(_ more: [LogEntry]) {
        entries += more
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }
}

/// The event log's filter: the language of the list's filter, applied to lines.
///
/// No other type knows both. Words and patterns are searched in the line; all other conditions must hold for the line's
/// transfer, which has to be in the list for that.
struct LogFilter {
    private let expression: FilterExpression

    init(_ text: String) { expression = FilterExpression(text) }

    /// A sentence about what is invalid or still missing.
    var problem: SafeText? { expression.problem }

    /// Whether a line is shown; `holds` evaluates a condition for a transfer.
    func admits(_ entry: LogEntry, holds: (FilterExpression.Condition, UInt64) -> Bool) -> Bool {
        guard !expression.groups.isEmpty else { return true }
        let line = entry.sentence.lowercased.string
        return expression.groups.contains { group in
            group.allSatisfy { term in
                let isMet =
                    switch term.condition {
                    case .text(let needle): line.contains(String(decoding: needle.bytes, as: UTF8.self))
                    case .pattern(let pattern): pattern.isFound(in: line)
                    case .host, .worker, .error, .states, .kinds, .range:
                        entry.id.map { holds(term.condition, $0) } ?? false
                    }
                return isMet != term.isNegated
            }
        }
    }
}

extension Model {
    /// The lines of the event log that match a filter, oldest first.
    package func logEntries(filter text: String) -> [LogEntry] {
        let own = toasts.events.map {
            LogEntry(time: $0.time, id: nil, name: .empty, text: $0.text, isError: $0.isError)
        }
        // Both are in order, and a stable sort keeps that.
        let all = log.entries.isEmpty ? own : (log.entries + own).sorted { $0.time < $1.time }
        let filter = LogFilter(text)
        return text.isEmpty
            ? all
            : all.filter { entry in
                filter.admits(entry) { rows.holds($0, of: $1, rates: rates, now: shownNow) }
            }
    }

    /// The event log that is on the screen, also below its filter's prompt or a help; nil without one.
    var openLog: EventLogState? { overlay.flatMap(Model.log) }

    private static func log(in overlay: Overlay) -> EventLogState? {
        switch overlay {
        case .eventLog(let state): state
        case .prompt(let prompt): if case .filterLog(let state) = prompt.purpose { state } else { nil }
        case .help(let help): help.previous.flatMap(log)
        default: nil
        }
    }
}
