import Glibc

/// Why a connection ends before its next request.
enum ConnectionEnd: Error, Equatable {
    /// The peer closed it, or the server is being stopped.
    case gone
    /// Nothing came for too long.
    case timedOut
    /// A fault was ordered.
    case cut(Cut.Manner)
    /// The request is not acceptable; the status says why.
    case refused(status: Int, reason: String)

    /// The end that an `errno` of a socket call stands for.
    init(errno number: Int32) {
        self = number == EAGAIN || number == EWOULDBLOCK ? .timedOut : .gone
    }
}
