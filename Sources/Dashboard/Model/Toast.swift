/// A line above the footer that says what happened, for a while.
struct Toast: Sendable, Equatable {
    /// How long an ordinary one stays, in milliseconds.
    static let duration: Int64 = 4000
    /// How long one that offers an undo stays.
    static let undoDuration: Int64 = 5000
    /// How long an error stays, unless Esc has dismissed it before.
    static let errorDuration: Int64 = 15_000

    var text: SafeText
    var isError: Bool
    var expiresAt: Int64
    /// How many times in a row it was said.
    var count = 1
}
