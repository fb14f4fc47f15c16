/// The jobs that `retry` returns to the queue.
package struct RetryFilter: Equatable, Sendable {
    package var state = "dead"
    package var host: String?
    /// A part of the cause, in either case.
    package var cause: String?

    package init(state: String = "dead", host: String? = nil, cause: String? = nil) {
        self.state = state
        self.host = host
        self.cause = cause
    }
}

/// A form of exported jobs.
package enum ExportFormat: String, Sendable {
    case jsonLines = "jsonl"
    case csv
}

extension FleetQueue {
    /// Returns dead or cancelled jobs to the queue, in transactions of at most `batch` jobs, and says how many.
    ///
    /// Each is returned once, also one that is dead again meanwhile.
    package func retry(_ filter: RetryFilter, batch: Int = 10_000) throws(FleetError) -> Int {
        var (returned, last) = (0, Int64.min)
        while true {
            let parameters = [filter.state, filter.host, filter.cause, String(last), String(batch)]
            let rows = try retrying { () throws(FleetError) in
                try connection.run("SELECT * FROM netdash.retry($1, $2, $3, $4, $5)", parameters)
            }
            guard let next = rows.number(0, 0) else { break }
            returned += Int(rows.number(0, 1) ?? 0)
            last = next
        }
        foldTallies()
        return returned
    }

    /// Lets workers ask a held host again; false if it was not held.
    package func release(_ host: String) throws(FleetError) -> Bool {
        try retrying { () throws(FleetError) in
            try connection.run("SELECT netdash.release($1)", [host])
        }.isTrue(0, 0)
    }

    /// Sets what is wanted of jobs, and returns how many that concerns.
    package func wish(_ wish: LeaseAnswer.Wish, for ids: [Int64]) throws(FleetError) -> Int {
        let rows = try retrying { () throws(FleetError) in
            try connection.run("SELECT netdash.wish($1, $2)", [PostgresText.array(ids), wish.rawValue])
        }
        return Int(rows.number(0, 0) ?? 0)
    }

    /// Removes jobs that ended in a state before the last `age` seconds, in small transactions; files stay.
    package func purge(state: String, age: Double) throws(FleetError) -> Int {
        let statement = """
            DELETE FROM netdash.job WHERE id IN (
                SELECT id FROM netdash.job
                WHERE state = $1 AND state IN ('done', 'dead', 'cancelled') AND ended <= now() - $2::interval
                ORDER BY id LIMIT 10000 FOR UPDATE SKIP LOCKED)
            """
        var removed = 0
        while true {
            let changes = try connection.run(statement, [state, "\(age) s"]).changes
            removed += changes
            guard changes > 0 else { break }
        }
        foldTallies()
        return removed
    }

    /// Writes the jobs of a state, or all of them, one per line; times are ISO 8601 in UTC.
    package func export(
        _ format: ExportFormat, state: JobState?, _ line: (UnsafeRawBufferPointer) throws(FleetError) -> Void
    ) throws(FleetError) {
        // COPY takes no parameters; a state's name is one of a few words.
        let condition = state.map { "WHERE state = '\($0.rawValue)'" } ?? ""
        // A time as the server writes it depends on settings of the database, the role and the session.
        let columns = """
            SELECT id, url, dest, state, attempts, received, total, checksum, cause, worker, result,
                to_char(ended AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ended
            FROM netdash.job \(condition) ORDER BY id
            """
        switch format {
        case .csv: try connection.copyOut("COPY (\(columns)) TO STDOUT WITH (FORMAT csv, HEADER)", line)
        case .jsonLines:
            // With these two characters, which JSON never contains, CSV leaves each line as it is.
            try connection.copyOut(
                """
                COPY (SELECT json_strip_nulls(row_to_json(r)) FROM (\(columns)) r)
                TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')
                """, line)
        }
    }
}
