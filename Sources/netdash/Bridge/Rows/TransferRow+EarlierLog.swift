import CLinux
import Dashboard
import SessionCore
import SessionSupport

/// The log of a row that ended in an earlier run, of which the session keeps the facts and not the lines.
extension TransferRow {
    private static let day: Int64 = 86_400_000

    /// The lines of its own log.
    var logLines: [RowDetails.LogLine] {
        let told = events.compactMap { event in
            Self.logLine(of: event.what).map { Self.line(event.time, $0) }
        }
        guard told.isEmpty, run.isEarlier else { return told }
        let offset = Timestamp.now().milliseconds - cl_monotonic_milliseconds()
        return earlierFacts.map { moment, text in
            Self.line(Timestamp(milliseconds: moment + offset), text)
        }
    }

    /// What is known of the earlier run, with the moments of the program's clock.
    private var earlierFacts: [(moment: Int64, text: SafeText)] {
        guard let endedAt = run.endedAt else { return [] }
        var facts: [(moment: Int64, text: SafeText)] = []
        if let startedAt = run.startedAt { facts.append((startedAt, "started")) }
        let failures = Int64(run.lastStatus.failedAttempts)
        switch run.result {
        case .completed:
            if let status = run.lastStatus.statusCode { facts.append((endedAt, "answered with " + SafeText(status))) }
            let done = run.startedAt.map { Self.doneLine(bytes: moved, milliseconds: endedAt - $0) }
            facts.append((endedAt, done ?? "done: " + SizeText.short(moved)))
        case .failed(let failure):
            if failures > 1 { facts.append((endedAt, "tried " + SafeText(failures) + " times")) }
            facts.append((endedAt, "failed: " + named(failure.message)))
        case .cancelled: facts.append((endedAt, "cancelled"))
        case .unfinished, nil: break
        }
        return facts
    }

    static func doneLine(bytes: Int64, milliseconds: Int64) -> SafeText {
        "done: " + SizeText.short(bytes) + " in " + DurationText.elapsed(milliseconds: milliseconds)
    }

    private static func line(_ time: Timestamp, _ text: SafeText) -> RowDetails.LogLine {
        // A time of day alone means today.
        let isOld = Timestamp.now().milliseconds - time.milliseconds >= day
        let moment = (isOld ? time.localDay + " " : "") + time.localClock
        return RowDetails.LogLine(time: SafeText(untrusted: moment), text: text)
    }
}
