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
    /// Adds jobs by COPY, in transactions of at most `batch` jobs: an interrupted list may be added again.
    ///
    /// `next` returns the list's entries, and nil at its end; `refuse` is told each refused one.
    package func add(
        batch: Int = 250_000, _ next: () throws(FleetError) -> ListReader.Entry?,
        refuse: (_ line: Int, _ reason: String) -> Void
    ) throws(FleetError) -> AddCounts {
        var counts = AddCounts()
        var isAtEnd = false
        while !isAtEnd {
            let one = try connection.transaction { () throws(FleetError) in
                try addBatch(batch, next, refuse: refuse, isAtEnd: &isAtEnd)
            }
            counts.added += one.added
            counts.known += one.known
            counts.conflicting += one.conflicting
            counts.refused += one.refused
        }
        return counts
    }

    private func addBatch(
        _ most: Int, _ next: () throws(FleetError) -> ListReader.Entry?, refuse: (Int, String) -> Void,
        isAtEnd: inout Bool
    ) throws(FleetError) -> AddCounts {
        var counts = AddCounts()
        var copied = 0
        try connection.run(
            """
            CREATE TEMPORARY TABLE incoming (
                host text NOT NULL, url text NOT NULL, dest text NOT NULL, request jsonb, checksum text,
                priority smallint NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY) ON COMMIT DROP
            """)
        let copy = "COPY incoming (host, url, dest, request, checksum, priority) FROM STDIN"
        try connection.copyIn(copy) { () throws(FleetError) in
            var lines: [UInt8] = []
            lines.reserveCapacity(70_000)
            while lines.count < 65_536, copied < most, !isAtEnd {
                switch try next() {
                case .job(let job)?:
                    job.append(to: &lines)
                    copied += 1
                case .refused(let line, let reason)?:
                    refuse(line, reason)
                    counts.refused += 1
                case nil: isAtEnd = true
                }
            }
            return lines.isEmpty ? nil : lines
        }
        guard copied > 0 else { return counts }
        try connection.run(
            """
            INSERT INTO netdash.host (host, due)
            SELECT DISTINCT i.host, 'infinity'::timestamptz FROM incoming i
            WHERE NOT EXISTS (SELECT FROM netdash.host h WHERE h.host = i.host)
            ORDER BY i.host ON CONFLICT (host) DO NOTHING
            """)
        counts.added = try connection.run(
            """
            INSERT INTO netdash.job (host_id, url, dest, request, checksum, priority)
            SELECT h.id, i.url, i.dest, i.request, i.checksum, i.priority
            FROM incoming i JOIN netdash.host h USING (host) ORDER BY i.number ON CONFLICT (dest) DO NOTHING
            """
        ).changes
        if counts.added < copied {
            let others = try connection.run(
                "SELECT count(*) FROM incoming i JOIN netdash.job j USING (dest) WHERE j.url <> i.url")
            counts.conflicting = Int(others.number(0, 0) ?? 0)
            counts.known = copied - counts.added - counts.conflicting
        }
        // Hosts are woken last, because a claim that holds one of their rows then sees the jobs.
        try connection.run(
            """
            UPDATE netdash.host h
            SET priority = GREATEST(h.priority, chosen.top), due = LEAST(h.due, GREATEST(now(), h.not_before, h.next_start))
            FROM (
                SELECT l.id, l.top FROM (
                    SELECT w.id, n.top FROM netdash.host w
                    JOIN (SELECT host, max(priority) AS top FROM incoming GROUP BY host) n USING (host)
                    ORDER BY w.id FOR UPDATE OF w
                ) l
            ) chosen
            WHERE h.id = chosen.id
            """)
        try connection.run("SELECT pg_notify($1, 'work')", [Schema.channel])
        return counts
    }
}
