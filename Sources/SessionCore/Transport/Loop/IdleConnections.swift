/// The kept HTTP/1 connections that no transfer uses, by socket, with their origins.
///
/// The only valid event on such a connection is its end. The loop keeps watching them, because libcurl checks one only
/// when it wants to reuse it, and some of its versions take surplus bytes there for the next response.
struct IdleConnections {
    /// The origin of a connection.
    struct Origin: Equatable {
        /// Scheme, host and port, as transfers name their hosts.
        var name: String
        var isEncrypted: Bool
    }

    /// The last user of a socket, and its origin.
    private struct Entry {
        var user: ObjectIdentifier?
        /// The origin of an idle connection; nil while it is in use.
        var origin: Origin?
    }

    /// Connections by socket; sockets are small numbers.
    private var entries: [Entry] = []
    /// The local ports of the connections, by socket; 0 until queried.
    ///
    /// Kept apart from `entries`, because all of them are searched.
    private var ports: [Int32] = []

    /// Records that a connection is used, by the same attempt or another one.
    mutating func use(_ socket: Int32, by user: ObjectIdentifier) {
        guard socket >= 0 else { return }
        let missing = Int(socket) + 1 - entries.count
        if missing > 0 {
            entries += [Entry](repeating: Entry(), count: missing)
            ports += [Int32](repeating: 0, count: missing)
        }
        // The number may now belong to another connection, unless this one was idle.
        if exchange(&entries[Int(socket)].origin, with: nil) == nil, entries[Int(socket)].user != user {
            ports[Int(socket)] = 0
        }
        entries[Int(socket)].user = user
    }

    func contains(_ socket: Int32) -> Bool {
        socket >= 0 && Int(socket) < entries.count && entries[Int(socket)].origin != nil
    }

    /// Records that an attempt has left a connection, and returns whether the connection is now idle: another attempt
    /// may already use it, because a response may be withheld long after libcurl has read it.
    ///
    /// The local port is queried once.
    mutating func leave(
        _ socket: Int32, of origin: Origin, by user: ObjectIdentifier, port: (Int32) -> Int32
    ) -> Bool {
        guard socket >= 0, Int(socket) < entries.count, entries[Int(socket)].user == user else { return false }
        entries[Int(socket)].origin = origin
        if ports[Int(socket)] == 0 { ports[Int(socket)] = port(socket) }
        return true
    }

    /// Returns the sockets of kept connections with a local port; several share one if they lead to different
    /// endpoints, or if one of them is closed.
    func sockets(from port: Int32) -> [Int32] {
        guard port > 0 else { return [] }
        var found: [Int32] = []
        for index in ports.indices where ports[index] == port {
            found.append(Int32(index))
        }
        return found
    }

    /// Forgets a socket that was closed, or whose number was assigned again.
    mutating func forget(_ socket: Int32) {
        guard socket >= 0, Int(socket) < entries.count else { return }
        (entries[Int(socket)], ports[Int(socket)]) = (Entry(), 0)
    }

    /// Removes an idle connection that has ended or must not be reused, and returns its origin; nil when it was not
    /// idle.
    mutating func remove(_ socket: Int32) -> Origin? {
        guard socket >= 0, Int(socket) < entries.count else { return nil }
        return exchange(&entries[Int(socket)].origin, with: nil)
    }
}
