import CLinux
import Glibc

/// A source of signals for the event loop.
protocol SignalSource: AnyObject {
    /// Readable while signals wait.
    var descriptor: Int32 { get }
    /// The signals that arrived since the last call.
    func drain() -> [Int32]
}

/// Signals as something to wait on, so that none ever interrupts other code.
final class Signals: SignalSource {
    /// The signals that the loop is told about, except those that the parent has ignored: `nohup` and a shell's background
    /// jobs rely on that.
    static let watched: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    /// The signals that ask the program to end.
    static let ending: Set<Int32> = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// Readable while signals wait.
    let descriptor: Int32

    /// Catches the signals, which can be read from now on.
    ///
    /// Call before any thread exists, because threads inherit what is blocked, and before the
    /// terminal is started, because ncurses installs handlers of its own where it finds none.
    init() throws(SystemCallError) {
        let count = Int32(Self.watched.count)
        guard cl_catch_signals(Self.watched, count) == 0 else { throw SystemCallError(call: "sigaction", errno: errno) }
        descriptor = cl_signalfd(Self.watched, count)
        guard descriptor >= 0 else { throw SystemCallError(call: "signalfd", errno: errno) }
        cl_ignore_sigpipe()
        // A file that reaches the user's limit is an error like a full disk, for bodies as for the log.
        cl_ignore_file_size_signal()
    }

    deinit {
        close(descriptor)
    }

    /// Waits until there is something to read, for as long as nothing of the program has begun: a signal that comes
    /// meanwhile does what it does to a program that does not catch it.
    func obey(until descriptor: Int32) {
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // A failure shows again when the descriptor is read.
            guard poll(&entries, 2, -1) > 0 || errno == EINTR else { return }
            if entries[1].revents != 0 {
                for signal in drain() {
                    if Self.ending.contains(signal) { exit(128 + signal) }
                    if signal == SIGTSTP { _ = kill(getpid(), SIGSTOP) }
                }
            }
            if entries[0].revents != 0 { return }
        }
    }

    /// The signals that arrived since the last call.
    func drain() -> [Int32] {
        var result: [Int32] = []
        while case let number = cl_signalfd_read(descriptor), number > 0 { result.append(number) }
        return result
    }
}
