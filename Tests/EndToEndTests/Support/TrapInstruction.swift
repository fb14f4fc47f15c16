import Foundation
import Glibc

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
        let place = try await waitUntil("the process to wait") { () -> UInt64? in
            // Number, six arguments, stack and program counter; "running" while it does not wait.
            let text = try String(contentsOfFile: "/proc/\(process)/syscall", encoding: .utf8)
            let fields = text.split(whereSeparator: \.isWhitespace)
            return fields.count == 9 ? UInt64(fields[8].dropFirst(2), radix: 16) : nil
        }
        let memory = open("/proc/\(process)/mem", O_RDWR | O_CLOEXEC)
        guard memory >= 0 else { throw WaitingFailed(description: "No way into the process: errno \(errno)") }
        defer { close(memory) }
        guard pwrite(memory, bytes, bytes.count, off_t(bitPattern: place)) == bytes.count else {
            throw WaitingFailed(description: "The process's memory cannot be written: errno \(errno)")
        }
    }
}

extension off_t {
    fileprivate init(bitPattern: UInt64) { self = off_t(Int64(bitPattern: bitPattern)) }
}
