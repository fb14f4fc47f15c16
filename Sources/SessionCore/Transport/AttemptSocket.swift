/// Which socket an attempt's bytes go over, told from what libcurl watches for it.
///
/// While two addresses are tried at once there are two of them, and the loser is closed: its number may soon be that of
/// something else.
struct AttemptSocket {
    /// The socket that was watched last and is not known to be given up for another.
    ///
    /// It stays when nobody watches it any more: nothing closes a connection that is paused.
    private(set) var current: Int32?
    private var isCurrentWatched = false
    /// Those that are watched besides, the latest at the end; nearly always none.
    private var others: [Int32] = []

    /// libcurl watches a socket.
    mutating func watch(_ socket: Int32) {
        if let current, current != socket {
            others.removeAll { $0 == socket }
            if isCurrentWatched { others.append(current) }
        }
        current = socket
        isCurrentWatched = true
    }

    /// libcurl no longer watches a socket, because it is paused or closed.
    mutating func unwatch(_ socket: Int32) {
        guard current == socket else {
            others.removeAll { $0 == socket }
            return
        }
        isCurrentWatched = false
        guard let other = others.popLast() else { return }
        current = other
        isCurrentWatched = true
    }
}
