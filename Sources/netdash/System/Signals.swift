import CLinux
import Glibc
import SessionSupport
import TransferService

/// A source of signals for the event loop.
protocol SignalSource: AnyObject {
    /// Readable while signals wait.
    var descriptor: Int32 { get }
    /// The signals since the last call.
    func drain() -> [Int32]
}

/// Makes signals readable from a descriptor, so that none interrupts other code.
final class Signals: SignalSource {
    /// The signals for the loop, except the ones that the parent ignores: `nohup` and a shell's background jobs rely on
    /// that.
    static let watched: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    /// Signals without a meaning for the program that would end it uncaught, and leave the terminal in the dashboard's
    /// modes.
    static let harmless: Set<Int32> = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR]
    /// The signals that ask the program to end.
    static let ending: Set<Int32> = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// Readable while signals wait.
    let descriptor: Int32

    /// Catches the signals, which can be read from now on.
    ///
    /// Call before any thread exists, because threads inherit the blocked ones, and before the terminal is started,
    /// because ncurses installs its own handlers where it finds none.
    init() throws(SystemCallError) {
        let caught = Self.watched + Self.harmless.sorted()
        let count = Int32(caught.count)
        guard cl_catch_signals(caught, count) == 0 else { throw SystemCallError(call: "sigaction", errno: errno) }
        descriptor = cl_signalfd(caught, count)
        guard descriptor >= 0 else { throw SystemCallError(call: "signalfd", errno: errno) }
        cl_ignore_sigpipe()
        // A file at the user's size limit is an error like a full disk, for bodies and for the log.
        cl_ignore_file_size_signal()
    }

    deinit {
        close(descriptor)
    }

    func drain() -> [Int32] {
        var result: [Int32] = []
        while case let number = cl_signalfd_read(descriptor), number > 0 {
            if !Self.harmless.contains(number) { result.append(number) }
        }
        return result
    }
}

extension SignalSource {
    /// Waits until a descriptor is readable, before the run has begun: signals during that wait have their default
    /// effect.
    func obey(until descriptor: Int32) {
        if let signal = wait(until: descriptor) { Self.end(by: signal) }
    }

    /// Waits until a descriptor is readable; returns the signal that asks the program to end before that.
    func wait(until descriptor: Int32) -> Int32? {
        while true {
            var entries = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // A failure shows again when the descriptor is read.
            guard poll(&entries, 2, -1) > 0 || errno == EINTR else { return nil }
            if entries[1].revents != 0 {
                for signal in drain() {
                    if Signals.ending.contains(signal) { return signal }
                    if signal == SIGTSTP { _ = kill(getpid(), SIGSTOP) }
                }
            }
            if entries[0].revents != 0 { return nil }
        }
    }

    /// Ends the program as a signal does: without the exit functions, which crash beside a thread with transfers.
    static func end(by signal: Int32) -> Never { _exit(128 + signal) }
}

/// Ends the program when the thread that reads signals is stuck, as in a call to an unresponsive disk or mount.
///
/// Otherwise only SIGKILL would, and the terminal would stay in the dashboard's modes.
enum StuckWatch {
    /// Milliseconds between two checks for unread signals.
    private static let interval: UInt32 = 100

    /// Watches the descriptor of the signals on its own thread, which sleeps until one comes.
    ///
    /// `restore` is called right before the process ends; it must not wait for another thread.
    static func begin(_ descriptor: Int32, restore: @escaping @Sendable () -> Void) throws(SystemCallError) {
        do throws(SystemThread.Refusal) {
            try SystemThread.detach(name: "netdash-signals") { watch(descriptor, restore) }
        } catch {
            throw SystemCallError(call: error.call, errno: error.number)
        }
    }

    private static let isPaused = Locked(false)

    /// Runs a body during which another program has the terminal, whose signals this one gets too and reads later.
    static func pausing<Result>(_ body: () -> Result) -> Result {
        isPaused.withLock { $0 = true }
        defer { isPaused.withLock { $0 = false } }
        return body()
    }

    private static func watch(_ descriptor: Int32, _ restore: () -> Void) {
        var unread = UnreadSignal()
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The descriptor lives as long as the process, and an interrupted poll is repeated.
            _ = poll(&entry, 1, -1)
            if let signal = unread.look(isPaused.withLock { $0 } ? nil : pending) {
                restore()
                _exit(128 + signal)
            }
            usleep(interval * 1_000)
        }
    }

    /// An ending signal that waits to be read.
    private static var pending: Int32? {
        var set = sigset_t()
        guard sigpending(&set) == 0 else { return nil }
        return Signals.ending.sorted().first { sigismember(&set, $0) == 1 }
    }
}

/// Counts checks of a waiting signal, so that time in which the process was stopped does not count.
struct UnreadSignal {
    /// The checks in a row after which the thread is stuck: three seconds, longer than leaving takes.
    static let patience = 30

    private var layout = 0

    /// Counts one check; returns the signal when it has waited long enough.
    mutating func look(_ pending: Int32?) -> Int32? {
        layout = pending == nil ? 0 : layout + 1
        return layout > Self.patience ? pending : nil
    }
}
