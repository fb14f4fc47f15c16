import CCurl
import CLinux

/// The sockets of attempts.
extension LoopCore {
    /// Returns the bytes in the kernel's receive buffer of an attempt; nil without a connection.
    ///
    /// Encrypted bytes count as they are.
    func bytesWaiting(for attempt: Attempt) -> Int64? {
        guard let socket = attempt.socket else { return nil }
        let count = cl_bytes_waiting(socket)
        return count < 0 ? nil : Int64(count)
    }

    /// Returns the bytes libcurl has given to the kernel that the peer has not acknowledged, or had not when the
    /// connection was closed; 0 without a connection.
    func bytesInFlight(for attempt: Attempt) -> Int64 {
        if let socket = attempt.socket { return Int64(max(cl_bytes_unacknowledged(socket), 0)) }
        return attempt.sockets.current.flatMap { multi.unacknowledged(of: $0) } ?? 0
    }

    /// Returns the name of the socket that currently has a number.
    func name(of socket: Int32) -> SocketName { multi.name(of: socket) }

    /// Records that libcurl has made a socket.
    func madeSocket(_ socket: Int32) -> SocketName { multi.made(socket) }

    func mark(_ socket: Int32, _ marking: PacketMarking) -> Bool { multi.mark(socket, marking) }

    /// Finds the socket of an attempt that has begun to be answered and has none yet.
    func locate(_ attempt: Attempt) { multi.locate(attempt) }

    /// Runs libcurl on an attempt that has no connection yet, or has sent nothing of its body.
    ///
    /// libcurl 7.88 gives up a silent address without asking to be called for the next one, and misses the end of its
    /// wait for "100 Continue" if something happens in the millisecond before; curl itself calls it every second.
    func runAtOnce(_ attempt: Attempt) {
        if attempt.pause.isEmpty { _ = multi.runAtOnce(attempt) }
    }

    /// Makes a server's other streams check whether the connection on which one has failed has ended.
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
