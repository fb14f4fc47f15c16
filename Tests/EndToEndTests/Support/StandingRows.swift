import LoopbackServer

/// Rows that stand still, how they come into their states, and the screens to look at.
struct StandingRows: Sendable, CustomStringConvertible {
    var name: String
    /// An input list, with `@` where a URL begins, or `~` for another name of the server.
    var list: String
    /// What a server has to do for it.
    var setRoutes: @Sendable (LoopbackServer) throws -> Void
    /// What the first dashboard waits for and does.
    var prepare: @Sendable (PseudoTerminal) async throws -> Void
    /// What a dashboard shows once it has begun to stand still.
    var isReady: @Sendable (String) -> Bool
    var steps: [Step]
    var description: String { name }

    /// A screen to look at: the keys that lead there, what it has to say, and the keys that lead back.
    struct Step: Sendable {
        /// Typed in one go.
        var keys: String
        /// What stands on the screen then.
        var words: [String]
        /// Lead back, one after the other.
        var back: [String]

        init(_ keys: String, _ words: String..., back: [String] = []) {
            self.keys = keys
            self.words = words
            self.back = back
        }
    }
}
