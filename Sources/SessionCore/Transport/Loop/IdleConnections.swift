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
    }

    /// By socket, which are small numbers.
    private var entries: [Entry] = []
    /// The connections' own ports, by socket; 0 while nobody has asked.
    ///
    /// They stand apart because all of them are looked through.
    private var ports: [Int32] = []

    /// A connection is used, by whom it was or by somebody else.
    mutating func use(_ socket: Int32, by user: ObjectIdentifier) {
        guard socket >= 0 else { return }
        let missing = Int(socket) + 1 - entries.count
        if missing > 0 {
            entries += [Entry](repeating: Entry(), count: missing)
            ports += [Int32](repeating: 0, count: missing)
        }
        // Another connection may have the number now, unless this one was idle.
        if exchange(&entries[Int(socket)].origin, with: nil) == nil, entries[Int(socket)].user != user {
            ports[Int(socket)] = 0
        }
        entries[Int(socket)].user = user
    }

    /// Whether a connection is idle.
    func contains(_ socket: Int32) -> Bool {
        socket >= 0 && Int(socket) < entries.count && entries[Int(socket)].origin != nil
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
        if ports[Int(socket)] == 0 { ports[Int(socket)] = port(socket) }
        return true
    }

    /// The sockets of kept connections from a port of this machine; more than one where they lead to several places, or
    /// where one of them is closed.
    func sockets(from port: Int32) -> [Int32] {
        guard port > 0 else { return [] }
        var found: [Int32] = []
        for index in ports.indices where ports[index] == port {
            found.append(Int32(index))
        }
        return found
    }

    /// A socket was closed, or another one was made that has its number.
    mutating func forget(_ socket: Int32) {
        guard socket >= 0, Int(socket) < entries.count else { return }
        (entries[Int(socket)], ports[Int(socket)]) = (Entry(), 0)
    }

    /// An idle connection has ended, or nobody may use it any more.
    ///
    /// Returns whom it leads to; nil when it was not idle.
    mutating func remove(_ socket: Int32) -> Origin? {
        guard socket >= 0, Int(socket) < entries.count else { return nil }
        return exchange(&entries[Int(socket)].origin, with: nil)
    }
}
