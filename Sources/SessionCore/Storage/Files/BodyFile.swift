import Glibc

/// An open file whose bytes are the body of a request; closed with the value.
///
/// The length is fixed when the file is opened. A file that becomes shorter meanwhile cannot be read to that length,
/// which is an error; bytes added to it are not read.
struct BodyFile: ~Copyable {
    /// The length in bytes when the file was opened.
    let size: Int64
    private let descriptor: Int32
    private let path: String

    /// Opens the file.
    ///
    /// Throws ``SessionError/Code/bodyUnreadable`` with a sentence that names it.
    init(path: String) throws(SessionError) {
        // A FIFO that nobody writes would hold the thread that opens it; it is refused below.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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

    /// Reads bytes that begin at an offset: at least one, unless the buffer is empty or the offset is the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SessionError) -> Int {
        let wanted = min(Int64(buffer.count), size - offset)
        guard wanted > 0 else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(offset))
            if count > 0 { return count }
            guard count < 0 else {
                throw SessionError(.bodyUnreadable, "\(path) became shorter while it was being sent")
            }
            if errno != EINTR { throw Self.unreadable(path, errno) }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SessionError {
        SessionError(.bodyUnreadable, "\(path) cannot be read: \(String(cString: strerror(code)))", errno: code)
    }
}
