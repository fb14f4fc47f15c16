import Glibc

/// An open file whose bytes are the body of a request; closed with the value.
///
/// What is sent is the file as it was when it was opened: one that becomes shorter, longer or is written to meanwhile is
/// an error, told before its last bytes are given away, so that no server takes a mixture for the whole.
struct BodyFile: ~Copyable {
    /// The length in bytes when the file was opened.
    let size: Int64
    private let descriptor: Int32
    private let path: String
    /// When its bytes changed last as it was opened; see ``FileStatus/modified``.
    let modified: Int64

    /// Opens the file.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a sentence that names it.
    init(path: String) throws(SessionError) {
        // A FIFO that nobody writes would hold the thread that opens it; it is refused below.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(path, errno) }
        guard let status = FileStatus(descriptor: descriptor) else {
            let code = errno
            close(descriptor)
            throw Self.unreadable(path, code)
        }
        guard status.kind == .regular else {
            close(descriptor)
            throw SessionError(.bodyUnreadable, "\(path) is not a regular file; give a file, or - for standard input")
        }
        self.descriptor = descriptor
        self.path = path
        size = status.size
        modified = status.modified
    }

    deinit {
        close(descriptor)
    }

    /// Reads bytes that begin at an offset: at least one, unless the buffer is empty or the offset is the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SessionError) -> Int {
        let wanted = min(Int64(buffer.count), size - offset)
        guard wanted > 0 else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(offset))
            if count > 0 {
                if offset + Int64(count) == size { try checkUnchanged() }
                return count
            }
            guard count < 0 else {
                throw SessionError(.bodyUnreadable, "\(path) became shorter while it was being sent")
            }
            if errno != EINTR { throw Self.unreadable(path, errno) }
        }
    }

    /// Looks at the file behind its last byte, once for each time it is sent.
    ///
    /// The time of the last change of any kind is no sign: it moves when the file gets another name or mode.
    private func checkUnchanged() throws(SessionError) {
        guard let status = FileStatus(descriptor: descriptor) else { throw Self.unreadable(path, errno) }
        guard status.size == size, status.modified == modified else {
            throw SessionError(.bodyUnreadable, "\(path) was changed while it was being sent; send it again")
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SessionError {
        SessionError(.bodyUnreadable, "\(path) cannot be read: \(String(cString: strerror(code)))", errno: code)
    }
}
