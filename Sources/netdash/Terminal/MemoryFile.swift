import CLinux
import CNcurses
import Glibc

/// An unnamed file in memory, closed with its owner.
///
/// A class because it owns a descriptor.
final class MemoryFile {
    let descriptor: Int32

    init(name: String) throws(TerminalError) {
        descriptor = cl_memfd(name)
        guard descriptor >= 0 else { throw .system(call: "memfd_create", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Removes what was written since the last call, and returns it.
    func drain() throws(TerminalError) -> [UInt8] {
        let length = lseek(descriptor, 0, SEEK_CUR)
        guard length >= 0 else { throw .system(call: "lseek", errno: errno) }
        guard length > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                let read = pread(descriptor, buffer.baseAddress?.advanced(by: count), length - count, off_t(count))
                if read < 0 && errno == EINTR { continue }
                guard read > 0 else {
                    failure = read < 0 ? errno : EIO
                    return
                }
                count += read
            }
        }
        guard failure == 0 else { throw .system(call: "pread", errno: failure) }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(call: "lseek", errno: errno) }
        return bytes
    }
}

/// Keeps standard error off the screen: what libraries write there is printed after the screen is closed.
final class ErrorCapture {
    private let file: MemoryFile

    /// Returns nil when standard error is no terminal, because it then cannot disturb the screen.
    init?() throws(TerminalError) {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        file = try MemoryFile(name: "netdash-stderr")
        guard cn_errors_capture(file.descriptor) == 0 else { throw .system(call: "dup2", errno: errno) }
    }

    deinit {
        cn_errors_replay()
    }
}
