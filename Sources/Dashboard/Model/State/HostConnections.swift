/// The connections of the rows that run, as they were when somebody looked last.
///
/// Nothing counts them while the table is not grouped by hosts.
struct HostConnections: Sendable, Equatable {
    /// The milliseconds between two looks.
    private static let interval: Int64 = 1000

    /// The name of each row's connection; rows that share one have the same.
    private(set) var names: [UInt64: String] = [:]
    private var askedAt: Int64?

    /// Whether it is time to look again; remembers that somebody does.
    mutating func isDue(at now: Int64) -> Bool {
        if let askedAt, now - askedAt < Self.interval { return false }
        askedAt = now
        return true
    }

    mutating func replace(with names: [UInt64: String]) { self.names = names }

    /// Forgets what is no longer shown.
    mutating func clear() {
        if askedAt != nil { self = HostConnections() }
    }
}

/// The connections of a group's rows that run.
package struct ConnectionUse: Sendable, Equatable {
    /// Those on which answers come.
    fileprivate(set) var names: Set<String> = []
    /// Rows that have no answer yet: nobody has told on which connection, if there is one.
    package fileprivate(set) var unanswered = 0

    /// `2 connections`, with a plus where there may be more; empty where none is known.
    package var words: SafeText {
        guard !names.isEmpty else { return "" }
        return unanswered > 0
            ? GroupLines.connections(atLeast: names.count) : GroupLines.connections(names.count)
    }
}

extension Model {
    /// What the rows of each group that run have of connections, by the group's number.
    package var connectionUses: [Int32: ConnectionUse] {
        var uses: [Int32: ConnectionUse] = [:]
        for id in rates.meters.keys where rows.figures(of: id)?.state == .running {
            guard let number = rows.groupNumber(of: id) else { continue }
            if let name = connections.names[id] {
                uses[number, default: ConnectionUse()].names.insert(name)
            } else {
                uses[number, default: ConnectionUse()].unanswered += 1
            }
        }
        return uses
    }
}
