import CLinux
import Glibc

/// Small texts that the kernel provides as files.
enum SmallFile {
    /// Returns the first 16 KiB of a file without trailing white space; empty when it cannot be read.
    static func text(at path: String) -> String {
        let descriptor = cl_openat(AT_FDCWD, path, O_RDONLY, 0)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        let bytes = (try? read(descriptor, limit: 16 << 10, path: path)) ?? []
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Reads an open file from its start, at most `limit` bytes.
    static func read(_ descriptor: Int32, limit: Int, path: String) throws(SessionError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let result = bytes.withUnsafeMutableBytes { buffer -> Int in
                guard let base = buffer.baseAddress else { return 0 }
                return Glibc.pread(descriptor, base + count, limit - count, off_t(count))
            }
            if result < 0 {
                if errno == EINTR { continue }
                throw SystemError.error(errno, FileErrors.read, path: path)
            }
            if result == 0 { break }
            count += result
        }
        return Array(bytes.prefix(count))
    }
}

/// Identifies the time since the machine's start: tells a process crash from a machine crash.
enum BootIdentifier {
    /// The kernel's text, read once; empty when it cannot be read, which then counts as a crash of the machine.
    static let current: String = SmallFile.text(at: "/proc/sys/kernel/random/boot_id")
}

/// Removes obsolete files.
enum FileRemover {
    /// Removes a file; a missing one is no error.
    static func remove(_ path: String) { unlink(path) }
}
