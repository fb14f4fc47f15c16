import CLinux
import Glibc
import SessionSupport

/// A process that gets an input and whose output this program reads.
///
/// It runs in its own session, so that no key of the terminal reaches it. Its input and its output are files in
/// memory: a process that it leaves behind cannot delay its end.
struct ChildProcess: Sendable {
    /// The reason why a process has no output.
    enum Problem: Error, Equatable {
        /// The `errno` of a failed system call.
        case system(Int32)
        /// An exit status other than zero, with the beginning of its standard error.
        case exit(Int32, errors: [UInt8])
        case signal(Int32, errors: [UInt8])
        /// It was killed at the time limit.
        case time
    }

    /// The most that it may use; an input that needs more ends it.
    struct Limits: Sendable {
        /// The address space in bytes.
        var memory: Int64
        /// The seconds of processor time, which end it even if this program has ended first.
        var processorSeconds: Int64
    }

    /// The path of the program.
    let program: String
    /// The arguments, of which the first is the program's name.
    let arguments: [String]
    let environment: [String: String]
    /// The milliseconds after which it is killed.
    var timeLimit: Int32
    /// The most bytes of its output; a longer one is refused.
    var outputLimit = 64 << 10
    /// The limits of its resources; with them, writing beyond the output's limit ends it.
    var limits: Limits?

    private static let errorLimit = 4 << 10

    /// Runs it with an input and returns its output; blocks until it has ended.
    func output(input bytes: [UInt8]) throws(Problem) -> [UInt8] {
        let input = cl_memfd("netdash-input")
        guard input >= 0 else { throw .system(errno) }
        defer { close(input) }
        guard Descriptor.writeAll(bytes, to: input), lseek(input, 0, SEEK_SET) == 0 else { throw .system(errno) }
        let output = cl_bounded_memory("netdash-output", Int64(outputLimit))
        guard output >= 0 else { throw .system(errno) }
        defer { close(output) }
        let errors = cl_bounded_memory("netdash-errors", Int64(Self.errorLimit))
        guard errors >= 0 else { throw .system(errno) }
        defer { close(errors) }
        let process = spawn(input: input, output: output, error: errors)
        guard process > 0 else { throw .system(errno) }
        if let limits, cl_limit_child(process, limits.memory, Int64(outputLimit), limits.processorSeconds) != 0 {
            let number = errno
            end(process)
            throw .system(number)
        }
        let status = try wait(for: process)
        guard status == 0 else {
            let signal = status & 0x7F
            let text = Self.contents(of: errors, limit: Self.errorLimit)
            throw signal == 0 ? .exit((status >> 8) & 0xFF, errors: text) : .signal(signal, errors: text)
        }
        return Self.contents(of: output, limit: outputLimit)
    }

    /// Waits for its end and returns its status; kills it at the time limit.
    private func wait(for process: pid_t) throws(Problem) -> Int32 {
        let last = cl_monotonic_milliseconds() + Int64(timeLimit)
        let descriptor = cl_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        while true {
            var status: Int32 = 0
            let result = waitpid(process, &status, WNOHANG)
            if result == process { return status }
            // Where SIGCHLD is ignored, children leave no status.
            if result < 0, errno != EINTR { return 0 }
            let rest = last - cl_monotonic_milliseconds()
            guard rest > 0 else {
                end(process)
                throw .time
            }
            // Kernels before 5.3 have no process descriptors.
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let timeout = descriptor >= 0 ? rest : min(rest, 50)
            guard poll(&entry, descriptor >= 0 ? 1 : 0, Int32(timeout)) >= 0 || errno == EINTR else {
                throw .system(errno)
            }
        }
    }

    /// Kills it with what it has started.
    private func end(_ process: pid_t) {
        var status: Int32 = 0
        // Its session begins before its program, so its group exists.
        if kill(-process, SIGKILL) != 0 { _ = kill(process, SIGKILL) }
        _ = waitpid(process, &status, 0)
    }

    private func spawn(input: Int32, output: Int32, error: Int32) -> pid_t {
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        let result = cl_spawn(nil, program, &words, &variables, input, output, error)
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
}
