/// What a worker is told of a job that it holds.
package struct LeaseAnswer: Equatable, Sendable {
    /// What is wanted of the job.
    package enum Wish: String, Sendable {
        case run, pause, cancel
    }

    package let id: Int64
    package let wish: Wish
    /// Whether no worker may ask the host at the moment.
    package let isHostHeld: Bool

    package init(id: Int64, wish: Wish = .run, isHostHeld: Bool = false) {
        self.id = id
        self.wish = wish
        self.isHostHeld = isHostHeld
    }
}

/// A worker as the queue knows it.
package struct WorkerIdentity: Equatable, Sendable {
    package let name: String
    package let slots: Int
    /// The most jobs of one host that this worker holds; nil for the host's limit alone.
    package let perHost: Int?
    /// The time after which a silent worker's jobs are given to others, in seconds.
    package let lease: Double

    package init(name: String, slots: Int, perHost: Int? = nil, lease: Double = 60) {
        self.name = name
        self.slots = slots
        self.perHost = perHost
        self.lease = lease
    }

    var leaseText: String { "\(lease) s" }
}

// MARK: Claims and leases

extension FleetQueue {
    /// Claims at most `count` jobs; `full` names the hosts of which the worker has as many as it may.
    package func claim(
        _ count: Int, for worker: WorkerIdentity, but full: [String] = []
    ) throws(FleetError) -> [ClaimedJob] {
        let parameters = Self.claimParameters(count, worker, full)
        return try retrying { () throws(FleetError) in
            let rows = try connection.run("SELECT * FROM netdash.claim($1, $2, $3, $4, $5, $6)", parameters)
            return (0..<rows.count).map { ClaimedJob(rows, row: $0, queue: identity) }
        }
    }

    /// Records finished jobs and then claims at most `count`, in one transaction: each costs the server a sync.
    ///
    /// Returns the ids of the jobs that were still this worker's, as ``complete(_:)`` does.
    package func exchange(
        _ reports: [Completion], claiming count: Int, for worker: WorkerIdentity, but full: [String] = []
    ) throws(FleetError) -> (taken: Set<Int64>, jobs: [ClaimedJob]) {
        guard !reports.isEmpty else { return ([], count > 0 ? try claim(count, for: worker, but: full) : []) }
        guard count > 0 else { return (try complete(reports), []) }
        // The parts are carried out in their order, and the second sees what the first has changed.
        let statement = """
            SELECT id, NULL::bigint, NULL, NULL, NULL, NULL, NULL::jsonb, NULL, NULL::integer, NULL::bigint, NULL
            FROM netdash.complete($1, $2, $3, $4) AS id
            UNION ALL SELECT * FROM netdash.claim($5, $6, $7, $8, $9, $10)
            """
        let parameters =
            Self.completionParameters(reports, results: reports.map(\.result))
            + Self.claimParameters(count, worker, full)
        do throws(FleetError) {
            return try retrying { () throws(FleetError) in
                let rows = try connection.run(statement, parameters)
                let (ended, claimed) = (0..<rows.count).reduce(into: ([Int](), [Int]())) { parts, row in
                    if rows[row, 1] == nil { parts.0.append(row) } else { parts.1.append(row) }
                }
                return (
                    Set(ended.compactMap { rows.number($0, 0) }),
                    claimed.map { ClaimedJob(rows, row: $0, queue: identity) }
                )
            }
        } catch {
            guard error.code == .refused else { throw error }
            return (try complete(reports), try claim(count, for: worker, but: full))
        }
    }

    private static func claimParameters(_ count: Int, _ worker: WorkerIdentity, _ full: [String]) -> [String?] {
        [
            worker.name, String(count), worker.perHost.map(String.init), worker.leaseText, String(Schema.version),
            PostgresText.array(full.map(Optional.some)),
        ]
    }

    /// Renews the leases of a worker's jobs and stores their counts; a job that is missing in the answer is lost.
    package func beat(
        _ held: [HeldJob], for worker: WorkerIdentity, stats: WorkerStats
    ) throws(FleetError) -> [LeaseAnswer] {
        let parameters: [String?] = [
            worker.name, PostgresText.array(held.map(\.job.id)), PostgresText.array(held.map(\.job.epoch)),
            PostgresText.array(held.map(\.received)), PostgresText.array(held.map(\.total)), worker.leaseText,
            String(worker.slots), stats.json, String(Schema.version),
        ]
        return try retrying { () throws(FleetError) in
            try answers("SELECT * FROM netdash.beat($1, $2, $3, $4, $5, $6, $7, $8, $9)", parameters)
        }
    }

    /// Stores the counts of a worker's running jobs between two beats, in one row.
    package func tell(_ moves: [JobMove], of worker: WorkerIdentity) throws(FleetError) {
        let parameters: [String?] = [
            worker.name, PostgresText.array(moves.map(\.id)), PostgresText.array(moves.map(\.epoch)),
            PostgresText.array(moves.map(\.received)), PostgresText.array(moves.map(\.total)),
        ]
        try connection.run(
            """
            UPDATE netdash.worker SET moved_ids = $2, moved_epochs = $3, moved_received = $4, moved_totals = $5
            WHERE name = $1
            """, parameters)
    }

