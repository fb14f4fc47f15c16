import Foundation
import Glibc

/// Copies a stream into a socket until one of the two ends.
final class InputStreamPump: Sendable {
    /// The stream is used by the pump's thread only.
    private nonisolated(unsafe) let stream: InputStream
    private let descriptor: Int32

    init(stream: InputStream, descriptor: Int32) {
        self.stream = stream
        self.descriptor = descriptor
    }

    func run() {
        stream.open()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = stream.read(&buffer, maxLength: buffer.count)
        while count > 0, send(buffer.prefix(count)) {
            count = stream.read(&buffer, maxLength: buffer.count)
        }
        stream.close()
        close(descriptor)
    }

    /// False when the reader is gone.
    private func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }
}
