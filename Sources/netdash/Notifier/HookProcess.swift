import CLinux
import Dashboard
import Glibc
import SessionSupport
import TransferService

/// Runs a hook command: a shell in its own session, so that no key of the terminal reaches it.
///
/// Its standard input is the JSON object, its output is discarded, and the beginning of its standard error is kept for
/// the sentence about a failure. Both are files in memory, which remain valid for a command that outlives this program.
/// A class because it owns descriptors; confined to the hooks' thread.
final class HookProcess {
    /// Readable when the command has ended; -1 where the kernel has no such descriptor.
    let descriptor: Int32
    let order: HookRunner.Order
    private let process: pid_t
    private let errors: Int32

    /// Starts a command with this program's environment and its facts.
    init(_ order: HookRunner.Order, environment: [String: String]) throws(SystemCallError) {
        let input = cl_memfd("netdash-hook")
        guard input >= 0 else { throw SystemCallError(call: "memfd_create", errno: errno) }
        defer { close(input) }
        guard Descriptor.writeAll(order.fields.json, to: input), lseek(input, 0, SEEK_SET) == 0 else {
            throw SystemCallError(call: "write", errno: errno)
        }
        let errors = cl_bounded_memory("netdash-hook-errors", Int64(Self.errorLimit))
        guard errors >= 0 else { throw SystemCallError(call: "memfd_create", errno: errno) }
        let variables = environment.merging(order.fields.environment) { $1 }
        let started = Self.spawn(order.command, variables, input: input, error: errors)
        guard started > 0 else {
            let number = errno
            close(errors)
            throw SystemCallError(call: "posix_spawn", errno: number)
        }
        self.order = order
        self.errors = errors
        process = started
        descriptor = cl_process_descriptor(started)
    }

    deinit {
        close(errors)
        if descriptor >= 0 { close(descriptor) }
    }

    /// The state of the command.
    enum Status: Equatable {
        case runs
        case succeeded
        /// The cause at the end of the failure's sentence.
        case failed(SafeText)
    }

    /// Checks whether the command has ended, and how; call it again only while it runs.
    func look() -> Status {
        var status: Int32 = 0
        var result: pid_t
        repeat { result = waitpid(process, &status, WNOHANG) } while result < 0 && errno == EINTR
        if result == 0 { return .runs }
        // This program's parent may have set SIGCHLD so that children leave no status.
        guard result == process, status != 0 else { return .succeeded }
        let signal = status & 0x7F
        let cause =
            signal == 0 ? CommandErrors.exitStatus((status >> 8) & 0xFF) : CommandErrors.signal(signal)
        let line = firstErrorLine
        return .failed(line.isEmpty ? cause : CommandErrors.cause(cause, line))
    }

    // MARK: - Helpers

    /// The bytes of standard error that are kept.
    private static let errorLimit = 4_096

    /// The first line of standard error; empty when the command wrote none.
    private var firstErrorLine: SafeText {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.errorLimit) { buffer, count in
            count = max(pread(errors, buffer.baseAddress, Self.errorLimit, 0), 0)
        }
        let lines = bytes.prefix { $0 != 0 }.split(separator: UInt8(ascii: "\n"))
        return SafeText(untrusted: lines.first ?? [])
    }

    private static func spawn(
        _ command: String, _ variables: [String: String], input: Int32, error: Int32
    ) -> pid_t {
        let arguments: [String] = ["/bin/sh", "-c", command]
        var words = arguments.map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + environment { free(pointer) } }
        let result = cl_spawn(nil, "/bin/sh", &words, &environment, input, -1, error)
        let number = errno
        defer { errno = number }
        return result
    }
}

@available(*, unavailable) extension HookProcess: Sendable {}
