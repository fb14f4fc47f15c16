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
                priority smallint NOT NULL) ON COMMIT DROP
            """)
        try connection.copyIn("COPY incoming FROM STDIN") { () throws(FleetError) in
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
        counts.added = try connection.run(
            """
            INSERT INTO netdash.job (host, url, dest, request, checksum, priority)
            SELECT host, url, dest, request, checksum, priority FROM incoming ON CONFLICT (dest) DO NOTHING
            """
        ).changes
        if counts.added < copied {
            let others = try connection.run(
                "SELECT count(*) FROM incoming i JOIN netdash.job j USING (dest) WHERE j.url <> i.url")
            counts.conflicting = Int(others.number(0, 0) ?? 0)
            counts.known = copied - counts.added - counts.conflicting
        }
        // Hosts come last, because a claim that waits for their rows waits until the commit.
        try connection.run(
            """
            INSERT INTO netdash.host AS h (host, priority)
            SELECT host, max(priority) FROM incoming GROUP BY host ORDER BY host
            ON CONFLICT (host) DO UPDATE SET priority = GREATEST(h.priority, excluded.priority),
                due = LEAST(h.due, GREATEST(now(), h.not_before, h.next_start))
            """)
        try connection.run("SELECT pg_notify($1, 'work')", [Schema.channel])
        return counts
    }
}
