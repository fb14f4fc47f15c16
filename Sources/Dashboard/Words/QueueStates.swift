import SessionSupport
import TransferValues

/// The state of a row that waits for its hours or for other tasks, or that was skipped.
enum QueueStates {
    static let skipped: SafeText = "skipped"
    static let afterOthers: SafeText = "after task"
    static func from(_ clock: SafeText) -> SafeText { "from \(clock)" }
    static func later(_ days: Int) -> SafeText { "in \(days, "day", "days")" }
}

/// The state of such a row in the details.
enum QueueLines {
    static func runs(_ state: SafeText, _ moment: SafeText) -> SafeText { "\(state), runs \(moment)" }
}