    /// Asks for starts of late jobs, and returns the hosts of which one may begin now.
    ///
    /// A claim's own start that was not used counts as none.
    package func begin(_ late: [HeldJob]) throws(FleetError) -> Set<String> {
        let statement = """
            UPDATE netdash.host h SET next_start = now() + h.gap
            FROM (
                SELECT w.id FROM netdash.host w
                WHERE w.host = ANY ($1) AND w.not_before <= now() AND (w.next_start <= now() OR EXISTS (
                    SELECT FROM unnest($1::text[], $2::timestamptz[]) AS late(host, next_start)
                    WHERE late.host = w.host AND late.next_start = w.next_start))
                ORDER BY w.id FOR UPDATE
            ) free
            WHERE h.id = free.id RETURNING h.host
            """
        let parameters = [
            PostgresText.array(late.map { Optional($0.job.host) }), PostgresText.array(late.map(\.job.nextStart)),
        ]
        return try retrying { () throws(FleetError) in
            let rows = try connection.run(statement, parameters)
            return Set((0..<rows.count).map { rows.text($0, 0) })
        }
    }

    /// The bytes per second of each claimed job of some hosts, where they have a rate.
    package func shares(of hosts: Set<String>) throws(FleetError) -> [String: Int64] {
        let rows = try connection.run(
            """
            SELECT h.host, h.rate / GREATEST(1, (
                SELECT count(*) FROM netdash.job j WHERE j.host_id = h.id AND j.state = 'running'))
            FROM netdash.host h WHERE h.host = ANY ($1) AND h.rate IS NOT NULL
            """, [PostgresText.array(hosts.map(Optional.some))])
        return (0..<rows.count).reduce(into: [:]) { $0[rows.text($1, 0)] = rows.number($1, 1) }
    }

    /// Asks what is wanted of a worker's jobs, without renewing their leases.
    package func look(at held: [HeldJob]) throws(FleetError) -> [LeaseAnswer] {
        let statement = """
            SELECT j.id, j.wish, COALESCE(h.not_before > now(), false)
            FROM unnest($1::bigint[], $2::bigint[]) AS u(id, epoch)
            JOIN netdash.job j ON j.id = u.id AND j.epoch = u.epoch AND (j.state = 'running') IS TRUE
            LEFT JOIN netdash.host h ON h.id = j.host_id
            """
        return try answers(
            statement, [PostgresText.array(held.map(\.job.id)), PostgresText.array(held.map(\.job.epoch))])
    }

    private func answers(_ statement: String, _ parameters: [String?]) throws(FleetError) -> [LeaseAnswer] {
        let rows = try connection.run(statement, parameters)
        return (0..<rows.count).map { row in
            LeaseAnswer(
                id: rows.number(row, 0) ?? 0, wish: LeaseAnswer.Wish(rawValue: rows.text(row, 1)) ?? .run,
                isHostHeld: rows.isTrue(row, 2))
        }
    }

    /// Returns jobs of expired leases to the queue, and says how many.
    @discardableResult
    package func reap(lease: Double) throws(FleetError) -> Int {
        let rows = try retrying { () throws(FleetError) in
            try connection.run("SELECT netdash.reap($1)", ["\(lease) s"])
        }
        return Int(rows.number(0, 0) ?? 0)
    }

    /// Whether no job waits or runs, but for some that may wait.
    package func isDrained(but waiting: [Int64] = []) throws(FleetError) -> Bool {
        try connection.run(
            """
            SELECT NOT EXISTS (SELECT FROM netdash.job WHERE state = 'waiting' AND id <> ALL ($1))
                AND NOT EXISTS (SELECT FROM netdash.job WHERE state = 'running')
            """, [PostgresText.array(waiting)]
        ).isTrue(0, 0)
    }

    /// Removes a worker that has ended from the list of workers.
    package func leave(_ worker: WorkerIdentity) throws(FleetError) {
        try connection.run("DELETE FROM netdash.worker WHERE name = $1", [worker.name])
    }
}

// MARK: Notices

extension FleetQueue {
    /// Asks for notices, and sends one to itself: where it does not arrive, a pooler swallows them.
    ///
    /// A pooler may pass on a notice that comes with an answer, so a server's process that is not the connection's own
    /// counts as one, and is asked for none: they would stay for the pooler's next client.
    package func listen(probe: String) throws(FleetError) {
        let server = try connection.run("SELECT pg_backend_pid()").number(0, 0)
        guard server == connection.serverProcess else { return }
        try connection.run("LISTEN " + Schema.channel)
        try connection.run("SELECT pg_notify($1, $2)", [Schema.channel, probe])
    }

    /// Lets the workers look again that wait for this one's last jobs to end with the queue.
    package func tellEnd() throws(FleetError) {
        try connection.run("SELECT pg_notify($1, $2)", [Schema.channel, "work"])
    }

    package func notices() throws(FleetError) -> [String] { try connection.notices() }

    package var descriptor: Int32 { connection.descriptor }

    /// Whether the connection is there, as far as has been heard; notices that have arrived are forgotten.
    package var isOpen: Bool {
        // Before its end come the server's last words.
        repeat {
            guard (try? notices()) != nil else { return false }
        } while DatabaseConnection.waitForInput([descriptor], milliseconds: 0)
        return true
    }
}
