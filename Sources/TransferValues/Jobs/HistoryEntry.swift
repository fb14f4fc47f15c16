package import SessionSupport

/// The end of one run of a task, without its secrets: what the history keeps when its row has left the list.
package struct HistoryEntry: Sendable, Hashable, Codable {
    package enum Outcome: String, Sendable, CaseIterable, Codable {
        case done, failed, cancelled
    }

    /// The most bytes of a name, a host or a reason: all entries must fit one message to a window.
    package static let textLimit = 500
    package static let urlLimit = 1_000

    /// Seconds since 1970.
    package var endedAt: Int64
    package var kind: TransferKind
    package var outcome: Outcome
    package var method: SafeText
    package var name: SafeText
    package var host: SafeText
    /// The URL without user information and secret parameters; empty where it is too long to be kept.
    package var url: SafeText
    /// The bytes that this run has transferred.
    package var bytes: Int64
    /// The milliseconds from the start to the end; nil for a task that did not start.
    package var milliseconds: Int64?
    /// The reason of a failure, as a sentence; nil for any other end.
    package var reason: SafeText?
    /// Whether method and URL are all of its request; nil where it had fields, a body or options too.
    package var isComplete: Bool?

    package init(
        endedAt: Int64, kind: TransferKind, outcome: Outcome, method: SafeText = "GET", name: SafeText, host: SafeText,
        url: SafeText, bytes: Int64, milliseconds: Int64? = nil, reason: SafeText? = nil,
        isComplete: Bool? = nil
    ) {
        (self.endedAt, self.kind, self.outcome, self.method) = (endedAt, kind, outcome, method)
        (self.name, self.host) = (Self.cut(name), Self.cut(host))
        self.isComplete = isComplete
        self.url = url.string.utf8.count > Self.urlLimit ? .empty : url
        (self.bytes, self.milliseconds, self.reason) = (bytes, milliseconds, reason.map(Self.cut))
    }

    /// Bytes per second from the start to the end; nil where nothing was transferred.
    package var rate: Double? {
        guard let milliseconds, milliseconds > 0, bytes > 0 else { return nil }
        return Double(bytes) * 1000 / Double(milliseconds)
    }

    /// A text that is at most as long as the limit, cut between characters.
    private static func cut(_ text: SafeText) -> SafeText {
        guard text.string.utf8.count > textLimit else { return text }
        var short = ""
        for character in text.string {
            guard short.utf8.count + character.utf8.count <= textLimit else { break }
            short.append(character)
        }
        return SafeText(untrusted: short)
    }
}

/// An entry with its day and time in the user's time zone.
package struct HistoryLine: Sendable, Equatable {
    /// The date, such as `2026-11-28`.
    package var day: SafeText
    /// The time of the end, such as `22:05`.
    package var time: SafeText
    package var entry: HistoryEntry

    package init(day: SafeText, time: SafeText, _ entry: HistoryEntry) {
        (self.day, self.time, self.entry) = (day, time, entry)
    }

    fileprivate init(_ entry: HistoryEntry, _ clock: LocalClock) {
        let (day, time) = HistoryPage.words(of: entry.endedAt, clock)
        self.init(day: day, time: time, entry)
    }
}

/// The ends that were read, newest first, and the moment when they were read.
package struct HistoryPage: Sendable, Equatable {
    package var lines: [HistoryLine]
    /// Seconds since 1970.
    package var now: Int64
    /// The day of that moment, such as `2026-11-28`.
    package var today: SafeText

    package init(_ lines: [HistoryLine], now: Int64, today: SafeText) {
        (self.lines, self.now, self.today) = (lines, now, today)
    }

    package init(_ entries: [HistoryEntry], _ clock: LocalClock = .system) {
        let now = clock.now()
        self.init(entries.map { HistoryLine($0, clock) }, now: now, today: Self.words(of: now, clock).day)
    }

    fileprivate static func words(of moment: Int64, _ clock: LocalClock) -> (day: SafeText, time: SafeText) {
        let words = HoursText.text(ofStart: moment, clock).split(separator: " ")
        func text(_ word: Substring?) -> SafeText { SafeText(untrusted: word.map(String.init) ?? "") }
        return (text(words.first), text(words.last))
    }
}

/// The sums of one day.
package struct HistoryDay: Sendable, Equatable {
    package var day: SafeText
    package var count = 0
    package var failures = 0
    package var bytes: Int64 = 0

    package mutating func add(_ entry: HistoryEntry) {
        count += 1
        // A damaged file may name any number.
        bytes = bytes.addingReportingOverflow(max(entry.bytes, 0)).overflow ? .max : bytes + max(entry.bytes, 0)
        if entry.outcome == .failed { failures += 1 }
    }

    package init(day: SafeText) { self.day = day }
}
