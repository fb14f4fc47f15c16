import Dashboard

/// A screen and a keyboard.
///
/// Confined to the thread that created it, and never used from a signal handler. ``start()`` and ``stop()`` are a pair
/// that every way out of the program completes: a crash and `exit()` restore the terminal too.
protocol Terminal: AnyObject {
    /// The descriptor to wait on for keys; -1 before ``start()``.
    var descriptor: Int32 { get }
    /// The size the next frame is drawn at.
    var size: Size { get }
    /// The abilities of this terminal; known after ``start()``.
    var capabilities: ViewCapabilities { get }
    /// The moment at which ``readKeys(now:)`` is due although no byte came: an escape that waits for the rest of its
    /// sequence.
    var inputDeadline: Int64? { get }
    /// Whether the terminal has not yet taken all of the last frame. No frame is drawn until it has.
    var hasUnsentOutput: Bool { get }

    /// Gains control of the terminal.
    ///
    /// Throws when there is none that can show a dashboard; nothing was written then.
    func start() throws(TerminalError)
    /// Gives the terminal back as it was. Does nothing the second time.
    func stop()

    /// Shows a surface by sending what differs from the last one: nothing when nothing does.
    ///
    /// A frame leaves in one write. When the terminal does not take it the rest is kept, later frames are dropped until
    /// ``flush()`` has sent it, and the next frame then shows what the dropped ones would have.
    func draw(_ surface: Surface) throws(TerminalError)
    /// Sends what the terminal has not taken yet, as far as it takes it now.
    func flush() throws(TerminalError)
    /// The next frame repaints every cell.
    func redrawAll()
    /// Asks the terminal for its size; the next frame has it.
    func updateSize() -> Size

    /// Reads what was typed until now. `now` is in milliseconds of the monotonic clock.
    func readKeys(now: Int64) throws(TerminalError) -> [TerminalInput]

    /// Gives the terminal back for a while.
    func suspend()
    /// Gains control of the terminal again, unless another process group owns it now: then it is left alone and this is
    /// false.
    func resumeAfterStop() -> Bool

    /// Whether clicks and the wheel are reported; while they are, the terminal selects text only with Shift held.
    func setMouse(_ isOn: Bool)
    /// Draws with other characters from the next frame on.
    func setGlyphs(_ glyphs: GlyphSet)
    /// Names the terminal's window from the next frame on, where it has one.
    func setTitle(_ title: SafeText)
    /// Shows progress in the terminal's taskbar or tab from the next frame on, where it has one.
    func setProgress(_ progress: TaskbarProgress)
    /// Rings the bell and shows a notification, as far as the terminal has either.
    func announce(_ announcement: Announcement)
    /// Puts text into the clipboard of the terminal, if it lets programs do so. Long text is refused with false.
    func copy(_ text: String) -> Bool
}

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

/// The reason why there is no screen, or no longer one.
enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// `TERM` is unset, or says that there is no screen.
    case noTerminalType
    /// The terminal database does not know this `TERM`.
    case unknownTerminalType(String)
    /// The terminal cannot move its cursor.
    case unsuitableTerminalType(String)
    /// Standard output is no terminal, or it cannot be opened.
    case noTerminal
    /// A system call failed.
    case system(call: String, errno: Int32)
    /// ncurses refused something it should never refuse.
    case screen(String)
    /// The terminal's other side has hung up: nothing can be read or written any more.
    case gone

    var description: String {
        switch self {
        case .noTerminalType: ProgramErrors.noTerminalType
        case .unknownTerminalType(let name): ProgramErrors.unknownTerminal(name)
        case .unsuitableTerminalType(let name): ProgramErrors.unsuitableTerminal(name)
        case .noTerminal: ProgramErrors.noTerminal
        case .system(let call, let number): ProgramErrors.terminalCall(call, number)
        case .screen(let step): ProgramErrors.screen(step)
        case .gone: ProgramErrors.terminalGone
        }
    }
}
