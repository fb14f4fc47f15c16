internal import Glibc

/// Reads a list from a file or standard input, entry by entry.
///
/// A class because it owns the descriptor.
package final class ListFile {
    private let path: String
    private let descriptor: Int32
    private var reader: ListReader
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Opens a list; `-` is standard input.
    package init(_ path: String, reader: ListReader) throws(FleetError) {
        self.path = path
        self.reader = reader
        descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
    }

    deinit { if descriptor > 0 { close(descriptor) } }

    /// The list's next entry; nil at its end.
    package func next() throws(FleetError) -> ListReader.Entry? {
        while true {
            if let end = buffer[start...].firstIndex(of: 0x0A) {
                let line = buffer[start..<end]
                start = end + 1
                if let entry = reader.take(line) { return entry }
            } else if isAtEnd {
                guard start < buffer.count else { return reader.finish() }
                let line = buffer[start...]
                start = buffer.count
                if let entry = reader.take(line) { return entry }
            } else {
                try fill()
            }
        }
    }

    private func fill() throws(FleetError) {
        buffer.removeFirst(start)
        start = 0
        let used = buffer.count
        let room = 1 << 20
        buffer.append(contentsOf: repeatElement(0, count: room))
        var count = -1
        repeat {
            count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + used }, room) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw Self.unreadable(path) }
        buffer.removeLast(room - count)
        isAtEnd = count == 0
    }

    private static func unreadable(_ path: String) -> FleetError {
        FleetError(.file, ListErrors.unreadable(PostgresText.printable(path), String(cString: strerror(errno))))
    }
}
