import TransferValues

/// The GIDs that clients have chosen, and the rows of all.
struct GIDBook: Sendable {
    private var chosen: [UInt64: GID] = [:]
    private var rows: [GID: UInt64] = [:]
    private var isRead = false

    private static let pageLength = 1_000

    /// Reads the chosen GIDs of the tasks of an earlier run, once.
    mutating func read(_ tasks: any AriaTasks) {
        guard !isRead else { return }
        isRead = true
        let ids = tasks.ids()
        for start in stride(from: 0, to: ids.count, by: Self.pageLength) {
            let page = Array(ids[start..<min(start + Self.pageLength, ids.count)])
            let jobs = tasks.jobs(of: page)
            if jobs.count == page.count {
                for (id, job) in zip(page, jobs) { learn(job, of: id) }
            } else {
                // A row has left the list in the meantime.
                for id in page { tasks.jobs(of: [id]).first.map { learn($0, of: id) } }
            }
        }
    }

    mutating func learn(_ job: Job, of id: UInt64) {
        guard let gid = job.aria?.gid.flatMap({ GID($0) }), rows[gid] == nil else { return }
        (chosen[id], rows[gid]) = (gid, id)
    }

    mutating func forget(_ ids: [UInt64]) {
        for id in ids { if let gid = chosen.removeValue(forKey: id) { rows[gid] = nil } }
    }

    func gid(of id: UInt64) -> GID { chosen[id] ?? GID(row: id) }

    /// The row that a complete GID can only have; nil where no row has it.
    private func row(_ gid: GID) -> UInt64? {
        if let id = rows[gid] { return id }
        return chosen[gid.row] == nil ? gid.row : nil
    }

    /// Returns the row of a complete or abbreviated GID.
    func row(_ text: String, in tasks: any AriaTasks) throws(AriaError) -> UInt64 {
        if let gid = GID(text) {
            guard let id = row(gid), !tasks.figures(of: [id]).isEmpty else {
                throw AriaError(AriaErrors.notFound(text))
            }
            return id
        }
        guard let prefix = GID.Prefix(text) else { throw AriaError(AriaErrors.invalidGID(text)) }
        let matches = Array(tasks.ids().lazy.filter { prefix.matches(gid(of: $0)) }.prefix(2))
        guard let first = matches.first else { throw AriaError(AriaErrors.notFound(text)) }
        guard matches.count == 1 else { throw AriaError(AriaErrors.notUnique(text)) }
        return first
    }

    func isTaken(_ gid: GID, in tasks: any AriaTasks) -> Bool {
        row(gid).map { !tasks.figures(of: [$0]).isEmpty } ?? false
    }
}
