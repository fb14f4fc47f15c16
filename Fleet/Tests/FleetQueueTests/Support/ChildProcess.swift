import Foundation
import Testing

@testable import FleetQueue

/// A process that a test starts, ends and reads.
///
/// Foundation's `Process` waits until the descriptors that a child has inherited are closed, which a server never does.
final class ChildProcess {
    let id: pid_t
    /// The file of its standard output and standard error.
    private let path: String
    private var status: Int32?

    /// Starts a program; without an environment it has the test's own.
    init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        path = "/tmp/fleet-output-" + UUID().uuidString
        var actions = posix_spawn_file_actions_t()
        try #require(posix_spawn_file_actions_init(&actions) == 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let variables = environment ?? ProcessInfo.processInfo.environment
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var texts = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + texts).forEach { free($0) } }
        var id: pid_t = 0
        // A thread of Swift's pool blocks signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        try #require(posix_spawnattr_init(&attributes) == 0)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let result = posix_spawn(&id, program, &actions, &attributes, &words, &texts)
        try #require(result == 0, "\(program): \(String(cString: strerror(result)))")
        self.id = id
    }

    deinit {
        if status == nil {
            kill(id, SIGKILL)
            kill(id, SIGCONT)
            wait()
        }
        unlink(path)
    }

    /// What it has written so far.
    var output: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for its end; returns the exit code, or minus the number of the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        let end = FleetClock.now() + hangLimit
        while waitpid(id, &raw, WNOHANG) == 0 {
            usleep(5000)
            guard FleetClock.now() > end else { continue }
            Issue.record("process \(id) does not end: \(output)")
            kill(id, SIGKILL)
        }
        let signal = raw & 0x7F
        let result = signal == 0 ? (raw >> 8) & 0xFF : -signal
        status = result
        return result
    }

    /// A program of this package, beside the tests.
    static func path(of name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }
}
