// A count of all rows takes a second per million of them, and a dashboard asks for one each second. So each statement
// that changes jobs adds what it changed to a table, and the sum of that table is the count. No worker changes a row
// that is there, so workers never wait for each other; the rows of a host and state are added up now and then.

extension Schema {
    static let tallies =
        [
            """
            CREATE TABLE netdash.tally (
                host_id integer NOT NULL,
                state text COLLATE "C" NOT NULL,
                jobs bigint NOT NULL,
                received bigint NOT NULL,
                expected numeric NOT NULL,
                unmeasured bigint NOT NULL,
                prioritised bigint NOT NULL
            ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)
            """,
            workerTallyTable, tallyFunction, foldFunction, countsView,
        ] + triggers

    static let columns = "host_id, state, jobs, received, expected, unmeasured, prioritised"
    private static let measures = columns.split(separator: ", ").dropFirst(2)
    private static let sums = measures.map { sum(of: String($0)) }.joined(separator: ", ")
    private static let shownSums = measures.map { shownSum(of: String($0)) }.joined(separator: ", ")
    private static let isChange = measures.map { "sum(\($0)) <> 0" }.joined(separator: " OR ")

    /// The sum of a measure, as it is stored.
    static func sum(of measure: String) -> String {
        "sum(\(measure))\(measure == "expected" ? "" : "::bigint") AS \(measure)"
    }

    /// The sum of a measure, as programs read it: at most the largest number of 64 bits.
    static func shownSum(of measure: String) -> String {
        measure == "expected" ? "LEAST(sum(expected), \(Int64.max))::bigint AS expected" : sum(of: measure)
    }

    /// A part of the sums for each row of a table with the columns of a job; running ones are few, and are counted.
    private static func parts(_ table: String, _ sign: String = "") -> String {
        """
        SELECT host_id, state, \(sign)1 AS jobs, \(sign)COALESCE(received, 0) AS received,
            \(sign)\(JobMeasures.size()) AS expected, \(sign)(total IS NULL)::integer AS unmeasured,
            \(sign)(priority <> 0)::integer AS prioritised
        FROM \(table) WHERE state <> 'running'
        """
    }

    /// It has its owner's rights, so that a worker's role can change jobs and no count.
    private static let tallyFunction = """
        CREATE FUNCTION netdash.tally_change() RETURNS trigger
        \(planned) SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            IF TG_OP = 'INSERT' THEN
                INSERT INTO netdash.tally (\(columns))
                SELECT host_id, state, \(sums) FROM (\(parts("new_jobs"))) part GROUP BY 1, 2;
                \(addToWorkers(workerParts("new_jobs")))
            ELSIF TG_OP = 'UPDATE' THEN
                INSERT INTO netdash.tally (\(columns))
                SELECT host_id, state, \(sums)
                FROM (\(parts("new_jobs")) UNION ALL \(parts("old_jobs", "-"))) part GROUP BY 1, 2 HAVING \(isChange);
                \(addToWorkers(workerParts("new_jobs") + " UNION ALL " + workerParts("old_jobs", "-")))
            ELSIF TG_OP = 'DELETE' THEN
                INSERT INTO netdash.tally (\(columns))
                SELECT host_id, state, \(sums) FROM (\(parts("old_jobs", "-"))) part GROUP BY 1, 2;
                \(addToWorkers(workerParts("old_jobs", "-")))
            ELSE
                DELETE FROM netdash.tally;
                DELETE FROM netdash.worker_tally;
            END IF;
            RETURN NULL;
        END $$
        """

    private static let triggers =
        [
            ("INSERT", "REFERENCING NEW TABLE AS new_jobs"),
            ("UPDATE", "REFERENCING NEW TABLE AS new_jobs OLD TABLE AS old_jobs"),
            ("DELETE", "REFERENCING OLD TABLE AS old_jobs"), ("TRUNCATE", ""),
        ].map { event, tables in
            """
            CREATE TRIGGER tally_\(event.lowercased()) AFTER \(event) ON netdash.job \(tables)
            FOR EACH STATEMENT EXECUTE FUNCTION netdash.tally_change()
            """
        }

    /// Adds up the rows of each host and state; a call that finds another one at it leaves the rows to that one.
    private static let foldFunction = """
        CREATE FUNCTION netdash.fold() RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            IF NOT pg_try_advisory_xact_lock(7310246103) THEN
                RETURN;
            END IF;
            WITH folded AS (
                DELETE FROM netdash.tally t
                USING (SELECT host_id, state FROM netdash.tally GROUP BY 1, 2 HAVING count(*) > 1) many
                WHERE t.host_id = many.host_id AND t.state = many.state RETURNING t.*
            )
            INSERT INTO netdash.tally (\(columns))
            SELECT host_id, state, \(sums) FROM folded GROUP BY 1, 2 HAVING \(isChange);
            \(foldWorkers)
        END $$
        """

    /// The jobs of each host in each state; `is_held` tells jobs that wait for a further attempt or
    /// are to be paused.
    ///
    /// Time alone ends the wait for an attempt, so such jobs are counted, from an index that has nothing else.
    private static let countsView = """
        CREATE VIEW netdash.counts AS
        WITH later AS (
            SELECT host_id, state, \(sums) FROM (\(parts("netdash.job"))
                AND state = 'waiting' AND not_before > '-infinity' AND not_before > now()) part GROUP BY 1, 2
        )
        SELECT host_id, state, is_held, \(shownSums)
        FROM (
            SELECT \(columns), false AS is_held FROM netdash.tally
            UNION ALL
            SELECT host_id, state, -jobs, -received, -expected, -unmeasured, -prioritised, false FROM later
            UNION ALL
            SELECT \(columns), true FROM later
            UNION ALL
            SELECT host_id, state, 1, COALESCE(received, 0), \(JobMeasures.size()), (total IS NULL)::integer,
                (priority <> 0)::integer, wish = 'pause'
            FROM (
                SELECT j.host_id, j.state, j.priority, j.wish, COALESCE(m.received, j.received) AS received,
                    COALESCE(m.total, j.total) AS total
                FROM netdash.job j LEFT JOIN netdash.moved m ON m.id = j.id AND m.epoch = j.epoch
                WHERE j.state = 'running'
            ) running
        ) part GROUP BY 1, 2, 3 HAVING sum(jobs) <> 0
        """
}
