internal import FleetQueue
internal import Glibc

/// Standard output with a buffer, whose errors end a command.
///
/// A class because all writers share the buffer.
final class Output {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    nonisolated(unsafe) static let standard = Output(descriptor: 1)  // used by the main thread alone

    init(descriptor: Int32) { self.descriptor = descriptor }

    func write(_ text: String) throws(FleetError) { try append(text.utf8) }

    func write(line: String) throws(FleetError) { try append((line + "\n").utf8) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FleetError) { try append(bytes) }

    private func append(_ bytes: some Sequence<UInt8>) throws(FleetError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { try flush() }
    }

    func flush() throws(FleetError) {
        var start = 0
        while start < buffer.count {
            let count = buffer[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                buffer.removeAll()
                throw FleetError(.file, CommandErrors.unwritable(String(cString: strerror(errno))))
            }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
