/// Several connections over several sources: which of them uses which.
extension DownloadSources {
    /// Whether there is a choice between sources.
    var hasChoice: Bool { board.sources.count > 1 }

    /// Milliseconds between two moves of connections.
    private static let moveInterval: Int64 = 1_000

    /// Returns the connections of each source, and their speed.
    ///
    /// - Parameter hasLead: whether the lead receives bytes, or may yet.
    func loads(_ segments: SegmentedDownload?, hasLead: Bool, now: Int64) -> [SourceBoard.Load] {
        var loads = board.sources.map { _ in SourceBoard.Load() }
        func add(_ index: Int, _ speed: Int64?, isYoung: Bool = false) {
            guard loads.indices.contains(index) else { return }
            loads[index].connections += 1
            if isYoung { loads[index].young += 1 } else { loads[index].speed += speed ?? 0 }
        }
        if hasLead { add(board.lead, segments?.leadPulse.speed) }
        for branch in segments?.branches ?? [] {
            // A new connection seems slow.
            add(branch.source, branch.pulse.speed, isYoung: now - branch.acceptedAt < SegmentGrowth.settling)
        }
        return loads
    }

    /// Returns the source for a further connection; nil if none has room.
    func best(_ loads: [SourceBoard.Load]) -> Int? {
        board.measured(loads)
        return board.best(loads)
    }

    /// Connections that move to another source.
    struct Move {
        var branches: [SegmentBranch]
        var to: Int
        /// Whether they are the first ones of that source, whose speed is unknown.
        var isFirst: Bool
    }

    /// Whether connections may move again.
    func mayMove(now: Int64) -> Bool { hasChoice && now - movedAt >= Self.moveInterval }

    /// Returns the connections that leave a source for a faster one, or for one without any.
    ///
    /// The last connection of a source is moved too if another is faster, because a slow one delays the end.
    func move(_ segments: SegmentedDownload, _ loads: [SourceBoard.Load]) -> Move? {
        board.measured(loads)
        guard let move = board.move(loads) else { return nil }
        let moved = Array(segments.movable(from: move.from).prefix(move.count))
        guard !moved.isEmpty else { return nil }
        return Move(
            branches: moved, to: move.to, isFirst: loads[move.to].connections == 0 && board[move.to].rate == nil)
    }

    /// Records the speed of a source by a branch that has received all of its bytes.
    func measure(_ branch: SegmentBranch, now: Int64) {
        guard board.sources.indices.contains(branch.source) else { return }
        let bytes = branch.position - branch.asked.lowerBound
        guard bytes >= SegmentPlan.grain else { return }
        board[branch.source].rate = bytes * 1000 / max(now - branch.acceptedAt, 1)
    }

    /// Records that a branch to one of several sources broke off or was refused, and returns whether its source is
    /// dropped.
    ///
    /// - Parameter others: the working branches of the same source.
    func failed(isAccepted: Bool, source index: Int, others: Int) -> Bool {
        let others = others + (index == board.lead ? 1 : 0)
        if !isAccepted, others > 0 {
            board[index].cap = others
            return false
        }
        board[index].breaks += 1
        return index != board.lead && (!isAccepted || board[index].breaks >= SourceBoard.breaksAllowed)
    }
}
