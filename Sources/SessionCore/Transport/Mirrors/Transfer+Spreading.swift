/// Several connections over several sources: which of them uses which.
extension Transfer {
    /// Milliseconds between two moves of connections.
    private static let moveInterval: Int64 = 1_000

    /// Returns the connections of each source, including the lead, and their speed.
    func sourceLoads(_ sources: DownloadSources) -> [SourceBoard.Load] {
        var loads = sources.board.sources.map { _ in SourceBoard.Load() }
        func add(_ index: Int, _ speed: Int64?, isYoung: Bool = false) {
            guard loads.indices.contains(index) else { return }
            loads[index].connections += 1
            if isYoung { loads[index].young += 1 } else { loads[index].speed += speed ?? 0 }
        }
        let segments = handler.segments
        if let attempt, attempt.verdict == .accepted || attempt.verdict == .pending {
            add(sources.board.lead, segments?.leadPulse.speed)
        }
        for branch in segments?.branches ?? [] {
            // A new connection seems slow.
            add(branch.source, branch.pulse.speed, isYoung: core.now - branch.acceptedAt < SegmentGrowth.settling)
        }
        return loads
    }

    /// Returns the same with the room for branches at each source's host.
    private func loadsWithRoom(_ sources: DownloadSources) -> [SourceBoard.Load] {
        var loads = sourceLoads(sources)
        for index in loads.indices {
            let host = index == sources.board.lead ? host : requestTarget(at: index, sources).host
            let own = handler.segments?.branches.count { $0.host == host } ?? 0
            loads[index].room =
                core.trouble(at: host) == nil ? core.roomForBranches(of: self, at: host) - own : 0
        }
        return loads
    }

    /// Returns how many branches there may be at all hosts together.
    func roomForBranches(_ sources: DownloadSources?) -> Int {
        guard let sources, sources.board.sources.count > 1 else { return core.roomForBranches(of: self, at: host) }
        var hosts: Set<String> = []
        for index in sources.board.sources.indices where sources.board.isProven(index) {
            hosts.insert(index == sources.board.lead ? host : requestTarget(at: index, sources).host)
        }
        return hosts.reduce(0) { $0 + core.roomForBranches(of: self, at: $1) }
    }

    private func bestSource(_ sources: DownloadSources) -> Int? {
        let loads = loadsWithRoom(sources)
        sources.board.measured(loads)
        return sources.board.best(loads)
    }

    /// Returns the expected speed of the next connection; nil if its source's is unknown.
    func speedOfNext(_ sources: DownloadSources?) -> Int64? {
        guard let sources, sources.board.sources.count > 1 else { return nil }
        return bestSource(sources).flatMap { sources.board[$0].rate }
    }

    /// Returns the source for a further connection and, unless it is the lead's, its server; nil if no source has room.
    func branchEndpoint(for segments: SegmentedDownload, _ writer: any SegmentedHandler) -> (
        source: Int, requestTarget: RequestTarget?
    )? {
        guard let sources = writer.sources, sources.board.sources.count > 1 else {
            return (writer.sources?.board.lead ?? 0, branchTarget(segments))
        }
        guard let source = bestSource(sources) else { return nil }
        return (source, source == sources.board.lead ? branchTarget(segments) : requestTarget(at: source, sources))
    }

    /// Moves connections from a source to a faster one, or to one without any.
    func spread(_ segments: SegmentedDownload) {
        guard let sources = handler.sources, sources.board.sources.count > 1, segments.mayGrow,
            core.now - sources.movedAt >= Self.moveInterval
        else { return }
        let loads = loadsWithRoom(sources)
        sources.board.measured(loads)
        // The last connection of a source is moved too if another is faster, because a slow one delays the end.
        guard let move = sources.board.move(loads) else { return }
        let moved = movable(from: move.from, segments).prefix(move.count)
        guard !moved.isEmpty else { return }
        let isFirst = loads[move.to].connections == 0 && sources.board[move.to].rate == nil
        for branch in moved { end(branch, segments) }
        segments.growth.moved(now: core.now)
        balance()
        guard isFirst, segments.branches.contains(where: { $0.source == move.to }) else {
            return sources.movedAt = core.now
        }
        // A further source may have no connection yet.
        spread(segments)
    }

    /// Returns the branches of a source that have enough left to fetch, the one with the most first.
    private func movable(from source: Int, _ segments: SegmentedDownload) -> [SegmentBranch] {
        segments.branches.filter { $0.source == source && $0.end - $0.position > 2 * SegmentPlan.grain }
            .sorted { $0.end - $0.position > $1.end - $1.position }
    }

    /// Whether connections of a slow source are about to move to a faster one: until then a speed says nothing about
    /// the number of connections.
    func isUneven(_ segments: SegmentedDownload) -> Bool {
        guard let sources = handler.sources, sources.board.sources.count > 1 else { return false }
        let loads = loadsWithRoom(sources)
        sources.board.measured(loads)
        guard let move = sources.board.move(loads), move.count > 0 else { return false }
        return !movable(from: move.from, segments).isEmpty
    }

    /// Records the speed of a source by a branch that has brought all of its bytes.
    func measure(_ branch: SegmentBranch) {
        guard let sources = handler.sources, sources.board.sources.indices.contains(branch.source) else { return }
        let bytes = branch.position - branch.asked.lowerBound
        guard bytes >= SegmentPlan.grain else { return }
        sources.board[branch.source].rate = bytes * 1000 / max(core.now - branch.acceptedAt, 1)
    }

    /// Handles a branch to one of several sources that broke off, or was refused.
    func failed(_ branch: SegmentBranch, _ reason: String, _ segments: SegmentedDownload, _ sources: DownloadSources) {
        let index = branch.source
        let others =
            segments.branches.count { $0.source == index && $0.isAccepted } + (index == sources.board.lead ? 1 : 0)
        if !branch.isAccepted, others > 0 {
            sources.board[index].cap = others
            return
        }
        sources.board[index].breaks += 1
        guard index != sources.board.lead else { return }
        if !branch.isAccepted || sources.board[index].breaks >= SourceBoard.breaksAllowed {
            dropSource(index, reason, passes: true, sources)
        }
    }
}
