import Glibc

/// Bytes on their way to a terminal that may not take them at once.
///
/// Order is kept and nothing is sent twice, however little each write takes.
struct OutputQueue {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Whether everything was taken.
    var isEmpty: Bool { sent == bytes.count }

    /// Adds bytes behind those that wait.
    mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Writes until everything is taken or the terminal takes no more.
    mutating func flush(to descriptor: Int32) throws(TerminalError) {
        while !isEmpty {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                return
            } else if errno == EIO {
                throw .gone
            } else if errno != EINTR {
                throw .system(call: "write", errno: errno)
            }
        }
        bytes.removeAll(keepingCapacity: bytes.count < 65_536)
        sent = 0
    }

    /// Forgets what was not taken: the screen it was for has been left.
    mutating func removeAll() {
        bytes.removeAll()
        sent = 0
    }
}
