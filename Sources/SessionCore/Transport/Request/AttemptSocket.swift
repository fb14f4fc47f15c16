/// A socket's number, distinguished from earlier and later sockets with the same number.
///
/// The system assigns the smallest free number, so a socket that replaces a closed one nearly always has the same.
struct SocketName: Sendable, Equatable {
    var number: Int32
    /// How many sockets had the number before.
    var birth: UInt32 = 0
}

/// The socket of an attempt's connection, derived from the sockets libcurl watches for it.
///
/// While two addresses are tried at once, two sockets are watched and the losing one is closed: its number may soon be
/// reused.
struct AttemptSocket {
    /// The socket watched last that is not known to be replaced by another.
    ///
    /// It is kept when nothing is watched any more: a paused connection is not closed.
    private(set) var current: SocketName?
    private var isCurrentWatched = false
    /// Further watched sockets, the latest at the end; nearly always none.
    private var others: [SocketName] = []
    /// The sockets made for the attempt, including the closed ones that failed to connect.
    private(set) var opened: [SocketName] = []

    /// Records that libcurl watches a socket.
    mutating func watch(_ socket: SocketName) {
        if let current, current.number != socket.number {
            others.removeAll { $0.number == socket.number }
            if isCurrentWatched { others.append(current) }
        }
        current = socket
        isCurrentWatched = true
    }

    /// Records that libcurl no longer watches a socket, because it is paused or closed.
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

    /// Records a socket made for the attempt; one watched under the same number is closed.
    mutating func made(_ socket: SocketName) {
        opened.append(socket)
        if current?.number == socket.number { current = socket }
        others.removeAll { $0.number == socket.number }
    }
}
