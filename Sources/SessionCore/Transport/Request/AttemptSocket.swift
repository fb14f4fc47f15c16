/// A socket's number, with what tells it from the sockets that had the number before and will have it later.
///
/// The system gives out the smallest free number, so a socket that replaces a closed one nearly always has the same.
struct SocketName: Sendable, Equatable {
    var number: Int32
    /// How many sockets had the number before.
    var birth: UInt32 = 0
}

/// Which socket an attempt's bytes go over, told from what libcurl watches for it.
///
/// While two addresses are tried at once there are two of them, and the loser is closed: its number may soon be that of
/// something else.
struct AttemptSocket {
    /// The socket that was watched last and is not known to be given up for another.
    ///
    /// It stays when nothing is watched any more: a connection that is paused is not closed.
    private(set) var current: SocketName?
    private var isCurrentWatched = false
    /// The sockets that are watched besides, the latest at the end; nearly always none.
    private var others: [SocketName] = []
    /// The sockets that were made for the attempt, of which those that led nowhere are closed.
    var opened: [SocketName] = []

    /// libcurl watches a socket.
    mutating func watch(_ socket: SocketName) {
        if let current, current.number != socket.number {
            others.removeAll { $0.number == socket.number }
            if isCurrentWatched { others.append(current) }
        }
        current = socket
        isCurrentWatched = true
    }

    /// libcurl no longer watches a socket, because it is paused or closed.
    mutating func unwatch(_ socket: Int32) {
        guard current?.number == socket else {
            others.removeAll { $0.number == socket }
            return
        }
        isCurrentWatched = false
        guard let other = others.popLast() else { return }
        current = other
        isCurrentWatched = true
    }

    /// A socket was made for the attempt; one that was watched under its number is closed.
    mutating func made(_ socket: SocketName) {
        opened.append(socket)
        if current?.number == socket.number { current = socket }
        others.removeAll { $0.number == socket.number }
    }
}
