/// Why nothing can follow a response.
enum AnswerErrors {
    static func noAddress(_ text: String) -> String { "\(text) is no http or https URL" }
}
