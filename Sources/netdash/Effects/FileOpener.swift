import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport

/// Opens files and folders with the user's own program.
struct FileOpener: Sendable {
    /// How to open a path.
    enum Plan: Equatable {
        /// Copies the path to the clipboard; the reason says why nothing is opened.
        case copy(reason: SafeText)
        /// Runs a shell command with the path as its one argument.
        case run(String)
    }

    /// The command of the configuration file; nil for the desktop's own.
    let command: String?
    let environment: [String: String]
    /// Whether an executable file has this path.
    let isProgram: @Sendable (String) -> Bool

    /// The desktop's own command.
    private static let usual = "xdg-open"

    init(
        command: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        isProgram: @escaping @Sendable (String) -> Bool = { access($0, X_OK) == 0 }
    ) {
        (self.command, self.environment, self.isProgram) = (command, environment, isProgram)
    }

    /// Decides how to open here: over ssh or without a display the user would not see it, and some machines lack the
    /// command.
    var plan: Plan {
        func has(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        if has("SSH_CONNECTION") { return .copy(reason: OpeningReasons.remote) }
        if let command { return .run(command) }
        if !has("DISPLAY"), !has("WAYLAND_DISPLAY") { return .copy(reason: OpeningReasons.noDisplay) }
        let folders = environment["PATH"]?.split(separator: ":") ?? []
        guard folders.contains(where: { isProgram("\($0)/\(Self.usual)") }) else {
            return .copy(reason: OpeningReasons.noProgram)
        }
        return .run(Self.usual)
    }

    /// Runs a command with a path and waits for its end; returns nil on success, else the problem.
    ///
    /// Some desktops' commands return only when the program ends: call it on a separate thread.
    static func run(_ command: String, _ path: String) -> SafeText? {
        let name = SafeText(untrusted: command)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return CommandErrors.notStarted(name) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return CommandErrors.notStarted(name) }
        defer { posix_spawnattr_destroy(&attributes) }
        guard prepare(&actions, &attributes) else { return CommandErrors.notStarted(name) }
        // The path is a separate argument, so that no name can become a command.
        let words = ["sh", "-c", "exec \(command) \"$1\"", "sh", path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ)
        guard result == 0 else { return CommandErrors.notStarted(name, SafeText(untrusted: SystemWords.text(result))) }
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, 0)
            if ended < 0, errno == EINTR { continue }
            guard ended == child else { return CommandErrors.lost(name) }
            break
        }
        let code = (status >> 8) & 0xFF
        if status & 0x7F == 0, code == 0 { return nil }
        if code == 126 || code == 127 { return CommandErrors.notStarted(name) }
        return CommandErrors.notOpened(name, SafeText(untrusted: path))
    }

    /// Starts the program in a new session without this terminal, with default signals.
    private static func prepare(
        _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) -> Bool {
        var none = sigset_t()
        var own = sigset_t()
        guard posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDWR, 0) == 0,
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO) == 0,
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO) == 0,
            sigemptyset(&none) == 0, sigemptyset(&own) == 0,
            // Only this program ignores these.
            sigaddset(&own, SIGPIPE) == 0, sigaddset(&own, SIGXFSZ) == 0,
            posix_spawnattr_setsigmask(&attributes, &none) == 0,
            posix_spawnattr_setsigdefault(&attributes, &own) == 0
        else { return false }
        let flags = CInt(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | cl_spawn_own_session()
        return posix_spawnattr_setflags(&attributes, Int16(flags)) == 0
    }
}
