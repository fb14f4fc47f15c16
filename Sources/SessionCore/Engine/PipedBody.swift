import Glibc
import SessionSupport

/// The reading end of a body that another thread writes, and why that thread gave up.
///
/// The reading end is closed when nobody holds this any more, which ends the writing thread too: so that thread has
/// ``ending`` alone. A class because of the descriptor.
package final class PipedBody: Sendable {
    private let reader: OwnedDescriptor
    /// What the writing thread says at the end.
    let ending = BodyEnding()

    init(_ reader: OwnedDescriptor) {
        self.reader = reader
    }

    var descriptor: Int32 { reader.descriptor }

    /// Why the body ended before its end; nil while it has not, and for one that is whole.
    package var failure: SessionError? { ending.failure }
}

/// Why a thread that writes a body gave up.
///
/// A pipe ends in the same way whether everything was written or not, so the reason is left here before the writer is
/// let go. Copies share it.
struct BodyEnding: Sendable {
    private let reason = Locked<SessionError?>(nil)

    /// Nil while the body has not ended before its end, and for one that is whole.
    var failure: SessionError? { reason.withLock { $0 } }

    /// Says that no more bytes come because of an error.
    func fail(_ error: SessionError) { reason.withLock { $0 = $0 ?? error } }
}

/// Carries a body from a thread that makes it to the loop that sends it, at the pace of the network.
///
/// It is a socket pair and not a pipe, so that a reader that went away is an error and not a signal. The body ends when
/// nobody holds the writer any more.
enum BodyPipe {
    /// The two ends; throws ``SessionError/Code/bodyUnreadable`` when no descriptor is left.
    static func make() throws(SessionError) -> (reader: OwnedDescriptor, writer: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw SessionError(.bodyUnreadable, BodyErrors.noDescriptor, errno: errno)
        }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    /// Waits until the bytes have a place; false when the reader is gone.
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

/// A descriptor that is closed when nobody holds it any more; a class for the sake of its `deinit`.
final class OwnedDescriptor: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
