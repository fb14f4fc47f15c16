import Glibc

/// A body read from a file while it is sent.
///
/// The length is fixed when the file is opened. A file that becomes shorter meanwhile fails the transfer, because the
/// announced length could not be kept; bytes added to it are not sent.
final class FileBodySource: BodySource {
    private let descriptor: Int32
    let size: Int64
    private let path: String
    private var offset: Int64 = 0

    /// Opens the file.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a sentence that names it.
    init(path: String) throws(SessionError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            let code = errno
            close(descriptor)
            throw Self.unreadable(path, code)
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SessionError(.bodyUnreadable, "\(path) is not a regular file; give a file, or - for standard input")
        }
        self.descriptor = descriptor
        self.path = path
        size = Int64(information.st_size)
    }

    deinit {
        close(descriptor)
    }

    var length: Int64? { size }
    var canRewind: Bool { true }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        let wanted = min(Int64(buffer.count), size - offset)
        guard wanted > 0 else { return .end }
        while true {
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(offset))
            if count > 0 {
                offset += Int64(count)
                return .bytes(count)
            }
            if count == 0 {
                return .failed(SessionError(.bodyUnreadable, "\(path) became shorter while it was being sent"))
            }
            if errno != EINTR { return .failed(Self.unreadable(path, errno)) }
        }
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= size else { return false }
        self.offset = offset
        return true
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SessionError {
        SessionError(.bodyUnreadable, "\(path) cannot be read: \(String(cString: strerror(code)))", errno: code)
    }
}
