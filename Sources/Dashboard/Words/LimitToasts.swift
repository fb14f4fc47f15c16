/// How many run at once, and how fast bodies may move.
package enum LimitToasts {
    package static func counts(_ all: Int, perHost: Int) -> SafeText { "\(all) total, \(perHost) per host" }
    package static func maximum(_ counts: SafeText) -> SafeText { "\(counts) (maximum)" }
    package static func minimum(_ counts: SafeText) -> SafeText { "\(counts) (minimum)" }
    package static func runningContinue(_ counts: SafeText) -> SafeText { "\(counts); running tasks continue" }
    package static func restored(_ limits: SafeText) -> SafeText { "Restored limits: \(limits)" }
    package static func speeds(_ rates: SafeText) -> SafeText { "Speed limits: \(rates)" }
    package static func downloads(_ down: SafeText, uploads up: SafeText) -> SafeText {
        "Download limit \(down); upload limit stays \(up)"
    }
    package static func tasks(_ count: Int, _ rates: SafeText) -> SafeText {
        "Limited \(count, "task", "tasks"): \(rates)"
    }
    package static func tasksFreed(_ count: Int) -> SafeText { "\(count, "task", "tasks") on the global limit" }
}

/// Limits of speed in words.
package enum LimitLabels {
    /// A direction without its own limit.
    package static let global: SafeText = "global"
    package static func both(_ down: SafeText, _ up: SafeText) -> SafeText { "down \(down), up \(up)" }
    package static func timetables(_ down: SafeText, _ up: SafeText) -> SafeText { "down \(down); up \(up)" }
    package static func rates(_ down: SafeText, _ up: SafeText) -> SafeText { "down \(down) · up \(up)" }
}

/// Errors in a limit that was typed.
package enum LimitErrors {
    package static func invalid(_ problem: SafeText) -> SafeText { "Limit \(problem)" }
}
