import Dashboard
import SessionSupport

/// Why the user's pager, or the command that opens files, has not done it.
enum CommandErrors {
    static let pagerNotStarted: SafeText = "Cannot start the pager"
    static let pagerLost: SafeText = "Cannot wait for the pager"

    static func pagerNotStarted(_ reason: SafeText) -> SafeText { "Cannot start the pager: \(reason)" }

    static func notStarted(_ command: SafeText) -> SafeText { "Cannot start \(command)" }

    static func notStarted(_ command: SafeText, _ reason: SafeText) -> SafeText {
        "Cannot start \(command): \(reason)"
    }

    static func lost(_ command: SafeText) -> SafeText { "Cannot wait for \(command)" }

    static func notOpened(_ command: SafeText, _ path: SafeText) -> SafeText { "\(command) could not open \(path)" }

    // MARK: - Hooks

    static let hooksFull: SafeText = "Hook queue full: skipping hooks of further tasks"

    static func exitStatus(_ status: Int32) -> SafeText { "exit status \(status)" }

    static func signal(_ number: Int32) -> SafeText { "ended by signal \(number)" }

    static func cause(_ cause: SafeText, _ line: SafeText) -> SafeText { "\(cause): \(line)" }

    static func hook(_ hook: SafeText, _ cause: SafeText) -> SafeText { "\(hook) command failed: \(cause)" }

    static func hook(_ hook: SafeText, for task: SafeText, _ cause: SafeText) -> SafeText {
        "\(hook) command for \(task) failed: \(cause)"
    }

    static func hooksSkipped(_ count: Int) -> SafeText { "\(count, "hook command", "hook commands") not started" }

    static func hooksRunning(_ count: Int) -> SafeText { "\(count, "hook command", "hook commands") still running" }

    static func hooks(running: Int, skipped: Int) -> SafeText {
        "\(running, "hook command", "hook commands") still running, \(skipped) not started"
    }
}
