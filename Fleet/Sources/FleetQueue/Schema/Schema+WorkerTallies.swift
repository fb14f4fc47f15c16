// What each worker has ended, added up as the jobs of hosts are. A worker's running jobs are few, and are counted.

extension Schema {
    static let workerTallyTable = """
        CREATE TABLE netdash.worker_tally (
            worker text NOT NULL,
            state text COLLATE "C" NOT NULL,
            jobs bigint NOT NULL,
            received bigint NOT NULL,
            expected numeric NOT NULL,
            unmeasured bigint NOT NULL
        ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)
        """

    private static let workerColumns = "worker, state, jobs, received, expected, unmeasured"
    private static let workerMeasures = ["jobs", "received", "expected", "unmeasured"]
    private static let workerSums = workerMeasures.map { sum(of: $0) }.joined(separator: ", ")
    private static let shownWorkerSums = workerMeasures.map { shownSum(of: $0) }.joined(separator: ", ")
    private static let isWorkerChange =
        "sum(jobs) <> 0 OR sum(received) <> 0 OR sum(expected) <> 0 OR sum(unmeasured) <> 0"

    /// A part of the sums for each row of a table with the columns of a job.
    static func workerParts(_ table: String, _ sign: String = "") -> String {
        """
        SELECT worker, state, \(sign)1 AS jobs, \(sign)COALESCE(received, 0) AS received,
            \(sign)\(JobMeasures.size()) AS expected, \(sign)(total IS NULL)::integer AS unmeasured
        FROM \(table) WHERE \(hasEnded("")) AND worker IS NOT NULL
        """
    }

    /// The statement that adds such parts.
    static func addToWorkers(_ parts: String) -> String {
        """
        INSERT INTO netdash.worker_tally (\(workerColumns))
        SELECT worker, state, \(workerSums) FROM (\(parts)) part GROUP BY 1, 2 HAVING \(isWorkerChange);
        """
    }

    /// The statement that leaves one row for a worker and state.
    static let foldWorkers = """
        WITH folded AS (
            DELETE FROM netdash.worker_tally t
            USING (SELECT worker, state FROM netdash.worker_tally GROUP BY 1, 2 HAVING count(*) > 1) many
            WHERE t.worker = many.worker AND t.state = many.state RETURNING t.*
        )
        INSERT INTO netdash.worker_tally (\(workerColumns))
        SELECT worker, state, \(workerSums) FROM folded GROUP BY 1, 2 HAVING \(isWorkerChange);
        """

    /// What each worker has ended, by state.
    static let workerCounts = """
        SELECT worker, state, \(shownWorkerSums) FROM netdash.worker_tally GROUP BY 1, 2 HAVING sum(jobs) <> 0
        """
}
