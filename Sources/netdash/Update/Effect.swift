/// What the world is asked to do.
///
/// Effects name transfers by id, never by row.
enum Effect: Sendable, Equatable {
    case pause([UInt64])
    /// A failed or cancelled transfer is retried, from the bytes it kept.
    case resume([UInt64])
    case cancel([UInt64], deletingParts: Bool)
    case add([Job])
    /// Drops ended rows from the list; files stay.
    case clear([UInt64])
    /// Puts text into the terminal's clipboard.
    case copy(String)
    case redrawAll
    case suspendProgram
    /// Leave; `saving` keeps parts and resume facts of whatever is live.
    case quit(saving: Bool)
}
