/// The connections of the running rows at the latest count.
///
/// They are not counted unless the table is grouped by hosts.
struct HostConnections: Sendable, Equatable {
    /// The milliseconds between two counts.
    private static let interval: Int64 = 1000

    /// The connection's name by row; rows that share a connection have equal names.
    private(set) var names: [UInt64: String] = [:]
    private var askedAt: Int64?

    /// Returns whether the next count is due, and if so records it.
    mutating func isDue(at now: Int64) -> Bool {
        if let askedAt, now - askedAt < Self.interval { return false }
        askedAt = now
        return true
    }

    mutating func replace(with names: [UInt64: String]) { self.names = names }

    mutating func clear() {
        if askedAt != nil { self = HostConnections() }
    }
}

/// The connections of a group's running rows.
package struct ConnectionUse: Sendable, Equatable {
    /// The connections with responses.
    fileprivate(set) var names: Set<String> = []
    /// Rows without a response yet, whose connection, if any, is unknown.
    package fileprivate(set) var unanswered = 0

    /// `2 connections`, with a plus if there may be more; empty if none is known.
    package var words: SafeText {
        guard !names.isEmpty else { return "" }
        return unanswered > 0
            ? GroupLines.connections(atLeast: names.count) : GroupLines.connections(names.count)
    }
}

extension Model {
    /// The connections of each group's shown running rows, by the group's number.
    package var connectionUses: [Int32: ConnectionUse] {
        var uses: [Int32: ConnectionUse] = [:]
        for id in rates.meters.keys where rows.figures(of: id)?.state == .running {
            guard let number = rows.group(of: id)?.number else { continue }
            if let name = connections.names[id] {
                uses[number, default: ConnectionUse()].names.insert(name)
            } else {
                uses[number, default: ConnectionUse()].unanswered += 1
            }
        }
        return uses
    }
}
