import Foundation
import SessionSupport

/// A body from an `InputStream`, read on its own thread while it is sent, at the pace of the network.
///
/// The length is unknown and the body cannot be repeated. A stream is not thread-safe, so this body owns it from here
/// on. A class because a thread runs it.
final class InputStreamBody: Sendable {
    private static let block = 64 << 10

    /// Used by the reading thread only.
    private nonisolated(unsafe) let stream: InputStream
    private let writer: OwnedDescriptor
    private let ending: BodyEnding

    private init(_ stream: InputStream, _ writer: OwnedDescriptor, _ ending: BodyEnding) {
        self.stream = stream
        self.writer = writer
        self.ending = ending
    }

    /// Starts reading an unopened stream and returns the body the engine reads from.
    static func start(_ stream: InputStream) throws(SessionError) -> PipedBody {
        let (reader, writer) = try BodyPipe.make()
        let piped = PipedBody(reader)
        let body = InputStreamBody(stream, writer, piped.ending)
        try SystemThread.startDetached(name: "session-stream") { body.run() }
        return piped
    }

    private func run() {
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            // A stream that could not be opened may report that it is at its end.
            guard count >= 0, count > 0 || stream.streamStatus != .error else { return ending.fail(failure()) }
            guard count > 0, BodyPipe.write(buffer.prefix(count), to: writer) else { return }
        }
    }

    private func failure() -> SessionError {
        guard let cause = stream.streamError else {
            return SessionError(.bodyUnreadable, BodyErrors.unreadableStream)
        }
        let system = cause as NSError
        var error = SessionError(
            .bodyUnreadable, BodyErrors.unreadableStream(system.localizedDescription),
            errno: system.domain == NSPOSIXErrorDomain ? Int32(truncatingIfNeeded: system.code) : nil)
        error.underlying = UnderlyingError(cause)
        return error
    }
}
