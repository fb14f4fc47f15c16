/// How far everything is, for the place outside the window where some terminals show that.
package enum TaskbarProgress: Sendable, Equatable {
    /// Nothing moves, and nothing waits for the user.
    case none
    case percent(Int)
    /// Something moves whose length nobody knows.
    case unknown
    /// Everything that is left is paused.
    case paused(Int)
}
