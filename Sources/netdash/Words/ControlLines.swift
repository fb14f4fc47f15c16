import Dashboard
import SessionSupport

/// Output of the commands for a running service.
enum ControlLines {
    /// The session that commands mean without a name.
    static let defaultSession = SessionLines.defaultSession

    static func noService(_ session: SafeText) -> SafeText {
        "No service runs for session \(session); start one with: \(command("serve", session))"
    }
    static func notStarted(_ session: SafeText) -> SafeText {
        "The service did not start; \(command("serve", session)) says why"
    }
    static func command(_ word: SafeText, _ session: SafeText) -> SafeText { SessionLines.command(word, session) }
    static func noForwardedService(_ path: SafeText) -> SafeText { "No service answers at $NETDASH_SOCKET, \(path)" }
    static let serviceAway: SafeText = "the service does not answer"
    static func added(_ id: UInt64) -> SafeText { "\(id)" }
    static func addedUnsaved(_ reason: SafeText) -> SafeText { "Tasks run, but a crash would lose them: \(reason)" }
    static func repeated(_ count: Int) -> SafeText { "\(count, "task was", "tasks were") in the list already" }
    static func paused(_ count: Int) -> SafeText { "Paused \(count, "task", "tasks")" }
    static func resumed(_ count: Int) -> SafeText { "Resumed \(count, "task", "tasks")" }
    static func cancelled(_ count: Int) -> SafeText { "Cancelled \(count, "task", "tasks")" }
    static func retried(_ count: Int) -> SafeText { "Retried \(count, "task", "tasks")" }
    static func limited(_ count: Int) -> SafeText { "Limited \(count, "task", "tasks")" }
    static func limited(_ rate: SafeText) -> SafeText { "Download limit: \(rate)" }
    static let stoppedByAnother: SafeText = "The service was stopped before this was done"
    static let eventsLost: SafeText = "Some events were lost, because they were not read in time"
    static let noHistory: SafeText = "No matching ended task"
    static func day(_ day: HistoryDay) -> SafeText {
        "\(day.day)  \(day.count, "task", "tasks"), \(SizeText.long(day.bytes)), \(day.failures) failed"
    }
    static func end(_ line: HistoryLine) -> SafeText {
        let entry = line.entry
        let words = [
            line.time, entry.outcome.state.word, SizeText.long(entry.bytes),
            entry.rate.map { SizeText.rate($0) } ?? .empty,
            entry.name, entry.host, entry.reason ?? .empty,
        ]
        return "  " + words.filter { !$0.string.isEmpty }.joined(by: "  ")
    }
    static func onlyPaused(_ count: Int, _ session: SafeText) -> SafeText {
        "Waiting for \(count, "paused task", "paused tasks"): nothing runs until \(command("resume", session))"
    }
    static let noTask: SafeText = "No matching task"
    static func unfit(_ nothing: SafeText, _ counts: SafeText) -> SafeText { "\(nothing): \(counts)" }
    static let stopped: SafeText = "Service stopped; tasks resume on next start"
    static func service(_ process: Int32, _ session: SafeText) -> SafeText {
        "Service \(process), session \(session)"
    }
    static func ready(_ session: SafeText, _ path: SafeText) -> SafeText {
        "Serving session \(session) at \(path)"
    }
    static func notListening(_ reason: SafeText) -> SafeText { "Not listening: \(reason)" }
}
