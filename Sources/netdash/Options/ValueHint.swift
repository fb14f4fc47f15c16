/// The help that a shell can give with the value of an option.
enum ValueHint: Sendable, Equatable {
    /// Nothing, as with a number.
    case none
    /// One of some words.
    case words([String])
    /// Words that something is written behind at once.
    case stems([String])
    case file
    case folder
    /// A file behind an @; other text is itself.
    case fileBehindAt
    /// The name of a saved session.
    case session
}
