/// What the world is asked to do.
///
/// Effects name transfers by id, never by row.
package enum Effect: Sendable, Equatable {
    case pause([UInt64])
    /// A failed or cancelled transfer is retried, from the bytes it kept; a finished data request is sent again.
    case resume([UInt64])
    case cancel([UInt64], deletingParts: Bool)
    case add([Job])
    /// Drops ended rows from the list; files stay.
    case clear([UInt64])
    /// Moves transfers to another of the five priorities.
    case prioritise([UInt64], by: Int)
    /// Moves waiting transfers to earlier (below zero) or later places in the queue.
    case moveInQueue([UInt64], by: Int)
    /// Sends a data request again and again, so many seconds apart; nil ends that.
    case repeatRequest(UInt64, seconds: Int?)
    /// From now on the details of this transfer are wanted, and of no other.
    case watch(UInt64?)
    /// Asks for the job of a transfer, to fill the add form with.
    case edit(UInt64)
    /// Asks for what transfers were made of, for the clipboard: their URLs, or commands for a shell.
    case quote([UInt64], asCommands: Bool)
    /// Shows a body or a file in the user's pager.
    case view(UInt64)
    /// Writes a data request's body into a new file.
    case writeBody(UInt64, path: String)
    /// Asks what lies where this download would go.
    case lookUp(Job)
    /// Asks for the paths that begin so.
    case completePath(String)
    /// Puts text into the terminal's clipboard.
    case copy(String)
    case setMouse(Bool)
    case setFramesPerSecond(Int)
    case setGlyphs(GlyphSet)
    /// Writes options into the user's configuration file.
    case saveSettings([SettingLine])
    case redrawAll
    case suspendProgram
    /// Leave; whatever is live keeps its part and goes on next time.
    case quit
}
