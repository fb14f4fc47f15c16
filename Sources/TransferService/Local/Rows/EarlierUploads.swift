import SessionSupport

/// The uploads of an earlier run that are not complete: a job that repeats one goes on with it.
///
/// Only uploads of a file that may be sent twice, so that the repetition of a command has one result.
struct EarlierUploads: Sendable {
    /// Rows by what they send where; URLs are without secrets.
    private var rows: [String: UInt64] = [:]

    /// Remembers a restored row.
    mutating func add(_ row: TransferRow) {
        switch row.run.result {
        case .completed, .cancelled: break
        case .failed, .unfinished, nil: if let key = Self.key(of: row.job) { rows[key] = row.id }
        }
    }

    subscript(job: Job) -> UInt64? { rows.isEmpty ? nil : Self.key(of: job).flatMap { rows[$0] } }

    /// Whether two jobs send the same file to the same URL.
    static func areSame(_ one: Job, _ other: Job) -> Bool { key(of: one).map { $0 == key(of: other) } ?? false }

    private static func key(of job: Job) -> String? {
        guard job.kind == .upload, case .file(let path) = job.body,
            job.sentMethod == "PUT" || job.options.contains(.resumable)
        else { return nil }
        return [job.sentMethod, Redaction.url(job.url, userInfo: .removed), path].joined(separator: "\n")
    }
}
