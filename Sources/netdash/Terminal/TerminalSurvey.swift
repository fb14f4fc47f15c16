import CNcurses
import Dashboard
import Glibc

/// Inspects the terminal on standard output without changing it.
enum TerminalSurvey {
    /// ncurses with its version: `ncurses/6.4`.
    static var library: String {
        let words = curses_version().map { String(cString: $0) } ?? ""
        return "ncurses/" + (words.split(separator: " ").last ?? "")
    }

    /// The terminal's size, and why it cannot show a dashboard.
    static func look(type: String?) -> (size: Size, problem: String?) {
        var rows: Int32 = 0
        var columns: Int32 = 0
        let knowsSize = cn_device_size(STDOUT_FILENO, &rows, &columns) == 0
        let size = knowsSize ? Size(columns: Int(columns), rows: Int(rows)) : Size(columns: 80, rows: 24)
        guard let type, !type.isEmpty, type != "dumb", type != "unknown" else {
            return (size, TerminalError.noTerminalType.description)
        }
        switch cn_terminal_is_suitable(type, STDOUT_FILENO) {
        case CN_OPENED: return (size, nil)
        case CN_UNKNOWN_TERMINAL: return (size, TerminalError.unknownTerminalType(type).description)
        default: return (size, TerminalError.unsuitableTerminalType(type).description)
        }
    }
}
