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

/// A user who may not do everything, for tests of permissions that run as one who may.
enum Unprivileged {
    private static let nobody: uid_t = 65_534

    /// What stands in front of a program so that permissions hold for it.
    static let words =
        getuid() == 0
        ? ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--"] : []

    /// Whether the program can be run by such a user from where it lies.
    static var isPossible: Bool {
        guard getuid() == 0 else { return true }
        guard access("/usr/bin/setpriv", X_OK) == 0, let program = try? Program.path() else { return false }
        let test = try? Program.start(words + ["/usr/bin/test", "-x", program], environment: [:])
        return test.map { Program.wait(for: $0) == 0 } ?? false
    }
}

/// Lets another process run into the instruction that a failed check of Swift runs into.
enum TrapInstruction {
    /// The status that a shell reports of a process that ended so.
    #if arch(arm64)
        static let status = 128 + Int(SIGTRAP)
        private static let bytes: [UInt8] = [0x20, 0x00, 0x20, 0xD4]
    #else
        static let status = 128 + Int(SIGILL)
        private static let bytes: [UInt8] = [0x0F, 0x0B]
    #endif

    /// Puts the instruction where a process will go on after the wait in which its main thread is now.
    static func place(in process: pid_t) async throws {
        let address = try await waitUntil("the process to wait") { () -> UInt64? in
            // Number, six arguments, stack and program counter; "running" while it does not wait.
            let text = try String(contentsOfFile: "/proc/\(process)/syscall", encoding: .utf8)
            let fields = text.split(whereSeparator: \.isWhitespace)
            return fields.count == 9 ? UInt64(fields[8].dropFirst(2), radix: 16) : nil
        }
        let memory = open("/proc/\(process)/mem", O_RDWR | O_CLOEXEC)
        guard memory >= 0 else { throw WaitingFailed(description: "No way into the process: errno \(errno)") }
        defer { close(memory) }
        guard pwrite(memory, bytes, bytes.count, off_t(bitPattern: address)) == bytes.count else {
            throw WaitingFailed(description: "The process's memory cannot be written: errno \(errno)")
        }
    }
}

extension off_t {
    fileprivate init(bitPattern: UInt64) { self = off_t(Int64(bitPattern: bitPattern)) }
}
