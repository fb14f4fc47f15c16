import Dashboard

/// What the event loop tells the program.
enum LoopEvent<Message: Sendable>: Sendable {
    /// Everything typed since the last turn.
    case input([TerminalInput])
    /// Everything posted since the last turn.
    case messages([Message])
    case resized(Size)
    /// The moment the program asked to be woken at has come.
    case deadline
    /// The program was stopped, or another program had the terminal, and now it runs in the foreground again.
    case returned
    /// A signal asks the program to end. A second one ends the loop at once without asking.
    case endRequested(signal: Int32)
    /// The terminal's other side has gone; nothing can be shown any more.
    case terminalGone
}

/// What the program wants done after an event.
struct LoopReaction: Sendable, Equatable {
    /// How soon the change has to be seen; nil when nothing visible changed.
    var frame: FramePacer.Urgency?
    /// Whether to stop the process as `^Z` does.
    var suspends = false
    /// Another rate for frames of progress.
    var framesPerSecond: Int?
    /// Whether somebody looks: without the focus progress is drawn once a second.
    var hasFocus: Bool?
    /// Ends the loop with this status.
    var exitStatus: Int32?

    /// Nothing to do.
    static let none = LoopReaction()

    /// A reaction that shows a change.
    static func draw(_ urgency: FramePacer.Urgency) -> LoopReaction { LoopReaction(frame: urgency) }
}
