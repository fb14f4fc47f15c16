/// Comparing mirrors with the file before any of their bytes are mixed with it.
extension DownloadSources {
    /// Mirrors that are compared at the same time.
    private static let probesAtOnce = 3
    /// Milliseconds that a comparison may take.
    private static let probeLimit: Int64 = 10_000

    /// A comparison to begin: the blocks of a source, in order.
    struct ProbeOrder: Sendable, Equatable {
        var source: Int
        var ranges: [Range<Int64>]
    }

    /// Returns the comparisons that take too long; time in a limit of ours does not count.
    func overdueProbes(now: Int64) -> [MirrorProbe] {
        for probe in probes where probe.attempt?.isPaced == true { probe.startedAt = now }
        return probes.filter { now - $0.startedAt >= Self.probeLimit }
    }

    /// Returns the comparisons to begin now that another connection is wanted: first a known source's last block, with
    /// which mirrors are compared.
    ///
    /// - Parameter isOpen: whether a source's server may be used.
    func nextProbes(of file: any SourcedFile, isOpen: (Int) -> Bool) -> [ProbeOrder] {
        let block = Self.blockLength
        guard let length = file.length, file.contiguousEnd >= block, length >= 2 * block else { return [] }
        switch tail {
        case .awaited: return []
        case .unknown:
            guard !board.unproven.isEmpty, board.isProven(board.lead) else { return [] }
            tail = .awaited
            return [ProbeOrder(source: board.lead, ranges: [length - block..<length])]
        case .bytes, .received:
            guard let second = tailRange(length, file) else { return [] }
            return board.unproven.filter { !isProbing($0) && $0 != board.lead && isOpen($0) }
                .prefix(max(Self.probesAtOnce - probes.count, 0))
                .map { ProbeOrder(source: $0, ranges: [second, 0..<block]) }
        }
    }

    /// Returns the file's last block, or the last one received if no source sends that.
    private func tailRange(_ length: Int64, _ file: any SourcedFile) -> Range<Int64>? {
        if case .bytes = tail { return length - Self.blockLength..<length }
        let end = file.written
        guard end >= 2 * Self.blockLength else { return nil }
        return end - Self.blockLength..<end
    }

    /// The next step of a comparison whose attempt has ended.
    enum ProbeStep {
        /// A redirect leads to another request.
        case follow(TransferRequest)
        /// The next block is requested.
        case goOn
        case finish(MirrorProbe.Verdict)
        /// The attempt failed before a verdict.
        case failed
    }

    /// Decides the next step of a comparison whose attempt has ended.
    func ended(_ probe: MirrorProbe) -> ProbeStep {
        switch probe.verdict {
        case .follow(let next): .follow(next)
        case .accepted where probe.endBlock(): probe.range == nil ? .finish(.accepted) : .goOn
        case .accepted: .finish(.refused(MirrorReasons.closed, passes: true))
        case .pending: .failed
        case .same, .refused: .finish(probe.verdict)
        }
    }

    /// The fault for which a comparison drops its source.
    struct ProbeFault: Sendable, Equatable {
        var reason: String
        var passes: Bool
        /// Milliseconds of the server's `Retry-After`.
        var askedWait: Int64?
    }

    /// Ends a comparison with a verdict, and returns the fault of its source; nil if it has none.
    ///
    /// Throws the error of a disk with which the source could not be compared.
    func finish(
        _ probe: MirrorProbe, _ verdict: MirrorProbe.Verdict, _ file: (any SourcedFile)?
    ) throws(SessionError) -> ProbeFault? {
        probes.removeAll { $0 === probe }
        guard probe.ranges.count > 1 else {
            if case .accepted = verdict, let bytes = probe.blocks.first {
                tail = .bytes(bytes)
            } else {
                tail = .received
            }
            return nil
        }
        switch verdict {
        case .same: break
        case .accepted:
            guard try isSame(probe, file) else {
                board[probe.source].hasOther = true
                return ProbeFault(reason: MirrorReasons.otherBytes, passes: false)
            }
        case .refused(let reason, let passes, let askedWait):
            return ProbeFault(reason: reason, passes: passes, askedWait: askedWait)
        case .pending, .follow: return nil
        }
        guard let metadata = probe.metadata else { return nil }
        board.prove(probe.source, metadata)
        board[probe.source].request = probe.requestTarget.request
        return nil
    }

    private func isSame(_ probe: MirrorProbe, _ file: (any SourcedFile)?) throws(SessionError) -> Bool {
        guard let file, probe.blocks.count == 2, try file.hasBytes(probe.blocks[1], at: 0) else { return false }
        if case .bytes(let tail) = tail { return probe.blocks[0] == tail }
        return try file.hasBytes(probe.blocks[0], at: probe.ranges[0].lowerBound)
    }
}
