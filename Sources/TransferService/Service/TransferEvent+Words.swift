import SessionSupport

/// The text of events for lines, logs and screens; secrets of URLs are masked.
extension TransferEvent.What {
    /// One fact without the name of its transfer: a line may add the URL or the path.
    package var words: SafeText {
        switch self {
        case .added(let job): job.words
        case .started: "started"
        case .response(let status, _, let continuation, _):
            "response " + SafeText(status) + (continuation == .yes ? ", can be resumed" : "")
        case .progress(let figures): figures.words
        case .paused: "paused"
        case .resumed: "resumed"
        case .retrying(let attempt, let after, let reason):
            "retrying, attempt " + SafeText(attempt) + " in "
                + DurationText.elapsed(milliseconds: Int64(max(after, 0) * 1000)) + ": " + SafeText(untrusted: reason)
        case .restarted(let reason): "started again from zero: " + SafeText(untrusted: reason)
        case .sourceDropped(let url, let reason):
            "no longer asks " + SafeText(untrusted: Redaction.url(url)) + ": " + SafeText(untrusted: reason)
        case .sourceTurned(let url, let earlier, let reason):
            "goes on with " + SafeText(untrusted: Redaction.url(url)) + " instead of "
                + SafeText(untrusted: Redaction.url(earlier)) + " (" + SafeText(untrusted: reason) + ")"
        case .notice(let sentence): SafeText(untrusted: sentence)
        case .completed(let completion): completion.words
        case .failed(let failure): "failed: " + SafeText(untrusted: failure.message)
        case .cancelled: "cancelled"
        }
    }

    /// Its line in the log of a row; nil for what the row itself shows.
    package var logLine: SafeText? {
        switch self {
        case .added, .progress: nil
        case .completed(let completion): completion.note.map { words + " (" + SafeText(untrusted: $0) + ")" } ?? words
        default: words
        }
    }
}

extension TransferEvent.Description {
    fileprivate var words: SafeText {
        var line: SafeText = isRepeated ? "is there already: " : "added "
        line += kind.word + " "
        line += SafeText(untrusted: method)
        line += " "
        line += SafeText(untrusted: Redaction.url(url))
        guard let path else { return line }
        line += kind == .upload ? " from " : " to "
        return line + SafeText(untrusted: path)
    }
}

extension TransferEvent.Figures {
    fileprivate var words: SafeText {
        var line: SafeText = isSending ? "sent " : "received "
        line += SizeText.long(moved)
        if let expected, let percent = PercentText.whole(moved, of: expected) {
            line += " of " + SizeText.long(expected) + " (" + percent + ")"
        }
        if let rate = bytesPerSecond { line += ", " + SizeText.longRate(Double(rate)) }
        return line
    }
}

extension TransferEvent.Completion {
    fileprivate var words: SafeText {
        guard !isUnchanged else { return "not changed on the server, the file stays" }
        guard !wasSkipped else { return "skipped, the file is there already" }
        var line: SafeText = "completed, "
        line += SizeText.long(bytes)
        if let seconds { line += " in " + DurationText.elapsed(milliseconds: Int64(max(seconds, 0) * 1000)) }
        switch proof {
        case .matches: line += ", checksum matches"
        case .notFound: line += ", no checksum found, not verified"
        case nil: break
        }
        return lengthWasVerified ? line : line + ", length not verified"
    }
}
