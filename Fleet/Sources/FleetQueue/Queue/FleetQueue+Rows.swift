/// A job as lists show it, with times as seconds before the statement's moment.
package struct ListedJob: Equatable, Sendable {
    package let id: Int64
    package let host: String
    package let url: String
    package let destination: String
    package let kind: String
    package let state: JobState
    package let wish: LeaseAnswer.Wish
    package let priority: Int
    package let attempts: Int
    package let received: Int64
    package let total: Int64?
    package let worker: String?
    package let cause: String?
    /// Seconds until its next attempt; nil if it may begin now.
    package let wait: Double?
    /// Seconds since it ended.
    package let age: Double?

    /// The columns of a statement over `netdash.job j JOIN netdash.host h`.
    package static let columns = columns(received: "j.received", total: "j.total")

    static func columns(received: String, total: String) -> String {
        """
        j.id, h.host, j.url, j.dest, j.kind, j.state, j.wish, j.priority, j.attempts, \(received), \(total), j.worker,
        j.cause, CASE WHEN j.state = 'waiting' AND j.not_before > now() THEN extract(epoch FROM j.not_before - now()) END,
        extract(epoch FROM now() - j.ended)
        """
    }

    init(_ rows: DatabaseResult, row: Int) {
        id = rows.number(row, 0) ?? 0
        host = rows.text(row, 1)
        url = rows.text(row, 2)
        destination = rows.text(row, 3)
        kind = rows.text(row, 4)
        state = JobState(rawValue: rows.text(row, 5)) ?? .waiting
        wish = LeaseAnswer.Wish(rawValue: rows.text(row, 6)) ?? .run
        priority = Int(rows.number(row, 7) ?? 0)
        attempts = Int(rows.number(row, 8) ?? 0)
        received = rows.number(row, 9) ?? 0
        total = rows.number(row, 10)
        worker = rows[row, 11]
        cause = rows[row, 12]
        wait = rows[row, 13].flatMap { Double($0) }
        age = rows[row, 14].flatMap { Double($0) }
    }
}

/// A statement with its parameters: text from outside is always a parameter.
package struct QueueStatement: Equatable, Sendable {
    /// A parameter that is a part of names, in lower case: the statement gets an array of the names' values.
    ///
    /// The planner knows how many jobs a host or a worker has, and not how many a part of a name finds.
    package struct Lookup: Equatable, Sendable {
        package enum Table: Equatable, Sendable {
            /// The ids of hosts.
            case hosts
            /// The names of workers that have ended jobs.
            case workers

            fileprivate var statement: String {
                switch self {
                case .hosts: "SELECT array_agg(id) FROM netdash.host WHERE strpos(lower(host), $1) > 0"
                case .workers:
                    "SELECT array_agg(DISTINCT worker) FROM netdash.worker_tally WHERE strpos(lower(worker), $1) > 0"
                }
            }
        }

        package let table: Table
        /// The index of the parameter.
        package let parameter: Int

        package init(_ table: Table, parameter: Int) { (self.table, self.parameter) = (table, parameter) }
    }

    package var text: String
    package var parameters: [String?]
    package var lookups: [Lookup]

    package init(_ text: String, _ parameters: [String?] = [], lookups: [Lookup] = []) {
        (self.text, self.parameters, self.lookups) = (text, parameters, lookups)
    }
}

extension FleetQueue {
    /// Runs a statement after its lookups.
    func run(_ statement: QueueStatement) throws(FleetError) -> DatabaseResult {
        var parameters = statement.parameters
        for lookup in statement.lookups {
            let found = try connection.run(lookup.table.statement, [statement.parameters[lookup.parameter]])
            parameters[lookup.parameter] = found[0, 0] ?? "{}"
        }
        return try connection.run(statement.text, parameters)
    }
}

/// A worker of the queue at a moment.
package struct ListedWorker: Equatable, Sendable {
    package let name: String
    package let slots: Int
    /// The seconds since it was heard of.
    package let silence: Double
}

/// A host that no worker may ask for a while.
package struct HeldHost: Equatable, Sendable {
    package let host: String
    /// The seconds until a worker may ask it.
    package let seconds: Double
    /// The moment by the server's clock, by which a longer hold is told from the same one.
    package let moment: String
}

// MARK: Rows

extension FleetQueue {
    /// The jobs of a statement that selects ``ListedJob/columns``.
    package func jobs(_ statement: QueueStatement) throws(FleetError) -> [ListedJob] {
        let rows = try run(statement)
        return (0..<rows.count).map { ListedJob(rows, row: $0) }
    }

    /// The jobs with some ids, in the order of these.
    package func jobs(_ ids: [Int64]) throws(FleetError) -> [ListedJob] {
        try jobs(
            QueueStatement(
                """
                SELECT \(ListedJob.columns) FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, number)
                JOIN netdash.job j ON j.id = u.id JOIN netdash.host h ON h.id = j.host_id ORDER BY u.number
                """, [PostgresText.array(ids)]))
    }

    /// The jobs that workers have, at most `count` of them, with their latest counts.
    package func runningJobs(_ count: Int) throws(FleetError) -> [ListedJob] {
        let columns = ListedJob.columns(
            received: "COALESCE(m.received, j.received)", total: "COALESCE(m.total, j.total)")
        return try jobs(
            QueueStatement(
                """
                SELECT \(columns) FROM netdash.job j JOIN netdash.host h ON h.id = j.host_id
                LEFT JOIN netdash.moved m ON m.id = j.id AND m.epoch = j.epoch
                WHERE j.state = 'running' ORDER BY j.id LIMIT \(count)
                """))
    }

