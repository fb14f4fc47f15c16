import Dashboard
import SessionSupport
import TransferService

/// Formats events as lines for people, logs and screen readers: no escapes, no carriage returns, one fact per line.
struct PlainEventFormatter: Sendable {
    /// The start of a line: the local time of day.
    ///
    /// A parameter, so that a test can fix it.
    let clock: @Sendable (Timestamp) -> String

    init(clock: @escaping @Sendable (Timestamp) -> String = ClockText().text) {
        self.clock = clock
    }

    /// The line of one event, with its line break.
    func line(for event: TransferEvent) -> [UInt8] {
        var line = SafeText(untrusted: clock(event.time))
        line += " #"
        line += SafeText(event.id)
        line += " "
        line += text(of: event)
        line += "\n"
        return Array(line.string.utf8)
    }

    func line(for summary: RunSummary, time: Timestamp) -> [UInt8] {
        Array((PlainLines.line(SafeText(untrusted: clock(time)), summary.sentence) + "\n").string.utf8)
    }

    // MARK: - Sentences

    /// The event's words; at the end of a transfer also its file or URL, and after a failure the partial file.
    private func text(of event: TransferEvent) -> SafeText {
        let url = event.url.map { Redaction.url($0) }
        switch event.what {
        case .completed(let completion):
            guard let target = completion.path ?? url else { return event.what.words }
            let line = PlainLines.event(event.what.words, SafeText(untrusted: target))
            return completion.note.map { PlainLines.noted(line, SafeText(untrusted: $0)) } ?? line
        case .failed(let failure):
            var line = event.what.words
            // Some sentences contain the URL already.
            if let url, !failure.message.contains(url) { line = PlainLines.event(line, SafeText(maskedURL: url)) }
            return failure.partPath.map { PlainLines.noted(line, PlainLines.partKept(SafeText(untrusted: $0))) } ?? line
        default: return event.what.words
        }
    }
}

/// Formats the time of day, at most once a second.
///
/// A class, because all lines of a printer share its cache.
private final class ClockText: Sendable {
    private struct Latest {
        var second: Int64
        var text: String
    }

    private let latest = Locked<Latest?>(nil)

    func text(_ time: Timestamp) -> String {
        let second = time.secondsRoundedDown
        if let known = latest.withLock({ $0 }), known.second == second { return known.text }
        let text = time.localClock
        latest.withLock { $0 = Latest(second: second, text: text) }
        return text
    }
}
