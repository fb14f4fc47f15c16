import Dashboard

/// Texts of the terminal's notifications.
enum NotifierLines {
    static let nothingToDo: SafeText = "nothing to do"

    static func program(_ text: SafeText) -> SafeText { "netdash: \(text)" }

    static func completed(_ name: SafeText) -> SafeText { "\(name) completed" }

    static func failed(_ name: SafeText, _ cause: SafeText) -> SafeText { "\(name) failed: \(cause)" }

    static func allDone(_ counts: SafeText) -> SafeText { "all done: \(counts)" }

    static func completed(_ count: Int) -> SafeText { "\(count) completed" }

    static func failed(_ count: Int) -> SafeText { "\(count) failed" }

    static func cancelled(_ count: Int) -> SafeText { "\(count) cancelled" }
}
