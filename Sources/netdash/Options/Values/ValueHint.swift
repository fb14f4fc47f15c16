/// What a shell can complete for the value of an option.
enum ValueHint: Sendable, Equatable {
    /// Nothing, as for a number.
    case none
    case words([String])
    /// Words that more text follows without a blank.
    case stems([String])
    case file
    case folder
    /// A file after an @; other text is literal.
    case fileBehindAt
    /// The name of a saved session.
    case session
}
