internal import Foundation

/// The state of a queue at a moment, as the server sees it.
package struct QueueStatus: Codable, Equatable, Sendable {
    package struct Host: Codable, Equatable, Sendable {
        package var host: String
        package var waiting: Int
        package var running: Int
        package var dead: Int
        /// The seconds until the host may be asked again; nil if it may be asked now.
        package var held: Double?
        /// Why it is held.
        package var cause: String?
    }

    package struct Worker: Codable, Equatable, Sendable {
        package var name: String
        package var slots: Int
        package var running: Int
        /// The seconds since it was heard of.
        package var silent: Double
        /// Why it claims nothing; nil while it works.
        package var obstacle: String?
    }

    package struct Cause: Codable, Equatable, Sendable {
        /// The kind of cause.
        package var cause: String
        package var count: Int
        /// The sentence of one of the jobs, where it says more; nil elsewhere.
        package var example: String?
    }

    /// The number of jobs in each state.
    package var jobs: [String: Int]
    /// The hosts with the most waiting jobs.
    package var hosts: [Host]
    package var workers: [Worker]
    /// The most frequent kinds of causes of dead jobs.
    package var causes: [Cause]
}

/// A row of a page, for lists of jobs.
package struct JobRow: Equatable, Sendable {
    package let id: Int64
    package let url: String
    package let destination: String
    package let state: JobState?
    package let received: Int64?
    package let total: Int64?
    package let worker: String?
    package let cause: String?
}

extension FleetQueue {
    /// The status as the server's JSON, on one line.
    package func statusJSON() throws(FleetError) -> String {
        // The server breaks the line after each element; within a text a line feed is escaped.
        try connection.run(Self.statusStatement).text(0, 0).replacing("\n ", with: "")
    }

    package func status() throws(FleetError) -> QueueStatus {
        let json = try statusJSON()
        guard let status = try? JSONDecoder().decode(QueueStatus.self, from: Data(json.utf8)) else {
            throw FleetError(.refused, QueueErrors.unreadableStatus)
        }
        return status
    }

    private static let statusStatement = """
        WITH counts AS MATERIALIZED (
            SELECT c.host_id, c.state, c.jobs AS n FROM netdash.counts c
        ), hosts AS (
            SELECT h.host, COALESCE(sum(n) FILTER (WHERE state = 'waiting'), 0)::bigint AS waiting,
                COALESCE(sum(n) FILTER (WHERE state = 'running'), 0)::bigint AS running,
                COALESCE(sum(n) FILTER (WHERE state = 'dead'), 0)::bigint AS dead,
                min(extract(epoch FROM h.not_before - now())) FILTER (WHERE h.not_before > now()) AS held,
                min(h.cause) FILTER (WHERE h.not_before > now()) AS cause
            FROM counts c JOIN netdash.host h ON h.id = c.host_id
            GROUP BY h.host ORDER BY waiting DESC, running DESC, h.host LIMIT 20
        ), workers AS (
            SELECT w.name, w.slots, LEAST(w.slots, COALESCE(r.n, 0)) AS running,
                GREATEST(extract(epoch FROM now() - w.beat), 0) AS silent, w.stats->>'obstacle' AS obstacle
            FROM netdash.worker w
            LEFT JOIN (SELECT worker, count(*) AS n FROM netdash.job WHERE state = 'running' GROUP BY 1) r
                ON r.worker = w.name
            ORDER BY w.name
        ), causes AS (
            SELECT COALESCE(cause_kind, cause, '') AS cause, count(*) AS count,
                NULLIF(min(cause), COALESCE(min(cause_kind), min(cause))) AS example
            FROM netdash.job WHERE state = 'dead' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
        )
        SELECT json_build_object(
            'jobs', COALESCE(
                (SELECT json_object_agg(state, n) FROM (SELECT state, sum(n)::bigint AS n FROM counts GROUP BY 1) s), '{}'),
            'hosts', COALESCE((SELECT json_agg(h) FROM hosts h), '[]'),
            'workers', COALESCE((SELECT json_agg(w) FROM workers w), '[]'),
            'causes', COALESCE((SELECT json_agg(c) FROM causes c), '[]'))
        """

    /// A page of at most `count` jobs behind an id, all or of one state or host.
    package func page(
        after id: Int64, count: Int = 100, state: JobState? = nil, host: String? = nil
    ) throws(FleetError) -> [JobRow] {
        let columns = "id, url, dest, state, received, total, worker, cause"
        let rows: DatabaseResult
        if let host {
            // Running jobs are in an index of their own.
            let condition = state.map { "AND j.state = '\($0.rawValue)'" } ?? ""
            let halves = ["<>", "="].map { relation in
                """
                (SELECT \(columns) FROM netdash.job j
                    WHERE j.host_id = (SELECT h.id FROM netdash.host h WHERE h.host = $2) AND j.id > $1
                        AND j.state \(relation) 'running' \(condition) ORDER BY j.id LIMIT \(count))
                """
            }
            rows = try connection.run(
                "SELECT * FROM (\(halves.joined(separator: " UNION ALL "))) page ORDER BY page.id LIMIT \(count)",
                [String(id), host])
        } else {
            let condition = state == nil ? "$2::text IS NULL" : "state = $2"
            rows = try connection.run(
                "SELECT \(columns) FROM netdash.job WHERE id > $1 AND \(condition) ORDER BY id LIMIT \(count)",
                [String(id), state?.rawValue])
        }
        return (0..<rows.count).map { row in
            JobRow(
                id: rows.number(row, 0) ?? 0, url: rows.text(row, 1), destination: rows.text(row, 2),
                state: JobState(rawValue: rows.text(row, 3)), received: rows.number(row, 4),
                total: rows.number(row, 5), worker: rows[row, 6], cause: rows[row, 7])
        }
    }
}
