/// Which socket an attempt's bytes go over, told from what libcurl watches for it.
///
/// While two addresses are tried at once there are two of them, and the loser is closed: its number may soon be that of
/// something else.
struct AttemptSocket {
    /// The socket that was watched last and is not known to be given up for another.
    ///
    /// It stays when nobody watches it any more: nothing closes a connection that is paused.
    private(set) var current: Int32?
    private var watched: [Int32] = []

    /// libcurl watches a socket.
    mutating func watch(_ socket: Int32) {
        if !watched.contains(socket) { watched.append(socket) }
        current = socket
    }

    /// libcurl no longer watches a socket, because it is paused or closed.
    mutating func unwatch(_ socket: Int32) {
        watched.removeAll { $0 == socket }
        if current == socket, let other = watched.last { current = other }
    }
}
