import CLinux
import Foundation
import Glibc
import ServiceWire

/// Starts a session's service as a process of its own, which no key of the terminal reaches.
struct ServiceStarter: Sendable {
    /// Seconds after the last task and window until it ends: long enough for a script's next command.
    private static let idleSeconds = "30"
    /// Milliseconds until it listens: a session of 100,000 rows is read in a second.
    private static let patience: Int64 = 20_000
    private static let pause: useconds_t = 3_000

    let session: String
    /// The options of this run that concern the service.
    let arguments: [String]
    /// Whether it watches a folder, and so waits for files without an end.
    let watches: Bool

    /// Starts the service and waits until it listens; returns false where it does not.
    func start(at socket: ServiceSocket) -> Bool {
        let idle = watches ? [] : ["--idle-exit=\(Self.idleSeconds)"]
        let words = ["netdash", "serve", "--session=\(session)", "--quiet"] + idle + arguments
        guard let process = Self.spawn(words) else { return false }
        let end = cl_monotonic_milliseconds() + Self.patience
        while cl_monotonic_milliseconds() < end {
            if socket.isListening { return true }
            var status: Int32 = 0
            // A service that another one has preceded ends, and the other one listens.
            guard waitpid(process, &status, WNOHANG) == 0 else { return socket.isListening }
            usleep(Self.pause)
        }
        return false
    }

    private static func spawn(_ words: [String]) -> pid_t? {
        var arguments = words.map { strdup($0) } + [nil]
        var environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        let process = cl_spawn(nil, "/proc/self/exe", &arguments, &environment, -1, -1, -1)
        return process > 0 ? process : nil
    }
}
