/// What is wrong with a value that decides when a task begins, in words that follow the name.
enum QueueUsage {
    static func priority(_ text: String, words: String) -> String {
        "\"\(text)\" is not one of \(words), or a number from -2 to 2"
    }
}
