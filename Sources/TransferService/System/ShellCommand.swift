import CLinux
import Glibc
import SessionSupport

/// A shell command whose output this program reads.
///
/// It runs in its own session, so that no key of the terminal reaches it. Its input and its output are files in
/// memory: a process that it leaves behind cannot delay its end.
struct ShellCommand: Sendable {
    /// A failure, as a phrase.
    struct Failure: Error, Equatable {
        let cause: String
    }

    /// The command line, for `/bin/sh -c`.
    let text: String
    let environment: [String: String]
    /// The milliseconds after which it is killed.
    var timeLimit: Int32 = 60_000

    private static let outputLimit = 64 << 10
    private static let errorLimit = 4 << 10

    /// Runs it with an input and returns its output; blocks until it has ended.
    func output(input bytes: [UInt8] = []) throws(Failure) -> [UInt8] {
        let input = cl_memfd("netdash-input")
        guard input >= 0 else { throw Self.failure(errno) }
        defer { close(input) }
        guard Descriptor.writeAll(bytes, to: input), lseek(input, 0, SEEK_SET) == 0 else { throw Self.failure(errno) }
        let output = cl_bounded_memory("netdash-output", Int64(Self.outputLimit))
        guard output >= 0 else { throw Self.failure(errno) }
        defer { close(output) }
        let errors = cl_bounded_memory("netdash-errors", Int64(Self.errorLimit))
        guard errors >= 0 else { throw Self.failure(errno) }
        defer { close(errors) }
        let process = spawn(input: input, output: output, error: errors)
        guard process > 0 else { throw Self.failure(errno) }
        let status = try wait(for: process)
        guard status == 0 else {
            let signal = status & 0x7F
            let cause = signal == 0 ? CommandReasons.exitStatus((status >> 8) & 0xFF) : CommandReasons.signal(signal)
            let line = Self.contents(of: errors, limit: Self.errorLimit).prefix { $0 != 0x0A }
            throw Failure(
                cause: line.isEmpty ? cause : CommandReasons.cause(cause, String(decoding: line, as: UTF8.self)))
        }
        return Self.contents(of: output, limit: Self.outputLimit)
    }

    /// Waits for its end and returns its status; kills it at the time limit.
    private func wait(for process: pid_t) throws(Failure) -> Int32 {
        let end = cl_monotonic_milliseconds() + Int64(timeLimit)
        let descriptor = cl_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        while true {
            var status: Int32 = 0
            let result = waitpid(process, &status, WNOHANG)
            if result == process { return status }
            // Where SIGCHLD is ignored, children leave no status.
            if result < 0, errno != EINTR { return 0 }
            let rest = end - cl_monotonic_milliseconds()
            guard rest > 0 else {
                _ = kill(-process, SIGKILL)
                _ = waitpid(process, &status, 0)
                throw Failure(cause: CommandReasons.noEnd(seconds: Int(timeLimit / 1000)))
            }
            // Kernels before 5.3 have no process descriptors.
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let timeout = descriptor >= 0 ? rest : min(rest, 50)
            guard poll(&entry, descriptor >= 0 ? 1 : 0, Int32(timeout)) >= 0 || errno == EINTR else {
                throw Self.failure(errno)
            }
        }
    }

    private func spawn(input: Int32, output: Int32, error: Int32) -> pid_t {
        let arguments: [String] = ["/bin/sh", "-c", text]
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        let result = cl_spawn(nil, "/bin/sh", &words, &variables, input, output, error)
        let number = errno
        defer { errno = number }
        return result
    }

    /// The bytes that were written to a file in memory, which is filled with zeros.
    private static func contents(of descriptor: Int32, limit: Int) -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(pread(descriptor, buffer.baseAddress, limit, 0), 0)
        }
        return Array(bytes.prefix { $0 != 0 })
    }

    private static func failure(_ number: Int32) -> Failure { Failure(cause: SystemWords.text(number)) }
}
