import Dashboard

/// A screen and a keyboard.
///
/// Confined to the thread that created it, and never used from a signal handler. ``start()`` and ``stop()`` are a pair
/// that every end of the program completes: a crash and `exit()` restore the terminal too.
protocol Terminal: AnyObject {
    /// The descriptor to wait on for keys; -1 before ``start()``.
    var descriptor: Int32 { get }
    /// The size of the next frame.
    var size: Size { get }
    /// Known after ``start()``.
    var capabilities: ViewCapabilities { get }
    /// When ``readKeys(now:)`` is due without further bytes: an escape waits for the rest of its sequence.
    var inputDeadline: Int64? { get }
    /// Whether the terminal has not yet taken all of the last frame, which delays the next one.
    var hasUnsentOutput: Bool { get }

    /// Takes control of the terminal.
    ///
    /// Throws when none can show a dashboard; nothing was written then.
    func start() throws(TerminalError)
    /// Restores the terminal. Does nothing the second time.
    func stop()

    /// Shows a surface by sending its difference to the last one.
    ///
    /// A frame is one write. If the terminal does not take it the rest is kept, later frames are dropped until
    /// ``flush()`` has sent it, and the next frame then shows their content.
    func draw(_ surface: Surface) throws(TerminalError)
    /// Sends what the terminal has not taken yet, as far as it takes it now.
    func flush() throws(TerminalError)
    /// Makes the next frame repaint every cell.
    func redrawAll()
    /// Reads the terminal's size for the next frame.
    func updateSize() -> Size

    /// Reads what was typed until `now`, in milliseconds of the monotonic clock.
    func readKeys(now: Int64) throws(TerminalError) -> [TerminalInput]

    /// Restores the terminal temporarily.
    func suspend()
    /// Takes control of the terminal again; returns false if another process group owns it now.
    func resumeAfterStop() -> Bool

    /// Enables reports of clicks and the wheel, during which the terminal selects text only with Shift pressed.
    func setMouse(_ isOn: Bool)
    /// Draws with other characters from the next frame on.
    func setGlyphs(_ glyphs: GlyphSet)
    /// Draws with another theme from the next frame on.
    func setTheme(_ theme: Theme)
    /// Sets the window's title from the next frame on, where it has one.
    func setTitle(_ title: SafeText)
    /// Shows progress in the terminal's taskbar or tab from the next frame on, where it has one.
    func setProgress(_ progress: TaskbarProgress)
    /// Rings the bell and shows a notification, where the terminal supports them.
    func announce(_ announcement: Announcement)
    /// Copies text to the terminal's clipboard, if it allows that; returns false for too long a text.
    func copy(_ text: String) -> Bool
}

/// One input from the terminal.
enum TerminalInput: Sendable, Equatable {
    case key(KeyPress)
    /// Complete pasted text: lines end in `\n`, and it contains no other control character.
    case paste(String)
    /// A click or a turn of the wheel.
    case mouse(MouseEvent)
    /// Whether the terminal's window has the focus now.
    case focus(Bool)
}

/// The reason why the screen is missing or lost.
enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// `TERM` is unset, or names no screen.
    case noTerminalType
    /// The terminal database does not contain this `TERM`.
    case unknownTerminalType(String)
    /// The terminal cannot move its cursor.
    case unsuitableTerminalType(String)
    /// Standard output is no terminal, or it cannot be opened.
    case noTerminal
    /// A system call failed.
    case system(call: String, errno: Int32)
    /// ncurses refused a call that it should never refuse.
    case screen(String)
    /// The terminal has hung up: nothing can be read or written any more.
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
