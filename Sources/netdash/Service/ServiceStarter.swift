import CLinux
import Foundation
import Glibc
import ServiceWire
import TransferService

/// Starts a session's service as a process of its own, which no key of the terminal reaches.
struct ServiceStarter: Sendable {
    /// Seconds after the last task and window until it ends: long enough for a script's next command.
    private static let idleSeconds = "30"
    /// Milliseconds until it listens: a session of 100,000 rows is read in a second.
    private static let patience: Int64 = 20_000
    private static let pause: useconds_t = 3_000
    private static let tries = 3

    let session: String
    /// The options of this run that concern the service.
    let arguments: [String]
    /// Whether it watches a folder, and so waits for files without an end.
    let watches: Bool
    /// Starts the program with words and returns its process; nil where that fails.
    var spawn: @Sendable ([String]) -> pid_t? = Self.spawn

    /// What became of a start.
    enum Outcome: Sendable, Equatable {
        case failed
        case started
        /// It has the settings of the service that was killed, without some options.
        case restarted(without: [String])
        /// It could not have the settings of the service that was killed.
        case startedAnew
    }

    /// Milliseconds that a service manager gets to start its service again.
    private static let managerPatience: Int64 = 5_000
    /// Milliseconds that another process gets between taking the session and listening.
    private static let holderPatience: Int64 = 2_000
    /// Milliseconds that a service gets to greet a window before it is said to hang.
    static let greetingPatience: Int64 = 5_000

    /// Starts the service and waits until it listens; one that was killed gets the settings that it had.
    func start(at socket: ServiceSocket) -> Outcome {
        let environment = ProcessInfo.processInfo.environment
        let idle = watches ? [] : ["--idle-exit=\(Self.idleSeconds)"]
        guard let record = StartRecord.path(session: session, environment: environment).flatMap(StartRecord.read)
        else { return run(idle + arguments, at: socket) ? .started : .failed }
        if record.isManaged, Self.listens(at: socket, within: Self.managerPatience) { return .restarted(without: []) }
        if run(record.arguments, at: socket) { return .restarted(without: record.omitted) }
        return run(idle + arguments, at: socket) ? .startedAnew : .failed
    }

    /// Whether the process that has just taken the session listens soon.
    static func holderListens(at socket: ServiceSocket) -> Bool { listens(at: socket, within: holderPatience) }

    private static func listens(at socket: ServiceSocket, within milliseconds: Int64) -> Bool {
        let end = cl_monotonic_milliseconds() + milliseconds
        while cl_monotonic_milliseconds() < end {
            if socket.isListening { return true }
            usleep(pause)
        }
        return false
    }

    /// Starts the service and waits until it listens; returns false where it does not.
    ///
    /// One that is killed meanwhile is started again: its options are not the reason.
    func run(_ options: [String], at socket: ServiceSocket) -> Bool {
        for _ in 0..<Self.tries {
            guard isFree else { return false }
            guard let listens = runOnce(options, at: socket) else { continue }
            return listens
        }
        return false
    }

    /// Whether no process has run with the session for longer than a service takes until it listens: such a run never
    /// does.
    ///
    /// A service that was killed a moment ago looks like one until its last thread has ended.
    private var isFree: Bool {
        let end = cl_monotonic_milliseconds() + Self.holderPatience
        while Self.refusal(ofHolderOf: session) != nil {
            guard cl_monotonic_milliseconds() < end else { return false }
            usleep(Self.pause)
        }
        return true
    }

    /// Why a session cannot be used whose process has run for longer than a service takes until it listens.
    static func refusal(ofHolderOf session: String) -> SessionRefusal? {
        let environment = ProcessInfo.processInfo.environment
        guard let refusal = SessionRefusal(ofHolderOf: session, environment: environment),
            let age = refusal.process.flatMap(age), age > holderPatience
        else { return nil }
        return refusal
    }

    /// The milliseconds since a process has started; nil where it has ended.
    private static func age(of process: pid_t) -> Int64? {
        // Its name, in parentheses, may have spaces; the time is the 22nd field, in clock ticks since the boot.
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 19,
            let start = Int64(fields[19])
        else { return nil }
        var now = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return nil }
        return Int64(now.tv_sec) * 1_000 - start * 1_000 / max(Int64(sysconf(Int32(_SC_CLK_TCK))), 1)
    }

    /// Returns nil where the service was killed before it listened, or another one had the session and ended.
    private func runOnce(_ options: [String], at socket: ServiceSocket) -> Bool? {
        guard let process = spawn(["netdash", "serve", "--session=\(session)", "--quiet"] + options) else {
            return false
        }
        let end = cl_monotonic_milliseconds() + Self.patience
        while cl_monotonic_milliseconds() < end {
            if socket.isListening { return true }
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG) == 0 else {
                if status & 0x7F != 0, !socket.isListening { return nil }
                // A service that another process has preceded ends, and the other one listens soon or is ending.
                let isPreceded = (status >> 8) & 0xFF == ExitCode.sessionInUse.rawValue
                return isPreceded ? Self.holderListens(at: socket) ? true : nil : socket.isListening
            }
            usleep(Self.pause)
        }
        return false
    }

    /// The path of this program; without `/proc`, as in a bare chroot, what the shell has called.
    private static var program: String {
        let own = "/proc/self/exe"
        guard access(own, X_OK) != 0, let word = cl_argument(0).map({ String(cString: $0) }) else { return own }
        guard !word.contains("/") else { return word }
        return InstalledProgram.path(of: word, environment: ProcessInfo.processInfo.environment) ?? own
    }

    @Sendable private static func spawn(_ words: [String]) -> pid_t? {
        var arguments = words.map { strdup($0) } + [nil]
        var environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        let process = cl_spawn(nil, program, &arguments, &environment, -1, -1, -1)
        return process > 0 ? process : nil
    }
}
