import Foundation
import Glibc

/// A body that comes from an `InputStream`: read on a thread of its own while it is sent, at the pace of the network.
///
/// The length is unknown and the body cannot be repeated. A stream is not thread-safe, so it belongs to this body alone
/// from here on.
struct InputStreamBody {
    private let stream: InputStream

    /// A body from a stream that was not opened.
    init(_ stream: InputStream) {
        self.stream = stream
    }

    /// Starts reading; the result is what the engine reads from.
    func makeDescriptor() throws(SessionError) -> OwnedDescriptor {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            let number = errno
            throw SessionError(.bodyUnreadable, "No descriptor for the body stream is left", errno: number)
        }
        let pump = InputStreamPump(stream: stream, descriptor: ends[1])
        Thread { pump.run() }.start()
        return OwnedDescriptor(ends[0])
    }
}
