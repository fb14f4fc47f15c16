import CLinux
import Foundation
import Glibc

/// Where the program under test is.
enum Program {
    /// The path of the program: what `NETDASH_BINARY` names, or netdash of this build.
    static func path() throws -> String {
        if let path = ProcessInfo.processInfo.environment["NETDASH_BINARY"], !path.isEmpty {
            guard access(path, X_OK) == 0 else {
                throw WaitingFailed(description: "NETDASH_BINARY names \(path), which cannot be run")
            }
            return path
        }
        // The test runner lies beside the products.
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var candidates = [URL(fileURLWithPath: runner).deletingLastPathComponent()]
        candidates += CommandLine.arguments.filter { $0.contains(".xctest") }
            .map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        for folder in candidates {
            let path = folder.appendingPathComponent("netdash").path
            if access(path, X_OK) == 0 { return path }
        }
        throw WaitingFailed(description: "netdash was not found beside \(candidates.map(\.path))")
    }

    /// Starts a program in a session of its own and returns its process.
    ///
    /// A descriptor of -1 stands for the terminal, or for nothing when there is none.
    static func start(
        _ words: [String], environment: [String: String], terminal: [CChar]? = nil, input: Int32 = -1,
        output: Int32 = -1, error: Int32 = -1
    ) throws -> pid_t {
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        let process =
            terminal?.withUnsafeBufferPointer {
                cl_spawn($0.baseAddress, words[0], &arguments, &variables, input, output, error)
            } ?? cl_spawn(nil, words[0], &arguments, &variables, input, output, error)
        guard process > 0 else { throw WaitingFailed(description: "\(words[0]) was not started: errno \(errno)") }
        return process
    }

    /// Waits for a process's end and returns its status, 128 + n for signal n.
    static func wait(for process: pid_t) -> Int {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
    }

    /// Whether a process has not ended yet; one that ended and waits for its parent counts as ended.
    static func isRunning(_ process: pid_t) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return text.split(separator: ")").last.map { !$0.hasPrefix(" Z") } ?? false
    }

    /// The processor time that a process has taken, in the kernel's ticks; nil once it has ended.
    static func processorTicks(of process: pid_t) -> Int? {
        guard isRunning(process), let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 12
        else { return nil }
        return Int(fields[11]).flatMap { user in Int(fields[12]).map { user + $0 } }
    }

    /// How often a process's main thread has gone to sleep by itself.
    static func sleeps(of process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/task/\(process)/status", encoding: .utf8)
        guard let count = text.firstMatch(of: /\nvoluntary_ctxt_switches:\s*(\d+)/).flatMap({ Int($0.1) }) else {
            throw WaitingFailed(description: "No count of context switches: \(text)")
        }
        return count
    }
}
