/// What a transfer asks its caller instead of deciding it alone.
struct Questions: OptionSet, Sendable {
    let rawValue: UInt8

    /// What becomes of a response, after its final head.
    static let disposition = Questions(rawValue: 1)
    /// Whether a redirect is followed, and with what.
    static let redirect = Questions(rawValue: 2)
    /// What a server that asks for proof is shown, and whether its own is believed.
    static let challenge = Questions(rawValue: 4)
    /// A body that has to be sent again and cannot be read again.
    static let body = Questions(rawValue: 8)
    /// No question: chunks of a body that is collected are told too.
    static let chunks = Questions(rawValue: 16)
}

/// Who knows which questions somebody would answer now.
///
/// Read by the loop when the question comes up, so that a closure that is set while a transfer runs is asked; never for
/// each chunk.
protocol QuestionSource: Sendable {
    /// Returns at once.
    var questions: Questions { get }
}
