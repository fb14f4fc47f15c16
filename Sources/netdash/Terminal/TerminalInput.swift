import Dashboard

/// One thing that came from the terminal's keyboard side.
enum TerminalInput: Sendable, Equatable {
    case key(KeyPress)
    /// Pasted text, complete: lines end in `\n`, and no other control character is in it.
    case paste(String)
    /// A click or a turn of the wheel.
    case mouse(MouseEvent)
    /// Whether the terminal's window has the focus now.
    case focus(Bool)
}
