import Glibc
import SessionSupport

/// The reading end of a body that another thread writes, and the reason if that thread gave up.
///
/// The last reference closes the reading end, which also stops the writing thread; that thread therefore keeps only
/// ``ending``. A class because it owns a descriptor.
package final class PipedBody: Sendable {
    private let reader: OwnedDescriptor
    /// The length that the request announces; nil if it is unknown.
    let length: Int64?
    /// The writing thread's report at the end.
    let ending = BodyEnding()

    init(_ reader: OwnedDescriptor, length: Int64? = nil) {
        (self.reader, self.length) = (reader, length)
    }

    var descriptor: Int32 { reader.descriptor }

    /// The error that cut the body short; nil while it is being written, and for a complete one.
    package var failure: SessionError? { ending.failure }
}

/// A request's body as the engine sends it.
package struct SentBody: Sendable {
    package let specification: BodySpecification
    /// The reading end of a body that another thread writes; nil for any other.
    let piped: PipedBody?

    init(_ specification: BodySpecification) { (self.specification, piped) = (specification, nil) }

    init(_ piped: PipedBody) { (specification, self.piped) = (.descriptor(piped.descriptor), piped) }
}

/// The reason why a thread that writes a body gave up.
///
/// A pipe ends alike for a complete and an incomplete body, so the reason is stored here before the writer is released.
/// Copies share it.
struct BodyEnding: Sendable {
    private let reason = Locked<SessionError?>(nil)

    /// The reason why the body breaks off; nil while it is being written, and for a complete one.
    var failure: SessionError? { reason.withLock { $0 } }

    /// Records that no more bytes come because of an error; the first error wins.
    func fail(_ error: SessionError) { reason.withLock { $0 = $0 ?? error } }
}

/// Carries a body from the thread that makes it to the loop that sends it, at the pace of the network.
///
/// A socket pair instead of a pipe, so that a closed reader causes an error and not a signal. The body ends with the
/// last reference to the writer.
enum BodyPipe {
    /// Returns the two ends; throws ``SessionError/Code/bodyUnreadable`` when no descriptor is available.
    static func make() throws(SessionError) -> (reader: OwnedDescriptor, writer: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw SessionError(.bodyUnreadable, BodyErrors.noDescriptor, errno: errno)
        }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    /// Blocks until the bytes are in the socket's buffer; false when the reader is closed.
    static func write(_ bytes: ArraySlice<UInt8>, to writer: OwnedDescriptor) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(writer.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }
}

/// A descriptor that closes with its last reference; a class for its `deinit`.
final class OwnedDescriptor: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
