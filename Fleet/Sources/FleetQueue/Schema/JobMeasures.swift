/// The measures of a job in SQL, which its indexes and the statements that use them must have word for word.
package enum JobMeasures {
    /// The bytes of a job: expected ones where they are known, else received ones.
    package static func size(_ job: String = "") -> String { "COALESCE(\(job)total, \(job)received, 0)" }

    /// The progress in percent of a job that is not done; -1 where it is unknown.
    package static func percent(_ job: String = "") -> String {
        """
        (CASE WHEN \(job)total > 0 THEN LEAST(100::double precision, \
        COALESCE(\(job)received, 0) * 100::double precision / \(job)total) ELSE -1 END)
        """
    }

    /// Whether anything is known of a job's bytes, as of most jobs that have ever run.
    package static func isMeasured(_ job: String = "") -> String { "(\(job)total > 0 OR \(job)received > 0)" }
}
