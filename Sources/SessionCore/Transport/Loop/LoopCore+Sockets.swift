import CCurl
import CLinux

/// The sockets of attempts.
extension LoopCore {
    /// Bytes of an attempt's connection that the kernel holds; nil when there is no connection.
    ///
    /// Encrypted bytes count as they are.
    func bytesWaiting(for attempt: Attempt) -> Int64? {
        guard let socket = attempt.socket else { return nil }
        let count = cl_bytes_waiting(socket)
        return count < 0 ? nil : Int64(count)
    }

    /// Bytes of an attempt's connection that libcurl has given to the kernel and that have not arrived, or had not when it
    /// was closed; 0 when there was no connection.
    func bytesInFlight(for attempt: Attempt) -> Int64 {
        if let socket = attempt.socket { return Int64(max(cl_bytes_unacknowledged(socket), 0)) }
        return attempt.sockets.current.flatMap { multi.unacknowledged(of: $0) } ?? 0
    }

    /// The socket that has a number now.
    func name(of socket: Int32) -> SocketName { multi.name(of: socket) }

    /// libcurl has made a socket.
    func madeSocket(_ socket: Int32) -> SocketName { multi.made(socket) }

    /// Finds the socket of an attempt that has begun to be answered and has none yet.
    func locate(_ attempt: Attempt) { multi.locate(attempt) }

    /// Lets libcurl look at an attempt that has no connection yet, or none of whose body is sent.
    ///
    /// libcurl 7.88 gives up an address that is silent and does not ask to be called for the next one, and forgets when its
    /// wait for "100 Continue" ends if something happens in the millisecond before; curl itself calls it every second.
    func runAtOnce(_ attempt: Attempt) {
        if attempt.pause.isEmpty { _ = multi.runAtOnce(attempt) }
    }

    /// Has the streams of a server look whether the connection has ended that one of them has failed on.
    func checkAgain(besides failed: Attempt) {
        let name = failed.connectionName
        for attempt in allTransfers.compactMap(\.attempt) where attempt.plan.allowsHTTP2 && attempt !== failed {
            if attempt.connectionName == name { multi.checkAgain(at: attempt) }
        }
    }

    /// Lets libcurl read from an attempt's connection now.
    func act(on attempt: Attempt) {
        if let socket = attempt.socket { multi.read(from: socket) }
    }
}
