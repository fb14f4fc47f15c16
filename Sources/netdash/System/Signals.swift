import CLinux
import Glibc
import SessionSupport
import TransferService

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
    /// The signals that ask for nothing that the program could do, and would end one that does not catch them; a terminal would
    /// stay as the dashboard has it.
    static let harmless: Set<Int32> = [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR]
    /// The signals that ask the program to end.
    static let ending: Set<Int32> = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// Readable while signals wait.
    let descriptor: Int32

    /// Catches the signals, which can be read from now on.
    ///
    /// Call before any thread exists, because threads inherit what is blocked, and before the
    /// terminal is started, because ncurses installs handlers of its own where it finds none.
    init() throws(SystemCallError) {
        let caught = Self.watched + Self.harmless.sorted()
        let count = Int32(caught.count)
        guard cl_catch_signals(caught, count) == 0 else { throw SystemCallError(call: "sigaction", errno: errno) }
        descriptor = cl_signalfd(caught, count)
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
        while case let number = cl_signalfd_read(descriptor), number > 0 {
            if !Self.harmless.contains(number) { result.append(number) }
        }
        return result
    }
}

/// Ends the program when the thread that reads signals is stuck, as in a call to a disk or a mount that does not answer:
/// without it nothing short of SIGKILL would, and the terminal would stay as it is.
enum StuckWatch {
    /// Milliseconds between two looks at signals that nobody has read.
    private static let interval: UInt32 = 100

    /// Watches the descriptor of the signals from a thread of its own, which sleeps until one comes.
    ///
    /// `restore` is called right before the process ends; it must not wait for any other thread.
    static func begin(_ descriptor: Int32, restore: @escaping @Sendable () -> Void) throws(SystemCallError) {
        do throws(SystemThread.Refusal) {
            try SystemThread.detach(name: "netdash-signals") { watch(descriptor, restore) }
        } catch {
            throw SystemCallError(call: error.call, errno: error.number)
        }
    }

    private static let isPaused = Locked(false)

    /// Runs a body during which another program has the terminal, whose signals this one gets as well and reads later.
    static func pausing<Result>(_ body: () -> Result) -> Result {
        isPaused.withLock { $0 = true }
        defer { isPaused.withLock { $0 = false } }
        return body()
    }

    private static func watch(_ descriptor: Int32, _ restore: () -> Void) {
        var unread = UnreadSignal()
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The descriptor lives as long as the process, and a poll that was interrupted is repeated.
            _ = poll(&entry, 1, -1)
            if let signal = unread.look(isPaused.withLock { $0 } ? nil : pending) {
                restore()
                _exit(128 + signal)
            }
            usleep(interval * 1_000)
        }
    }

    /// A signal that asks for the end and waits to be read.
    private static var pending: Int32? {
        var set = sigset_t()
        guard sigpending(&set) == 0 else { return nil }
        return Signals.ending.sorted().first { sigismember(&set, $0) == 1 }
    }
}

/// Counts looks at a signal that waits, so that time in which the whole process stood still does not count.
struct UnreadSignal {
    /// The looks in a row after which nobody will read it: three seconds, longer than leaving takes.
    static let patience = 30

    private var layout = 0

    /// Looks once; the signal when it has waited long enough.
    mutating func look(_ pending: Int32?) -> Int32? {
        layout = pending == nil ? 0 : layout + 1
        return layout > Self.patience ? pending : nil
    }
}
