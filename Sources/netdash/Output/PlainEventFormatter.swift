import Dashboard
import SessionSupport

/// Turns events into lines for people, logs and screen readers: no escapes, no carriage returns, one fact a line.
struct PlainEventFormatter: Sendable {
    /// The text that a line begins with: the time of day where the user is.
    ///
    /// Handed in, so that a test can fix it.
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

    /// The last line.
    func line(for summary: RunSummary, time: Timestamp) -> [UInt8] {
        Array((SafeText(untrusted: clock(time)) + " " + summary.sentence + "\n").string.utf8)
    }

    // MARK: - Sentences

    private func text(of event: TransferEvent) -> SafeText {
        switch event.what {
        case .added(let job): added(job)
        case .started: "started"
        case .response(let status, _, let continuation, _):
            "response " + SafeText(status) + (continuation == .yes ? ", can be resumed" : "")
        case .progress(let figures): progress(figures)
        case .paused: "paused"
        case .resumed: "resumed"
        case .retrying(let attempt, let after, let reason):
            "retrying, attempt " + SafeText(attempt) + " in " + DurationText.elapsed(milliseconds: Int64(after * 1000))
                + ": " + SafeText(untrusted: reason)
        case .sourceDropped(let url, let reason):
            "no longer asks " + SafeText(untrusted: Redaction.url(url)) + ": " + SafeText(untrusted: reason)
        case .sourceTurned(let url, let earlier, let reason):
            "goes on with " + SafeText(untrusted: Redaction.url(url)) + " instead of "
                + SafeText(untrusted: Redaction.url(earlier)) + " (" + SafeText(untrusted: reason) + ")"
        case .notice(let sentence): SafeText(untrusted: sentence)
        case .restarted(let reason): "started again from zero: " + SafeText(untrusted: reason)
        case .completed(let completion): completed(completion, url: event.url)
        case .failed(let failure): failed(failure, url: event.url)
        case .cancelled: "cancelled"
        }
    }

    private func added(_ job: TransferEvent.Description) -> SafeText {
        var line: SafeText = job.isRepeated ? "is there already: " : "added "
        line += job.kind.word + " "
        line += SafeText(untrusted: job.method)
        line += " "
        line += SafeText(untrusted: Redaction.url(job.url))
        guard let path = job.path else { return line }
        line += job.kind == .upload ? " from " : " to "
        line += SafeText(untrusted: path)
        return line
    }

    private func progress(_ figures: TransferEvent.Figures) -> SafeText {
        var line: SafeText = figures.isSending ? "sent " : "received "
        line += SizeText.long(figures.moved)
        if let expected = figures.expected, let percent = PercentText.whole(figures.moved, of: expected) {
            line += " of " + SizeText.long(expected) + " (" + percent + ")"
        }
        if let rate = figures.bytesPerSecond { line += ", " + SizeText.longRate(Double(rate)) }
        return line
    }

    private func completed(_ completion: TransferEvent.Completion, url: String?) -> SafeText {
        var line: SafeText =
            completion.isUnchanged ? "not changed on the server, the file stays" : "skipped, the file is there already"
        if !completion.wasSkipped {
            line = "completed, "
            line += SizeText.long(completion.bytes)
            line += " in "
            line += DurationText.elapsed(milliseconds: Int64(completion.seconds * 1000))
            switch completion.proof {
            case .matches: line += ", checksum matches"
            case .notFound: line += ", no checksum found, not verified"
            case nil: break
            }
            if !completion.lengthWasVerified { line += ", length not verified" }
        }
        guard let place = completion.path ?? url.map({ Redaction.url($0) }) else { return line }
        line += ": "
        line += SafeText(untrusted: place)
        if let note = completion.note { line += " (" + SafeText(untrusted: note) + ")" }
        return line
    }

    private func failed(_ failure: TransferFailure, url: String?) -> SafeText {
        var line: SafeText = "failed: "
        line += SafeText(untrusted: failure.message)
        // Some sentences are about the URL itself.
        if let url = url.map({ Redaction.url($0) }), !failure.message.contains(url) {
            line += ": " + SafeText(untrusted: url)
        }
        if let part = failure.partPath { line += " (kept " + SafeText(untrusted: part) + ")" }
        return line
    }
}

/// The time of day as text, worked out once a second however many lines ask for it.
///
/// A class because all lines of a printer share what it remembers.
private final class ClockText: Sendable {
    private struct Latest {
        var second: Int64
        var text: String
    }

    private let latest = Locked<Latest?>(nil)

    /// ``Timestamp/localClock`` of a moment.
    func text(_ time: Timestamp) -> String {
        let second = time.wholeSeconds
        if let known = latest.withLock({ $0 }), known.second == second { return known.text }
        let text = time.localClock
        latest.withLock { $0 = Latest(second: second, text: text) }
        return text
    }
}
