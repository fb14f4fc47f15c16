import LoopbackServer

/// Rows, how they come into their states, and the screens to look at.
struct GoldenScene: Sendable, CustomStringConvertible {
    var name: String
    /// An input list, with `@` where a URL begins; empty for a dashboard without rows.
    var list = ""
    /// What a server has to do for it.
    var setRoutes: @Sendable (LoopbackServer) throws -> Void = { _ in }
    /// What the first dashboard waits for and does.
    var prepare: @Sendable (PseudoTerminal) async throws -> Void = { _ in }
    /// What a dashboard shows once it has begun to stand still.
    var isReady: @Sendable (String) -> Bool
    var steps: [GoldenStep]
    var description: String { name }

    static let all = [empty, table, strange]
}
