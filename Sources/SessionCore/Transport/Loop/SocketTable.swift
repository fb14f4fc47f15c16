/// What is known of the sockets that libcurl makes, by number: which one has it now, and what libcurl has asked to watch.
///
/// libcurl closes a socket whose address led nowhere without a word, makes the next one under the same number, and takes
/// it for watched already: curl 7.88 tells neither of the end nor of the new interest. That a socket was made is told in
/// any case, and is what begins a new one here.
struct SocketTable {
    /// What is waited for on a socket.
    struct Interest: Sendable, Equatable {
        var readable = false
        var writable = false
    }

    private struct Entry {
        var birth: UInt32 = 0
        /// What libcurl believes to be watched; nil for nothing.
        var interest: Interest?
        /// Bytes that the peer of the socket that was closed last had not acknowledged.
        var unacknowledged: Int32 = 0
    }

    private var entries: [Entry] = []

    /// The socket that has a number now.
    func name(of socket: Int32) -> SocketName {
        SocketName(number: socket, birth: entries.indices.contains(Int(socket)) ? entries[Int(socket)].birth : 0)
    }

    /// A socket was made.
    ///
    /// Returns what libcurl believes to be watched on it, because it was on the one before.
    mutating func made(_ socket: Int32) -> Interest? {
        guard let index = makeRoom(for: socket) else { return nil }
        entries[index].birth &+= 1
        entries[index].unacknowledged = 0
        return entries[index].interest
    }

    /// libcurl wants something to be watched on a socket, or nothing any more.
    mutating func watch(_ socket: Int32, _ interest: Interest?) {
        guard let index = makeRoom(for: socket) else { return }
        entries[index].interest = interest
    }

    /// A socket is about to be closed, with so many bytes that its peer has not acknowledged.
    mutating func closed(_ socket: Int32, unacknowledged: Int32) {
        guard let index = makeRoom(for: socket) else { return }
        entries[index].birth &+= 1
        entries[index].interest = nil
        entries[index].unacknowledged = max(unacknowledged, 0)
    }

    /// Bytes that the peer of a socket had not acknowledged when it was closed; nil where that is not known.
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
