import TransferValues

/// The GIDs that clients have chosen, and the rows of all.
struct GIDBook: Sendable {
    private let seed: GIDSeed
    private var chosen: [UInt64: GID] = [:]
    private var rows: [GID: UInt64] = [:]
    /// The last row whose job was read; nil before the first question.
    private(set) var last: UInt64?

    private static let pageLength = 1_000

    init(_ seed: GIDSeed) { self.seed = seed }

    /// What jobs say about their GIDs.
    struct News {
        fileprivate var gids: [(id: UInt64, gid: GID)] = []
        /// The last row that was read; nil where only one was.
        fileprivate var last: UInt64?

        /// What the job of a new row says.
        init(_ job: Job, of id: UInt64) {
            if let gid = job.aria?.gid.flatMap({ GID($0) }) { gids = [(id, gid)] }
        }

        /// Reads the jobs that were added after a row, by an earlier run, a list or a window; nil without any.
        init?(after last: UInt64?, of tasks: any AriaTasks) {
            var end = last ?? 0
            defer { self.last = end }
            if last == nil {
                let ids = tasks.ids()
                for start in stride(from: 0, to: ids.count, by: GIDBook.pageLength) {
                    read(Array(ids[start..<min(start + GIDBook.pageLength, ids.count)]), tasks, &end)
                }
            } else {
                while case let page = tasks.ids(after: end, limit: GIDBook.pageLength), !page.isEmpty {
                    read(page, tasks, &end)
                }
                if end == last { return nil }
            }
        }

        private mutating func read(_ page: [UInt64], _ tasks: any AriaTasks, _ last: inout UInt64) {
            let jobs = tasks.jobs(of: page)
            let pairs =
                jobs.count == page.count
                ? Array(zip(page, jobs))
                // A row has left the list in the meantime.
                : page.compactMap { id in tasks.jobs(of: [id]).first.map { (id, $0) } }
            gids += pairs.compactMap { id, job in job.aria?.gid.flatMap { GID($0) }.map { (id, $0) } }
            last = max(last, page.max() ?? 0)
        }
    }

    /// The earlier rows that have the GIDs of others, chosen or not, unless they have left the list.
    func owners(of news: News) -> [UInt64] {
        news.gids.flatMap { id, gid in [rows[gid] ?? id, seed.row(of: gid)].filter { $0 < id } }
    }

    /// - Parameter gone: the ones of ``owners(of:)`` that have left the list, perhaps by a window's removal.
    mutating func learn(_ news: News, gone: Set<UInt64> = []) {
        forget(Array(gone))
        for (id, gid) in news.gids {
            // An earlier row may have it already.
            let owner = seed.row(of: gid)
            guard rows[gid] == nil, owner >= id || chosen[owner] != nil || gone.contains(owner) else { continue }
            (chosen[id], rows[gid]) = (gid, id)
        }
        if let end = news.last { last = max(last ?? 0, end) }
    }

    mutating func forget(_ ids: [UInt64]) {
        for id in ids { if let gid = chosen.removeValue(forKey: id) { rows[gid] = nil } }
    }

    /// Marks the number of a row whose own GID a client had chosen for an earlier one.
    private static let other: UInt64 = 1 << 63

    func gid(of id: UInt64) -> GID {
        if let gid = chosen[id] { return gid }
        let own = seed.gid(of: id)
        return rows[own] == nil ? own : seed.gid(of: id | Self.other)
    }

    /// The row that a complete GID can only have; nil where no row has it.
    private func row(_ gid: GID) -> UInt64? {
        if let id = rows[gid] { return id }
        let id = seed.row(of: gid) & ~Self.other
        return self.gid(of: id) == gid ? id : nil
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
