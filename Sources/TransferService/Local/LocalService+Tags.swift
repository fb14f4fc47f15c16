/// Fresh links for tasks that have failed: a job with the same tag takes over the row and its partial file.
extension LocalService.State {
    /// Remembers a failed download by its tag and its file.
    mutating func recordFailure(of row: TransferRow) {
        if let key = tagKey(of: row.job) { failedFiles[key] = row.id }
    }

    /// The failed download with a job's tag and file; nil without one.
    mutating func failedRow(for job: Job) -> UInt64? {
        guard !failedFiles.isEmpty, let key = tagKey(of: job), let id = failedFiles[key] else { return nil }
        guard case .failed = rows.result(of: id), rows[id].flatMap({ tagKey(of: $0.job) }) == key else {
            failedFiles[key] = nil
            return nil
        }
        return id
    }

    /// A tag alone may name a group, so the name of the file has to be the same too.
    private func tagKey(of job: Job) -> String? {
        guard job.kind == .download, let tag = job.tag,
            let path = TransferRow(id: 0, job: job).intendedPath(directory: directory)
        else { return nil }
        return tag + "\n" + path
    }
}
