import Glibc

/// Sends through a small buffer, so that a head and a short body leave in one piece.
///
/// Confined to one thread.
final class SocketWriter {
    private static let capacity = 16_384

    private let descriptor: Int32
    private var pending: [UInt8] = []

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Sends bytes, now or with the next ones.
    ///
    /// The caller flushes before it waits for anything.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ConnectionEnd) {
        if pending.count + bytes.count <= Self.capacity {
            pending.append(contentsOf: bytes)
            return
        }
        try send(pending, more: true)
        pending.removeAll(keepingCapacity: true)
        if bytes.count >= Self.capacity {
            try send(bytes, more: false)
        } else {
            pending.append(contentsOf: bytes)
        }
    }

    func write(_ text: String) throws(ConnectionEnd) {
        try write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) throws(ConnectionEnd) {
        if pending.count + bytes.count <= Self.capacity {
            pending.append(contentsOf: bytes)
            return
        }
        try flush()
        try send(bytes, more: false)
    }

    /// Sends all buffered bytes and further ones in one piece.
    func flush(with bytes: [UInt8]) throws(ConnectionEnd) {
        pending += bytes
        try flush()
    }

    /// Sends all buffered bytes.
    func flush() throws(ConnectionEnd) {
        guard !pending.isEmpty else { return }
        try send(pending, more: false)
        pending.removeAll(keepingCapacity: true)
    }

    private func send(_ bytes: [UInt8], more: Bool) throws(ConnectionEnd) {
        var end: ConnectionEnd?
        bytes.withUnsafeBytes { buffer in
            do throws(ConnectionEnd) { try send(buffer, more: more) } catch { end = error }
        }
        if let end { throw end }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, more: Bool) throws(ConnectionEnd) {
        // No SIGPIPE when the peer is gone; the call fails instead.
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        var sent = 0
        while sent < bytes.count {
            let count = Glibc.send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, flags)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ConnectionEnd(errno: errno) }
            sent += count
        }
    }
}
