import Dashboard
import TransferService

/// Why the program does not begin, or not with its dashboard, in words that follow its name or an argument.
enum ProgramErrors {
    static let nothingToDo = "no URL given; the dashboard needs a terminal (see netdash --help)"
    static let nothingToPreview = "no URL given; --dry-run needs a URL or a list"
    static let retryNeedsSession = "needs a saved session; add --session NAME"
    static let inBackground = "started in the background; using --plain (start without & for the dashboard)"
    static let visibleSecret = "secrets on the command line are visible in ps; use @env: or @file:"

    static func serviceRuns(_ options: String) -> String { "The service runs already, without \(options)" }

    static func serviceTakesForWindow(_ options: String) -> String {
        "The service runs already: \(options) only for tasks that this window adds"
    }

    static func restartedWithout(_ options: String) -> String {
        "The service restarted without \(options): a secret stays off the disk"
    }

    static let startedAnew = "The service could not start with its earlier settings, so it has the ones of this command"

    static func cannotStart(_ reason: String) -> String { "cannot start: \(reason)" }

    static func plainInstead(_ reason: String) -> String { "\(reason); using --plain" }

    static func notUTF8(argument number: Int) -> String {
        "argument \(number) is not UTF-8 text: a path must be; other bytes can be in a file, @FILE or NAME@FILE"
    }

    static func notUTF8(variable name: String) -> String { "\(name) is not UTF-8 text; set it to a path that is" }

    static func currentFolder(_ problem: CurrentFolder.Problem) -> String {
        switch problem {
        case .isGone: "the current folder no longer exists; change to another one, or name one with -d"
        case .isNoText: "the path of the current folder is not UTF-8 text; change to another one, or name one with -d"
        }
    }

    static func noDemoFolder(_ path: String, _ reason: String) -> String {
        "cannot make its files in \(path): \(reason); set TMPDIR to another folder"
    }

    static func addressSpace(_ limit: Int64, needed: Int64) -> String {
        "address space is limited to \(limit) MiB (ulimit -v), \(needed) MiB are needed"
    }

    static func threads(_ reason: String) -> String { "cannot create a thread: \(reason)" }

    static func parts(_ reason: SafeText) -> SafeText { "parts: \(reason)" }

    // MARK: - Terminal

    static let noTerminalType = "TERM is unset or names no terminal"
    static let noTerminal = "stdout is not a terminal"
    static let terminalGone = "the terminal was closed"

    static func unknownTerminal(_ name: String) -> String { "unknown terminal type \(name)" }

    static func unsuitableTerminal(_ name: String) -> String { "the terminal type \(name) cannot show a dashboard" }

    static func terminalCall(_ call: String, _ number: Int32) -> String {
        "\(call) failed on the terminal (error \(number))"
    }

    static func screen(_ step: String) -> String { "the screen cannot be set up (\(step) failed)" }
}
