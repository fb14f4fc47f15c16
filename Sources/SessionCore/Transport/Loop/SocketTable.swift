/// The sockets libcurl makes, by number: which one has the number now, and the events libcurl has requested.
///
/// libcurl closes a socket that failed to connect without notice, makes the next one under the same number, and
/// believes it to be watched already: curl 7.88 reports neither the end nor the new events. The creation of a socket is
/// always reported, and starts a new entry here.
struct SocketTable {
    /// The events requested on a socket.
    struct Interest: Sendable, Equatable {
        var readable = false
        var writable = false
    }

    private struct Entry {
        var birth: UInt32 = 0
        /// The events libcurl believes to be watched; nil for none.
        var interest: Interest?
        /// Bytes the peer had not acknowledged when the latest socket was closed.
        var unacknowledged: Int32 = 0
    }

    private var entries: [Entry] = []

    /// Returns the name of the socket that currently has a number.
    func name(of socket: Int32) -> SocketName {
        SocketName(number: socket, birth: entries.indices.contains(Int(socket)) ? entries[Int(socket)].birth : 0)
    }

    /// Records a new socket, and returns the events libcurl believes to be watched on it, from the previous socket.
    mutating func made(_ socket: Int32) -> Interest? {
        guard let index = makeRoom(for: socket) else { return nil }
        entries[index].birth &+= 1
        entries[index].unacknowledged = 0
        return entries[index].interest
    }

    /// Records the events libcurl requests on a socket; nil for none.
    mutating func watch(_ socket: Int32, _ interest: Interest?) {
        guard let index = makeRoom(for: socket) else { return }
        entries[index].interest = interest
    }

    /// Records that a socket is about to be closed with unacknowledged bytes.
    mutating func closed(_ socket: Int32, unacknowledged: Int32) {
        guard let index = makeRoom(for: socket) else { return }
        entries[index].birth &+= 1
        entries[index].interest = nil
        entries[index].unacknowledged = max(unacknowledged, 0)
    }

    /// Returns the bytes a peer had not acknowledged when the socket was closed; nil if unknown.
    func unacknowledged(of name: SocketName) -> Int64? {
        guard entries.indices.contains(Int(name.number)), entries[Int(name.number)].birth == name.birth &+ 1 else {
            return nil
        }
        return Int64(entries[Int(name.number)].unacknowledged)
    }

    private mutating func makeRoom(for socket: Int32) -> Int? {
        guard socket >= 0 else { return nil }
        let missing = Int(socket) + 1 - entries.count
        if missing > 0 { entries += [Entry](repeating: Entry(), count: missing) }
        return Int(socket)
    }
}
