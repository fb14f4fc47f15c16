import Foundation

/// A body that comes from an `InputStream`: read on a thread of its own while it is sent, at the pace of the network.
///
/// The length is unknown and the body cannot be repeated. A stream is not thread-safe, so it belongs to this body alone
/// from here on. A class because a thread runs it.
final class InputStreamBody: Sendable {
    private static let block = 64 << 10

    /// Used by the reading thread only.
    private nonisolated(unsafe) let stream: InputStream
    private let writer: OwnedDescriptor

    private init(_ stream: InputStream, _ writer: OwnedDescriptor) {
        self.stream = stream
        self.writer = writer
    }

    /// Starts reading a stream that was not opened; the result is what the engine reads from.
    static func start(_ stream: InputStream) throws(SessionError) -> OwnedDescriptor {
        let (reader, writer) = try BodyPipe.make()
        let body = InputStreamBody(stream, writer)
        Thread { body.run() }.start()
        return reader
    }

    private func run() {
        stream.open()
        var buffer = [UInt8](repeating: 0, count: Self.block)
        var count = stream.read(&buffer, maxLength: buffer.count)
        while count > 0, BodyPipe.write(buffer.prefix(count), to: writer) {
            count = stream.read(&buffer, maxLength: buffer.count)
        }
        stream.close()
    }
}
