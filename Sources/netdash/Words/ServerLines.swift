import Dashboard
import SessionSupport

/// Lines about servers that get fewer requests than the tasks would send.
enum ServerLines {
    static let networkDown: SafeText = "network down, transfers waiting"
    static let networkBack: SafeText = "network back"

    static func backingOff(_ host: SafeText, _ cause: SafeText, retryIn time: SafeText) -> SafeText {
        "\(host) backing off (\(cause)), retry in \(time)"
    }

    static func available(_ host: SafeText) -> SafeText { "\(host) available again" }

    static func limited(_ host: SafeText, to count: Int) -> SafeText {
        "\(host) limited to \(count, "task", "tasks") at once after failures"
    }

    static func unlimited(_ host: SafeText) -> SafeText { "\(host) no longer limited" }
}

/// Additions to a task's line beside the words of the event.
enum PlainLines {
    static func line(_ time: SafeText, _ text: SafeText) -> SafeText { "\(time) \(text)" }

    static func task(_ time: SafeText, _ id: UInt64, _ text: SafeText) -> SafeText { "\(time) #\(id) \(text)" }

    static func event(_ words: SafeText, _ target: SafeText) -> SafeText { "\(words): \(target)" }

    static func noted(_ line: SafeText, _ note: SafeText) -> SafeText { "\(line) (\(note))" }

    static func partKept(_ path: SafeText) -> SafeText { "kept \(path)" }

    static func paused(_ id: UInt64, _ url: SafeText) -> SafeText { "#\(id) unfinished, paused: \(url)" }

    static func waits(_ id: UInt64, for name: SafeText, _ url: SafeText) -> SafeText {
        "#\(id) unfinished, waiting for \(name): \(url)"
    }

    static func morePaused(_ count: Int) -> SafeText {
        "\(count, "more task is", "more tasks are") unfinished, paused or waiting"
    }
}