    /// The jobs behind an id.
    package func jobs(after id: Int64, count: Int) throws(FleetError) -> [ListedJob] {
        try jobs(
            QueueStatement(
                """
                SELECT \(ListedJob.columns) FROM netdash.job j JOIN netdash.host h ON h.id = j.host_id
                WHERE j.id > $1 ORDER BY j.id LIMIT \(count)
                """, [String(id)]))
    }

    /// The numbers of a statement's first column.
    package func numbers(_ statement: QueueStatement) throws(FleetError) -> [Int64] {
        let rows = try run(statement)
        return (0..<rows.count).compactMap { rows.number($0, 0) }
    }

    /// The request of a job as JSON; nil without one and for a missing job.
    package func request(of id: Int64) throws(FleetError) -> String? {
        let rows = try connection.run("SELECT request FROM netdash.job WHERE id = $1", [String(id)])
        return rows.count == 1 ? rows[0, 0] : nil
    }

    /// Runs `body` in a transaction whose statements the server ends when they take longer, and again where another
    /// transaction has undone it.
    ///
    /// The limit ends with the transaction, because a pooler gives the connection to another client then.
    package func limited<Result>(
        toSeconds seconds: Int, _ body: () throws(FleetError) -> Result
    ) throws(FleetError) -> Result {
        try retrying { () throws(FleetError) in
            repeatsChanges = false
            defer { repeatsChanges = true }
            return try connection.transaction { () throws(FleetError) in
                try connection.run("SELECT set_config('statement_timeout', $1, true)", ["\(seconds)s"])
                return try body()
            }
        }
    }
}

// MARK: Workers and hosts

extension FleetQueue {
    /// The workers, and the most jobs of a host at once.
    package func workers() throws(FleetError) -> (workers: [ListedWorker], perHost: Int) {
        let rows = try connection.run(
            """
            SELECT w.name, w.slots, GREATEST(extract(epoch FROM now() - w.beat), 0), q.host_active
            FROM netdash.queue q LEFT JOIN netdash.worker w ON true ORDER BY w.name
            """)
        let workers = (0..<rows.count).compactMap { row -> ListedWorker? in
            guard let name = rows[row, 0] else { return nil }
            return ListedWorker(
                name: name, slots: Int(rows.number(row, 1) ?? 0), silence: Double(rows.text(row, 2)) ?? 0)
        }
        return (workers, rows.count > 0 ? Int(rows.number(0, 3) ?? 0) : 0)
    }

    /// The hosts that no worker may ask.
    package func heldHosts() throws(FleetError) -> [HeldHost] {
        let rows = try connection.run(
            """
            SELECT h.host, extract(epoch FROM h.not_before - now()), h.not_before FROM netdash.host h
            WHERE h.not_before > now() ORDER BY h.host LIMIT 1000
            """)
        return (0..<rows.count).map {
            HeldHost(host: rows.text($0, 0), seconds: Double(rows.text($0, 1)) ?? 0, moment: rows.text($0, 2))
        }
    }
}

// MARK: Wishes for chosen jobs

extension FleetQueue {
    /// Lets chosen jobs run, and says how many: paused ones wait again, and dead or cancelled ones as if they were new.
    package func resume(_ ids: [Int64]) throws(FleetError) -> Int {
        try change(
            """
            state = CASE WHEN j.state = 'running' THEN j.state ELSE 'waiting' END, wish = 'run', ended = NULL,
            worker = CASE WHEN j.state = 'running' THEN j.worker END,
            attempts = CASE WHEN j.ended IS NULL THEN j.attempts ELSE 0 END,
            lapses = CASE WHEN j.ended IS NULL THEN j.lapses ELSE 0 END,
            not_before = CASE WHEN j.ended IS NULL THEN j.not_before ELSE '-infinity' END
            """, of: ids, in: [.paused, .running, .dead, .cancelled])
    }

    /// Raises or lowers the priority of chosen jobs that have not ended, and says how many.
    package func prioritise(_ ids: [Int64], by steps: Int) throws(FleetError) -> Int {
        let steps = max(-200, min(200, steps))
        return try change(
            "priority = LEAST(100, GREATEST(-100, j.priority + (\(steps))))", of: ids,
            in: [.waiting, .running, .paused])
    }

    /// Changes chosen jobs by one statement, in the order of their ids as every change does, and wakes their hosts.
    private func change(_ columns: String, of ids: [Int64], in states: [JobState]) throws(FleetError) -> Int {
        let names = states.map { Optional($0.rawValue) }
        let rows = try retrying { () throws(FleetError) in
            try connection.run(
                """
                WITH locked AS (
                    SELECT j.id FROM netdash.job j WHERE j.id = ANY ($1) AND j.state = ANY ($2) ORDER BY j.id FOR UPDATE
                ), changed AS (
                    UPDATE netdash.job j SET \(columns) FROM locked l WHERE j.id = l.id
                    RETURNING j.host_id, j.priority
                ), tops AS (
                    SELECT c.host_id, max(c.priority) AS top, count(*) AS n FROM changed c GROUP BY 1
                ), hosts AS (
                    SELECT w.id FROM netdash.host w WHERE w.id IN (SELECT t.host_id FROM tops t) ORDER BY w.id FOR UPDATE
                ), woken AS (
                    UPDATE netdash.host h SET priority = GREATEST(h.priority, t.top),
                        due = LEAST(h.due, GREATEST(now(), h.not_before, h.next_start))
                    FROM tops t JOIN hosts x ON x.id = t.host_id WHERE h.id = t.host_id RETURNING h.id
                )
                SELECT (SELECT COALESCE(sum(t.n), 0)::bigint FROM tops t), (SELECT count(*) FROM woken),
                    pg_notify($3, 'wish'), pg_notify($3, 'work')
                """, [PostgresText.array(ids), PostgresText.array(names), Schema.channel])
        }
        return Int(rows.number(0, 0) ?? 0)
    }
}
