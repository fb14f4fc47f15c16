/// The counts of added jobs.
package struct AddCounts: Equatable, Sendable {
    package var added = 0
    /// Jobs with the same URL and destination as a queued one.
    package var known = 0
    /// Jobs whose destination belongs to another URL.
    package var conflicting = 0
    package var refused = 0

    package init(added: Int = 0, known: Int = 0, conflicting: Int = 0, refused: Int = 0) {
        self.added = added
        self.known = known
        self.conflicting = conflicting
        self.refused = refused
    }
}

extension FleetQueue {
    /// The transactions after which their parts of the counts are added up.
    private static let batchesPerFold = 20

    /// Adds jobs by COPY, in transactions of at most `batch` jobs: an interrupted list may be added again.
    ///
    /// `next` returns the list's entries, and nil at its end; `refuse` is told each refused one, and of the ones whose
    /// destination belongs to another URL the first of each transaction. New jobs go into the
    /// queue's table as they are. After the first destination that is there already, all go through a table of their
    /// own, which costs twice as much.
    package func add(
        batch: Int = 50_000, _ next: () throws(FleetError) -> ListReader.Entry?,
        refuse: (_ line: Int, _ reason: String) -> Void
    ) throws(FleetError) -> AddCounts {
        var counts = AddCounts()
        var hosts: [String: Int64] = [:]
        var hasDuplicates = false
        var batches = 0
        defer { foldTallies() }
        while let jobs = try read(batch, next, refused: &counts.refused, refuse) {
            batches += 1
            if batches % Self.batchesPerFold == 0 { foldTallies() }
            try findHosts(of: jobs, in: &hosts)
            if !hasDuplicates {
                do throws(FleetError) {
                    counts.added += try copy(jobs, hosts)
                    continue
                } catch {
                    guard error.code == .duplicate || error.code == .conflict else { throw error }
                    hasDuplicates = true
                }
            }
            // Another one that adds may have brought the same destination at the same time.
            let merged = try retrying(after: [.conflict, .duplicate]) { () throws(FleetError) in
                try merge(jobs, hosts)
            }
            counts.added += merged.added
            counts.conflicting += merged.conflicting
            counts.known += jobs.count - merged.added - merged.conflicting
            for job in merged.named {
                refuse(job.line, JobFaults.otherURL(PostgresText.printable(job.destination)))
            }
        }
        return counts
    }

    /// Reads at most `most` jobs; nil at the list's end.
    private func read(
        _ most: Int, _ next: () throws(FleetError) -> ListReader.Entry?, refused: inout Int,
        _ refuse: (Int, String) -> Void
    ) throws(FleetError) -> [NewJob]? {
        var jobs: [NewJob] = []
        while jobs.count < most, let entry = try next() {
            switch entry {
            case .job(let job): jobs.append(job)
            case .refused(let line, let reason):
                refuse(line, reason)
                refused += 1
            }
        }
        return jobs.isEmpty ? nil : jobs
    }

    /// Adds the numbers of the jobs' hosts to `hosts`; new hosts get one, and are due when their jobs are there.
    private func findHosts(of jobs: [NewJob], in hosts: inout [String: Int64]) throws(FleetError) {
        let known = hosts
        let unknown = Set(jobs.lazy.map(\.host)).filter { known[$0] == nil }.sorted()
        guard !unknown.isEmpty else { return }
        let names = [PostgresText.array(unknown.map(Optional.some))]
        let rows = try retrying { () throws(FleetError) in
            try connection.run(
                """
                INSERT INTO netdash.host (host, due)
                SELECT n.name, 'infinity' FROM unnest($1::text[]) AS n(name)
                WHERE NOT EXISTS (SELECT FROM netdash.host h WHERE h.host = n.name)
                ORDER BY n.name ON CONFLICT (host) DO NOTHING
                """, names)
            return try connection.run("SELECT h.host, h.id FROM netdash.host h WHERE h.host = ANY ($1::text[])", names)
        }
        for row in 0..<rows.count { hosts[rows.text(row, 0)] = rows.number(row, 1) }
    }

