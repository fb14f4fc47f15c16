/// What is wrong with a value that decides when a task begins, in words that follow the name.
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
}
