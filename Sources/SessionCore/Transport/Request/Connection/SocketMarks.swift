import CCurl

extension PacketMarking {
    /// Marks the packets of a socket; returns false when the system refuses.
    ///
    /// A mark that is not set becomes the system's own again, because a connection may be reused.
    func mark(_ socket: Int32) -> Bool {
        cc_mark_socket(socket, serviceType ?? 0, priority.map { Int32($0) } ?? -1)
    }
}

/// The marks of sockets, so that each is set only when it changes.
///
/// Confined to the transfer loop.
struct SocketMarks {
    private var marks: [Int32: PacketMarking] = [:]

    /// Marks a socket; returns false when the system refuses.
    mutating func mark(_ socket: Int32, _ marking: PacketMarking) -> Bool {
        guard marks[socket, default: PacketMarking()] != marking else { return true }
        guard marking.mark(socket) else { return false }
        marks[socket] = marking == PacketMarking() ? nil : marking
        return true
    }

    /// Forgets a socket that was closed.
    mutating func forget(_ socket: Int32) {
        if !marks.isEmpty { marks[socket] = nil }
    }
}
