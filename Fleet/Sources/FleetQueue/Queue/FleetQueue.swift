/// A queue in a PostgreSQL database, over one connection and for one thread.
///
/// A class because it owns its connection.
package final class FleetQueue {
    let connection: DatabaseConnection
    /// The queue's own id, by which a program notices after a failover that it has come to another queue.
    package let identity: String
    /// Whether a change that was undone may be repeated alone: within a transaction all of it is undone.
    var repeatsChanges = true

    /// Connects to a queue of this program's schema.
    ///
    /// `expected` is the id of the queue that the program has worked on before.
    package init(
        _ address: QueueAddress, role: String, expected: String? = nil, connectionPatience: Int = 10
    ) throws(FleetError) {
        connection = try DatabaseConnection(address, role: role, connectionPatience: connectionPatience)
        let found = try connection.run("SELECT version, id FROM netdash.queue")
        guard found.count == 1 else { throw FleetError(.noQueue, QueueErrors.noQueue) }
        guard found.number(0, 0) == Int64(Schema.version) else {
            let text = QueueErrors.otherSchema("schema \(found.text(0, 0))", known: Schema.version)
            throw FleetError(.otherSchema, text)
        }
        identity = found.text(0, 1)
        guard expected == nil || expected == identity else {
            throw FleetError(.otherQueue, QueueErrors.otherQueue)
        }
    }

    /// Creates the tables and functions of a queue in one transaction.
    package static func create(_ address: QueueAddress) throws(FleetError) {
        let connection = try DatabaseConnection(address, role: "init")
        let found = try connection.run("SELECT to_regclass('netdash.queue') IS NOT NULL")
        guard !found.isTrue(0, 0) else { throw FleetError(.usage, QueueErrors.hasQueue) }
        try connection.transaction { () throws(FleetError) in
            for statement in Schema.statements { try connection.run(statement) }
            try connection.run("INSERT INTO netdash.queue (version) VALUES ($1)", [String(Schema.version)])
        }
    }

    /// Calls `tell` once for each answer that has been awaited for some seconds, and waits on.
    package func onSilence(
        after seconds: Double, givesUp: @escaping () -> Bool = { false }, _ tell: @escaping () -> Void
    ) {
        connection.silence = DatabaseConnection.Silence(seconds: seconds, tell: tell, givesUp: givesUp)
    }

    /// Repeats a change that was undone because of another transaction, at most five times.
    func retrying<Result>(
        after codes: Set<FleetError.Code> = [.conflict], _ body: () throws(FleetError) -> Result
    ) throws(FleetError) -> Result {
        for _ in 0..<(repeatsChanges ? 4 : 0) {
            do throws(FleetError) {
                return try body()
            } catch {
                guard codes.contains(error.code) else { throw error }
            }
        }
        return try body()
    }

    /// The ids that a statement returns.
    func ids(_ statement: String, _ parameters: [String?]) throws(FleetError) -> Set<Int64> {
        try retrying { () throws(FleetError) in
            let rows = try connection.run(statement, parameters)
            return Set((0..<rows.count).compactMap { rows.number($0, 0) })
        }
    }
}

@available(*, unavailable)
extension FleetQueue: Sendable {}
