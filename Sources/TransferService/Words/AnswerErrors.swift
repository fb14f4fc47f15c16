/// Why nothing can follow a response.
enum AnswerErrors {
    static func noAddress(_ text: String) -> String { "Not an http or https URL: \(text)" }
    static func loop(_ url: String) -> String { "Page loop: \(url)" }
}
