import Glibc
import SessionSupport

/// A failed system call that the program cannot do without.
package struct SystemCallError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package var description: String { ServiceErrors.systemCall(call, errno) }

    package init(call: String, errno: Int32) { (self.call, self.errno) = (call, errno) }
}

/// Reads and writes descriptors completely, despite interruptions and slow readers.
package enum Descriptor {
    /// A failed read.
    package struct ReadError: Error, Equatable {
        package let errno: Int32

        package var text: String { SystemWords.text(errno) }
    }

    /// Writes every byte, waiting when the reader is slow; returns false when the reader is gone.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { raw in
            var rest = raw[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    guard waitUntilWritable(descriptor) else { return false }
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Reads at most `limit` available bytes; empty at the end, nil when none has arrived yet.
    package static func read(_ descriptor: Int32, limit: Int) throws(ReadError) -> [UInt8]? {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result: Int
            repeat { result = Glibc.read(descriptor, buffer.baseAddress, limit) } while result < 0 && errno == EINTR
            failure = result < 0 ? errno : nil
            count = max(result, 0)
        }
        guard let failure else { return bytes }
        guard failure == EAGAIN else { throw ReadError(errno: failure) }
        return nil
    }

    private static func waitUntilWritable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let result = poll(&entry, 1, -1)
        return result > 0 || (result < 0 && errno == EINTR)
    }
}

/// Collects the lines of a text that arrives in chunks.
package struct LineCollector: Sendable {
    private var rest: [UInt8] = []

    package init() {}

    /// Adds a chunk; returns the lines that it completes, without their line breaks.
    package mutating func add(_ bytes: [UInt8]) -> [String] {
        rest += bytes
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = lines.popLast().map(Array.init) ?? []
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Removes and returns the text after the last line break; nil when it is empty.
    package mutating func removeRest() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
