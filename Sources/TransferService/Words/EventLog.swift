import SessionSupport

/// Events of a task, in lines, logs and on the screen.
package enum EventLog {
    package static func added(_ task: SafeText) -> SafeText { "added \(task)" }
    package static func known(_ task: SafeText) -> SafeText { "already in the list: \(task)" }
    package static func task(_ kind: SafeText, _ method: SafeText, _ url: SafeText) -> SafeText {
        "\(kind) \(method) \(url)"
    }
    package static func taskTo(_ path: SafeText, _ task: SafeText) -> SafeText { "\(task) to \(path)" }
    package static func taskFrom(_ path: SafeText, _ task: SafeText) -> SafeText { "\(task) from \(path)" }
    package static let started: SafeText = "started"
    package static let paused: SafeText = "paused"
    package static let resumed: SafeText = "resumed"
    package static let cancelled: SafeText = "cancelled"
    package static func response(_ status: Int) -> SafeText { "response \(status)" }
    package static func resumableResponse(_ status: Int) -> SafeText { "response \(status), can be resumed" }
    package static func retrying(_ number: Int, in delay: SafeText, _ reason: SafeText) -> SafeText {
        "retry \(number) in \(delay): \(reason)"
    }
    package static func restarted(_ reason: SafeText) -> SafeText { "restarted from zero: \(reason)" }
    package static func mirrorDropped(_ url: SafeText, _ reason: SafeText) -> SafeText {
        "dropped mirror \(url): \(reason)"
    }
    package static func mirrorChanged(from earlier: SafeText, _ reason: SafeText, to url: SafeText) -> SafeText {
        "switched from \(earlier) (\(reason)) to \(url)"
    }
    package static func failed(_ reason: SafeText) -> SafeText { "failed: \(reason)" }
    package static func triedTimes(_ count: Int64) -> SafeText { "tried \(count, "time", "times")" }
    package static func noted(_ words: SafeText, _ note: SafeText) -> SafeText { "\(words) (\(note))" }

    // MARK: - Figures

    package static func sent(_ share: SafeText) -> SafeText { "sent \(share)" }
    package static func received(_ share: SafeText) -> SafeText { "received \(share)" }
    package static func share(_ moved: Int64, of expected: Int64, _ percent: SafeText) -> SafeText {
        "\(SizeText.long(moved)) of \(SizeText.long(expected)) (\(percent))"
    }

    // MARK: - Ends

    package static let unchanged: SafeText = "not modified, file kept"
    package static let skipped: SafeText = "skipped, file already exists"
    package static let archived: SafeText = "skipped, already in the archive"
    package static let completed: SafeText = "completed"
    package static func size(_ bytes: Int64, in time: SafeText) -> SafeText { "\(SizeText.long(bytes)) in \(time)" }
    package static func size(_ bytes: Int64, rest: Int64, in time: SafeText) -> SafeText {
        "\(SizeText.long(bytes)) (\(SizeText.long(rest)) in \(time))"
    }
    package static let checksumMatches: SafeText = "checksum matches"
    package static let noChecksum: SafeText = "no checksum found"
    package static let lengthUnverified: SafeText = "length not verified"
}
