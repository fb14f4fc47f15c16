/// The kept connections of HTTP/1 that no transfer uses, by socket, and whom they lead to.
///
/// Nothing may come on such a connection but its end. The loop keeps watching them, because libcurl looks at one only
/// when it wants to use it again, and some of its versions take whatever waits there for the next answer.
struct IdleConnections {
    /// Whom a connection leads to.
    struct Origin: Equatable {
        /// Scheme, host and port, as transfers name their hosts.
        var name: String
        var isEncrypted: Bool
    }

    /// What is known of a socket.
    private struct Entry {
        /// Who has used it last.
        var user: ObjectIdentifier?
        /// Nil while it is used.
        var origin: Origin?
        /// Its own port; 0 while nobody has asked.
        var port: Int32 = 0
    }

    /// By socket, which are small numbers.
    private var entries: [Entry] = []

    /// A connection is used, by whom it was or by somebody else.
    ///
    /// Returns whether it was idle.
    mutating func use(_ socket: Int32, by user: ObjectIdentifier) -> Bool {
        guard socket >= 0 else { return false }
        let missing = Int(socket) + 1 - entries.count
        if missing > 0 { entries += [Entry](repeating: Entry(), count: missing) }
        entries[Int(socket)].user = user
        if exchange(&entries[Int(socket)].origin, with: nil) != nil { return true }
        // Another connection may have the number now.
        entries[Int(socket)].port = 0
        return false
    }

    /// A user is done with a connection, which is idle now unless somebody else has begun to use it meanwhile: an answer
    /// may be held back long after libcurl has read it.
    ///
    /// Returns whether it is idle. Its own port is asked for once.
    mutating func leave(
        _ socket: Int32, of origin: Origin, by user: ObjectIdentifier, port: (Int32) -> Int32
    ) -> Bool {
        guard socket >= 0, Int(socket) < entries.count, entries[Int(socket)].user == user else { return false }
        entries[Int(socket)].origin = origin
        if entries[Int(socket)].port == 0 { entries[Int(socket)].port = port(socket) }
        return true
    }

    /// The sockets of idle connections from a port of this machine; more than one only where they lead to several
    /// places.
    func sockets(from port: Int32) -> [Int32] {
        guard port > 0 else { return [] }
        return entries.indices.filter { entries[$0].port == port && entries[$0].origin != nil }.map { Int32($0) }
    }

    /// An idle connection has ended, or nobody may use it any more.
    ///
    /// Returns whom it leads to; nil when it was not idle.
    mutating func remove(_ socket: Int32) -> Origin? {
        guard socket >= 0, Int(socket) < entries.count else { return nil }
        return exchange(&entries[Int(socket)].origin, with: nil)
    }
}
