import CLinux
import SessionCore
import SessionSupport

/// The log of a row that ended in an earlier run, rebuilt from the facts that the session keeps.
extension TransferRow {
    private static let day: Int64 = 86_400_000

    var logLines: [RowDetails.LogLine] {
        let told = events.compactMap { event in
            event.what.logLine.map { Self.line(event.time, $0) }
        }
        guard told.isEmpty, run.isEarlier else { return told }
        let offset = Timestamp.now().milliseconds - cl_monotonic_milliseconds()
        return earlierEvents.map { moment, text in
            Self.line(Timestamp(milliseconds: moment + offset), text)
        }
    }

    /// The events of the earlier run, at moments of the monotonic clock.
    private var earlierEvents: [(moment: Int64, text: SafeText)] {
        guard let endedAt = run.endedAt else { return [] }
        var events: [(moment: Int64, text: SafeText)] = []
        func add(_ moment: Int64, _ what: TransferEvent.What) { events.append((moment, what.words)) }
        if let startedAt = run.startedAt { add(startedAt, .started) }
        let failures = Int64(run.lastStatus.failedAttempts)
        switch run.result {
        case .completed:
            if let status = run.lastStatus.statusCode {
                add(endedAt, .response(status: status, headers: 0, continuation: .unknown))
            }
            let seconds = run.startedAt.map { Double(endedAt - $0) / 1000 }
            add(endedAt, .completed(TransferEvent.Completion(bytes: moved, seconds: seconds)))
        case .failed(let failure):
            if failures > 1 { events.append((endedAt, EventLog.triedTimes(failures))) }
            add(endedAt, .failed(failure))
        case .cancelled: add(endedAt, .cancelled)
        case .unfinished, nil: break
        }
        return events
    }

    private static func line(_ time: Timestamp, _ text: SafeText) -> RowDetails.LogLine {
        // A time of day alone means today.
        let isOld = Timestamp.now().milliseconds - time.milliseconds >= day
        let moment = (isOld ? time.localDay + " " : "") + time.localClock
        return RowDetails.LogLine(time: SafeText(untrusted: moment), text: text)
    }
}
