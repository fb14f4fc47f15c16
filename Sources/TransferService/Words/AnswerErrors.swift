/// Why nothing can follow a response.
enum AnswerErrors {
    static func noAddress(_ text: String) -> String { "\(text) is no http or https URL" }
    static func loop(_ url: String) -> String { "The next page is an earlier one: \(url)" }
}
