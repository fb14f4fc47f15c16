/// Errors in a value that decides when a task begins, in words that follow the name.
enum QueueUsage {
    static func start(_ text: String) -> String {
        "\"\(text)\" is not a time; write 22:00, +2h30m or 2026-11-28 22:00"
    }

    static func hours(_ text: String) -> String {
        "\"\(text)\" is not hours of the day; write 22:00-06:00, several between commas"
    }

    static func priority(_ text: String, words: String) -> String {
        "\"\(text)\" is not one of \(words), or a number from -2 to 2"
    }

    // MARK: - Tasks that wait for others

    static func taskName(_ text: String, _ limit: Int) -> String {
        "expected a name of 1 to \(limit) bytes without commas, found \"\(text)\""
    }

    static func tooManyPredecessors(_ limit: Int) -> String { "more than \(limit) names" }

    static func nameTwice(_ name: String, _ first: String) -> String { "id=\(name) is already at \(first)" }

    static func noName(_ name: String) -> String { "after=\(name): no entry has id=\(name)" }

    static func noNameAbove(_ name: String) -> String {
        "after=\(name): no entry above has id=\(name), and the list is still arriving"
    }

    static func circle(_ names: String) -> String { "waits for itself: \(names)" }
}

/// Reasons of tasks that wait for others.
package enum PredecessorLines {
    package static func predecessorFailed(_ name: String) -> String { "Not started, because \"\(name)\" failed" }
    package static func predecessorCancelled(_ name: String) -> String {
        "Not started, because \"\(name)\" was cancelled"
    }
    package static func noPredecessor(_ name: String) -> String { "Not started, because \"\(name)\" is missing" }
}
