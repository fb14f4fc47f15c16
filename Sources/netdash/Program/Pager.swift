import CLinux
import Dashboard
import Glibc
import SessionSupport

/// Shows text in the user's pager.
///
/// Release the terminal first. Transfers continue: only the main thread waits.
struct Pager {
    /// The command, as a shell reads it.
    let command: String

    /// The pager of the environment, `less` without one.
    init(environment: [String: String]) {
        let named = environment["PAGER", default: ""]
        command = named.isEmpty ? "less" : named
    }

    /// Shows a file and returns when the user has left the pager; nil on success, else the problem.
    func show(_ path: String) -> SafeText? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return CommandErrors.pagerNotStarted }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return CommandErrors.pagerNotStarted }
        defer { posix_spawnattr_destroy(&attributes) }
        guard prepare(&actions, &attributes) else { return CommandErrors.pagerNotStarted }
        // The path is a separate argument, so that no name can become a command.
        let words = ["sh", "-c", command + " -- \"$1\"", "sh", path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ)
        guard result == 0 else {
            return CommandErrors.pagerNotStarted(SafeText(untrusted: SystemWords.text(result)))
        }
        return StuckWatch.pausing { wait(for: child) }
    }

    /// Connects the pager's standard error to the terminal and resets its signals: a new program loses handlers, but
    /// keeps ignored signals ignored.
    private func prepare(
        _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) -> Bool {
        var none = sigset_t()
        var own = sigset_t()
        guard posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO) == 0,
            sigemptyset(&none) == 0, sigemptyset(&own) == 0,
            // Only this program ignores these.
            sigaddset(&own, SIGPIPE) == 0, sigaddset(&own, SIGXFSZ) == 0,
            posix_spawnattr_setsigmask(&attributes, &none) == 0,
            posix_spawnattr_setsigdefault(&attributes, &own) == 0
        else { return false }
        return posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0
    }

    /// Waits for the end; when the user stops the pager, this program stops with it.
    private func wait(for child: pid_t) -> SafeText? {
        var status: Int32 = 0
        while true {
            let result = waitpid(child, &status, WUNTRACED)
            if result < 0, errno == EINTR { continue }
            guard result == child else { return CommandErrors.pagerLost }
            guard status & 0xFF == 0x7F else { break }
            _ = kill(getpid(), SIGSTOP)
        }
        let code = (status >> 8) & 0xFF
        guard status & 0x7F == 0, code == 126 || code == 127 else { return nil }
        return CommandErrors.pagerNotStarted(SafeText(untrusted: command))
    }
}
