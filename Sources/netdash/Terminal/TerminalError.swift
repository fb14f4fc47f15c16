/// Why there is no screen, or no longer one.
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
        case .noTerminalType: "TERM names no terminal"
        case .unknownTerminalType(let name): "the terminal type \(name) is unknown"
        case .unsuitableTerminalType(let name): "the terminal type \(name) cannot show a dashboard"
        case .noTerminal: "standard output is not a terminal"
        case .system(let call, let number): "\(call) failed on the terminal (error \(number))"
        case .screen(let step): "the screen could not be set up (\(step))"
        case .gone: "the terminal has gone"
        }
    }
}
