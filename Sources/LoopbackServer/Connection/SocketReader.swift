import Glibc

/// Reads a connection through a buffer.
///
/// Confined to the connection's thread.
final class SocketReader {
    /// Enough for most heads.
    static let smallCapacity = 8_192
    private static let largeCapacity = 262_144

    private let descriptor: Int32
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0

    init(descriptor: Int32) {
        self.descriptor = descriptor
        buffer = [UInt8](repeating: 0, count: Self.smallCapacity)
    }

    /// The bytes of a request head including its empty line; nil when the peer closed before its first byte.
    func readHead(limit: Int) throws(ConnectionEnd) -> ArraySlice<UInt8>? {
        var scanned = 0
        var skipped = 0
        while true {
            skipped += skipEmptyLines()
            guard skipped <= limit else { throw .refused(status: 400, reason: "empty lines and no request") }
            scanned = min(scanned, end - start)
            if let length = headLength(scannedBefore: scanned) {
                guard length <= limit else { throw .refused(status: 431, reason: "the head is too large") }
                defer { start += length }
                return buffer[start..<start + length]
            }
            scanned = end - start
            guard scanned < limit else { throw .refused(status: 431, reason: "the head is too large") }
            guard try fill(capacity: min(limit, max(Self.smallCapacity, scanned * 2))) else {
                if scanned == 0 { return nil }
                throw .gone
            }
            // A TLS handshake record, to which every plain HTTP server responds.
            if buffer[start] == 0x16 { throw .refused(status: 400, reason: "TLS where plain HTTP is spoken") }
        }
    }

    /// One line without its line end, for chunk sizes and trailers.
    func readLine(limit: Int) throws(ConnectionEnd) -> ArraySlice<UInt8> {
        while true {
            if let lineFeed = buffer[start..<end].firstIndex(of: ASCII.lineFeed) {
                guard lineFeed > start, buffer[lineFeed - 1] == ASCII.carriageReturn else {
                    throw .refused(status: 400, reason: "a line without carriage return")
                }
                defer { start = lineFeed + 1 }
                return buffer[start..<lineFeed - 1]
            }
            guard end - start < limit else { throw .refused(status: 400, reason: "a line too long") }
            guard try fill(capacity: Self.smallCapacity) else { throw .gone }
        }
    }

    /// Lends at least one and at most `limit` bytes, which count as read afterwards.
    func read(limit: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(ConnectionEnd) -> Int {
        if start == end {
            let capacity = limit > Self.smallCapacity ? Self.largeCapacity : Self.smallCapacity
            guard try fill(capacity: capacity) else { throw .gone }
        }
        let length = min(limit, end - start)
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<start + length])) }
        start += length
        return length
    }

    /// Skips empty lines, which a client may send before its request (RFC 9112, 2.2); returns their number of bytes.
    private func skipEmptyLines() -> Int {
        let first = start
        while end - start >= 2, buffer[start] == ASCII.carriageReturn, buffer[start + 1] == ASCII.lineFeed {
            start += 2
        }
        return start - first
    }

    /// The length of the head at the start of the buffer with its empty line; nil for an incomplete one.
    private func headLength(scannedBefore: Int) -> Int? {
        return buffer.withUnsafeBytes { bytes in
            var index = start + max(0, scannedBefore - 3)
            while index < end {
                guard bytes[index] == ASCII.lineFeed else {
                    index += 1
                    continue
                }
                let bare = index > start && bytes[index - 1] == ASCII.lineFeed
                let empty =
                    index >= start + 2 && bytes[index - 1] == ASCII.carriageReturn
                    && bytes[index - 2] == ASCII.lineFeed
                if bare || empty { return index + 1 - start }
                index += 1
            }
            return nil
        }
    }

    /// Receives more bytes after the buffered ones; returns false at the end of the stream.
    private func fill(capacity: Int) throws(ConnectionEnd) -> Bool {
        if start > 0 {
            let buffered = end - start
            buffer.withUnsafeMutableBytes { bytes in
                if buffered > 0, let base = bytes.baseAddress { memmove(base, base + start, buffered) }
            }
            start = 0
            end = buffered
        }
        let wanted = max(capacity, end + 1)
        if buffer.count < wanted { grow(to: wanted) }
        var count = 0
        repeat {
            count = buffer.withUnsafeMutableBytes { bytes in
                recv(descriptor, bytes.baseAddress.map { $0 + end }, bytes.count - end, 0)
            }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw ConnectionEnd(errno: errno) }
        end += count
        return count > 0
    }

    /// Resizes the buffer, with its bytes at the start.
    private func grow(to capacity: Int) {
        var larger = [UInt8](repeating: 0, count: capacity)
        larger.withUnsafeMutableBytes { target in
            buffer.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<end])) }
        }
        buffer = larger
    }
}
