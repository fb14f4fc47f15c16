/// What is the same for the jobs of a host in a state.
package struct JobTally: Equatable, Sendable {
    package let host: String
    package let state: JobState
    /// Whether they wait for a further attempt, or are to be paused.
    package let isHeldUp: Bool
    package let count: Int
    package let received: Int64
    /// The expected bytes where they are known, else the received ones.
    package let expected: Int64
    package let unmeasured: Int
    /// Whether any of them has a priority.
    package let isPrioritised: Bool
}

/// The jobs of a state that a worker has ended.
package struct WorkerTally: Equatable, Sendable {
    package let worker: String
    package let state: JobState
    package let count: Int
    package let received: Int64
    package let expected: Int64
    package let unmeasured: Int
}

extension FleetQueue {
    /// The jobs that workers have ended, by worker and state.
    package func workerTallies() throws(FleetError) -> [WorkerTally] {
        let rows = try connection.run(Schema.workerCounts)
        return (0..<rows.count).map { row in
            WorkerTally(
                worker: rows.text(row, 0), state: JobState(rawValue: rows.text(row, 1)) ?? .waiting,
                count: Int(rows.number(row, 2) ?? 0), received: rows.number(row, 3) ?? 0,
                expected: rows.number(row, 4) ?? 0, unmeasured: Int(rows.number(row, 5) ?? 0))
        }
    }

    /// The counts and bytes of all jobs by host and state, by one aggregate.
    package func tallies() throws(FleetError) -> [JobTally] {
        let rows = try connection.run(
            """
            SELECT h.host, c.state, c.is_held, c.jobs, c.received, c.expected, c.unmeasured, c.prioritised > 0
            FROM netdash.counts c JOIN netdash.host h ON h.id = c.host_id
            """)
        return (0..<rows.count).map { row in
            JobTally(
                host: rows.text(row, 0), state: JobState(rawValue: rows.text(row, 1)) ?? .waiting,
                isHeldUp: rows.isTrue(row, 2), count: Int(rows.number(row, 3) ?? 0), received: rows.number(row, 4) ?? 0,
                expected: rows.number(row, 5) ?? 0, unmeasured: Int(rows.number(row, 6) ?? 0),
                isPrioritised: rows.isTrue(row, 7))
        }
    }

    /// Adds up the parts of the counts, of which each change of jobs leaves some.
    ///
    /// Where it fails, the counts are right all the same, and the next one has more to do.
    func foldTallies() { _ = try? connection.run("SELECT netdash.fold()") }
}