    /// Copies jobs into the queue's table, which fails if a destination is there already.
    private func copy(_ jobs: [NewJob], _ hosts: [String: Int64]) throws(FleetError) -> Int {
        try connection.transaction { () throws(FleetError) in
            try copy(jobs, hosts, into: "netdash.job")
            try wake(jobs, hosts)
            return jobs.count
        }
    }

    /// The most jobs of a transaction that are named because their destinations belong to other URLs.
    private static let namedConflicts = 20

    /// Adds the jobs whose destinations are new; returns how many they are, and how many destinations belong to other
    /// URLs, with the first of their jobs.
    private func merge(
        _ jobs: [NewJob], _ hosts: [String: Int64]
    ) throws(FleetError) -> (added: Int, conflicting: Int, named: [NewJob]) {
        try connection.transaction { () throws(FleetError) in
            try connection.run(
                """
                CREATE TEMPORARY TABLE incoming (
                    host_id integer NOT NULL, url text NOT NULL, dest text COLLATE "C" NOT NULL, request jsonb,
                    checksum text, priority smallint NOT NULL, number integer GENERATED ALWAYS AS IDENTITY)
                    ON COMMIT DROP
                """)
            try copy(jobs, hosts, into: "incoming")
            let added = try connection.run(
                """
                INSERT INTO netdash.job (host_id, url, dest, request, checksum, priority)
                SELECT n.host_id, n.url, n.dest, n.request, n.checksum, n.priority FROM (
                    SELECT DISTINCT ON (i.dest) i.* FROM incoming i
                    WHERE NOT EXISTS (SELECT FROM netdash.destination d WHERE d.dest = i.dest)
                    ORDER BY i.dest, i.number
                ) n ORDER BY n.number
                """
            ).changes
            var conflicting = 0
            var named: [NewJob] = []
            if added < jobs.count {
                // COPY numbers the jobs in their order, from 1.
                let others = try connection.run(
                    """
                    SELECT i.number, count(*) OVER () FROM incoming i
                    JOIN netdash.destination d USING (dest) JOIN netdash.job j ON j.id = d.job_id
                    WHERE j.url <> i.url ORDER BY i.number LIMIT \(Self.namedConflicts)
                    """)
                conflicting = others.count > 0 ? Int(others.number(0, 1) ?? 0) : 0
                named = (0..<others.count).compactMap { others.number($0, 0) }.filter { $0 <= jobs.count }
                    .map { jobs[Int($0) - 1] }
            }
            if added > 0 { try wake(jobs, hosts) }
            return (added, conflicting, named)
        }
    }

    private func copy(_ jobs: [NewJob], _ hosts: [String: Int64], into table: String) throws(FleetError) {
        var rest = jobs[...]
        let statement = "COPY \(table) (host_id, url, dest, request, checksum, priority) FROM STDIN"
        try connection.copyIn(statement) { () throws(FleetError) in
            var lines: [UInt8] = []
            lines.reserveCapacity(70_000)
            while lines.count < 65_536, let job = rest.popFirst() {
                job.append(to: &lines, hostID: hosts[job.host])
            }
            return lines.isEmpty ? nil : lines
        }
    }

    /// Makes the jobs' hosts due: last, because a claim that holds one of their rows then sees the jobs.
    private func wake(_ jobs: [NewJob], _ hosts: [String: Int64]) throws(FleetError) {
        var tops: [Int64: Int] = [:]
        for job in jobs {
            guard let id = hosts[job.host] else { continue }
            tops[id] = max(tops[id] ?? job.priority, job.priority)
        }
        let ids = tops.keys.sorted()
        try connection.run(
            """
            UPDATE netdash.host h
            SET priority = GREATEST(h.priority, chosen.top), due = LEAST(h.due, GREATEST(now(), h.not_before, h.next_start))
            FROM (
                SELECT w.id, n.top FROM netdash.host w
                JOIN unnest($1::integer[], $2::smallint[]) AS n(id, top) ON n.id = w.id
                ORDER BY w.id FOR UPDATE OF w
            ) chosen
            WHERE h.id = chosen.id
            """,
            [PostgresText.array(ids), PostgresText.array(ids.map { Int64(tops[$0] ?? 0) })])
        try connection.run("SELECT pg_notify($1, 'work')", [Schema.channel])
    }
}
