internal import FleetQueue
internal import Glibc
internal import Synchronization

/// A command that prints a secret: its words are separated by spaces, no shell reads them, and its time and output are
/// limited.
enum SecretCommand {
    /// The most bytes of output, as many as a header field may have.
    static let longestOutput = 16_384
    /// The longest time in seconds.
    static let patience = 10

    /// Runs a command, and returns the first line of what it prints; its processes end with it.
    static func run(_ text: String, seconds: Int = patience) -> Result<String, TransferFault> {
        do throws(CommandFault) {
            return .success(try output(of: text.split(separator: " ").map(String.init), seconds: seconds))
        } catch {
            return .failure(TransferFault(TransferFaults.command(text, error.reason), isPassing: true))
        }
    }

    private struct CommandFault: Error { let reason: String }

    private static func output(of words: [String], seconds: Int) throws(CommandFault) -> String {
        let (process, descriptor) = try starting.withLock { _ throws(CommandFault) in try start(words) }
        defer { close(descriptor) }
        let end = FleetClock.now() + Double(seconds)
        let bytes = readAll(descriptor, until: end)
        let isComplete = bytes.map { $0.count <= longestOutput } ?? false
        // A program may close its output before it ends.
        let hasEnded = isComplete && waitForEnd(of: process, until: end)
        // The group's other processes too: nothing of the command outlives it.
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw notStarted(errno) }
        }
        guard let bytes, hasEnded || !isComplete else {
            throw CommandFault(reason: TransferFaults.commandTooSlow(seconds: seconds))
        }
        guard isComplete else { throw CommandFault(reason: TransferFaults.commandTooLong(bytes: longestOutput)) }
        try check(status)
        let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        guard !line.isEmpty else { throw CommandFault(reason: TransferFaults.commandPrintedNothing) }
        return line
    }

    /// Two commands do not start at once: one would have the other's output open until it ends.
    private static let starting = Mutex(())

    /// Starts a process, and returns the end of its output.
    private static func start(_ words: [String]) throws(CommandFault) -> (process: pid_t, output: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw notStarted(errno) }
        defer { close(ends[1]) }
        do throws(CommandFault) {
            for end in ends {
                guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else { throw notStarted(errno) }
            }
            return (try start(words, output: ends[1]), ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    /// Starts a process in a group of its own, with nothing to read and no descriptor but its output.
    private static func start(_ words: [String], output: Int32) throws(CommandFault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var result = posix_spawn_file_actions_init(&actions)
        guard result == 0 else { throw notStarted(result) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        result = posix_spawnattr_init(&attributes)
        guard result == 0 else { throw notStarted(result) }
        defer { posix_spawnattr_destroy(&attributes) }
        // The worker's own threads block signals, and ignore SIGPIPE.
        var none = sigset_t()
        var standard = sigset_t()
        sigemptyset(&none)
        sigemptyset(&standard)
        sigaddset(&standard, SIGPIPE)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        let steps = [
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0),
            posix_spawn_file_actions_adddup2(&actions, output, 1),
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0),
            posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &standard),
            posix_spawnattr_setpgroup(&attributes, 0), posix_spawnattr_setflags(&attributes, Int16(flags)),
        ]
        if let failed = steps.first(where: { $0 != 0 }) { throw notStarted(failed) }
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        result = posix_spawn(&process, words.first ?? "", &actions, &attributes, &arguments, environ)
        guard result == 0 else { throw notStarted(result) }
        return process
    }

    /// Reads to the end of the output, or more than its limit; nil when the time has run out.
    private static func readAll(_ descriptor: Int32, until end: Double) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= longestOutput {
            let left = Int32(clamping: Int(((end - FleetClock.now()) * 1000).rounded(.up)))
            guard left > 0 else { return nil }
            var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, left) > 0 else { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// Waits for a process and leaves its status for later; false when the time has run out.
    private static func waitForEnd(of process: pid_t, until end: Double) -> Bool {
        while FleetClock.now() < end {
            var state = siginfo_t()
            guard waitid(P_PID, id_t(process), &state, WEXITED | WNOHANG | WNOWAIT) == 0 else { return errno != EINTR }
            if state.si_signo != 0 { return true }
            usleep(1000)
        }
        return false
    }

    private static func check(_ status: Int32) throws(CommandFault) {
        let signal = status & 0x7F
        guard signal == 0 else { throw CommandFault(reason: TransferFaults.commandSignal(signal)) }
        let code = (status >> 8) & 0xFF
        guard code == 0 else { throw CommandFault(reason: TransferFaults.commandStatus(code)) }
    }

    private static func notStarted(_ code: Int32) -> CommandFault {
        CommandFault(reason: TransferFaults.commandNotStarted(String(cString: strerror(code))))
    }
}
