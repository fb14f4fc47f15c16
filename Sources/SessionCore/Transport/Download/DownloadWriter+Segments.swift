/// Several connections that write one partial file: whether branches are possible, and what the lead shares with them.
extension DownloadWriter: SegmentedHandler {
    var request: TransferRequest { description.request }

    /// Whether the partial file exists, and the bytes the lead repeats were compared with it.
    var takesBranches: Bool { part != nil && plan.overlap == 0 }

    func expectBranches() -> Bool {
        guard let part, part.becomeSparse() else { return false }
        if let segments { part.hold(segments.written(lead: written)) }
        return true
    }

    func compareAlways() { history.compareAlways() }

    func stand(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool { try hasBytes(bytes, at: offset) }

    func begins(with bytes: UnsafeRawBufferPointer) -> Bool {
        if writeBuffer() != nil { return false }
        return (try? part?.matches(bytes, at: 0)) ?? false
    }

    func claims(_ count: Int, own: Int64?) -> [SegmentPlan.Claim] {
        guard let segments else { return [] }
        return segments.plan.divide(among: count, segments.measure(now: core.now, own: own))
    }

    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SessionError? {
        guard let part else { return nil }
        do throws(SessionError) {
            try part.write(bytes, at: offset)
            return nil
        } catch {
            return error
        }
    }

    var answerEnd: Int64 { plan.answerEnd }

    /// Records that the bytes beyond the front do not count; they stay until the lead overwrites them.
    ///
    /// A run that is killed meanwhile could not tell them from good ones: the lead has corrected their beginning.
    func forgetBeyond() {
        guard let part, part.isSparse else { return }
        let front = written
        part.giveUpRanges(behind: front)
        // The bytes received until now are fewer than before.
        pace = nil
        let disk = core.loop.checkpoints.disk
        storage {
            do throws(SessionError) {
                try part.secure(upTo: front, with: disk)
                return .done
            } catch {
                return .notSecured(error)
            }
        }
    }

    func branchWrote(upTo offset: Int64) { if let part { secureIfDue(part, from: offset) } }

    func goOn(behind contiguousEnd: Int64) -> SessionError? {
        if let error = writeBuffer() { return error }
        written = contiguousEnd
        return nil
    }

    private var rule: Segmentation { target.segmentation ?? core.configuration.segmentation }

    /// Received bytes from the file's beginning, including the buffer.
    var contiguousEnd: Int64 { written + Int64(buffer.count) }

    var hasAdvanced: Bool { contiguousEnd > plan.start }

    /// The received ranges beyond the front.
    var beyond: [Range<Int64>] { segments?.written(lead: written).beyond ?? [] }

    /// Decides whether branches are possible and useful behind an accepted response.
    func considerSegments(_ head: ResponseHead, _ attempt: Attempt) {
        guard let expected, expected > 0 else { return }
        if let segments {
            if head.version.hasStreams { segments.end() }
            segments.leadPulse = SegmentPulse(position: contiguousEnd, now: core.now)
        } else {
            let rule = rule
            guard !hasContradicted, rule.limit > 1,
                expected - contiguousEnd >= 2 * max(rule.minimumSegment, SegmentPlan.grain),
                !head.version.hasStreams, ResumePolicy.mayAdopt(description.request),
                let metadata = evidence?.metadata, metadata.strongValidator != nil,
                mayAskForRest, resumability == .yes || rule.connections != .automatic
            else { return }
            makeSegments(SegmentPlan(length: expected, contiguousEnd: contiguousEnd), host: attempt.owner.host)
        }
        guard let segments else { return }
        if hasSeenPart { segments.hasSeenPart = true }
        boundLead()
        let delay: Int64 = segments.mayGrow && rule.connections == .automatic ? 250 : 0
        core.transfer(id)?.connections.watchSegments(afterMilliseconds: delay)
    }

    /// Prepares a partial file that has, or may get, bytes beyond the front.
    func makeSegments(_ plan: SegmentPlan, host: String) {
        let known = core.branchBoard.cap(of: host, now: core.now)
        // With several sources each has its own limit.
        segments = SegmentedDownload(rule, plan: plan, known: sources == nil ? known : nil, now: core.now)
        if let known, let sources, sources.board[0].cap == nil { sources.board[0].cap = known }
    }

    /// Drops the segments and their branches with a partial file that is given up or set aside.
    func dropSegments() {
        guard let segments else { return }
        self.segments = nil
        core.transfer(id)?.connections.abandon(segments.branches)
    }

    // MARK: - The lead

    /// Limits the current response to the offset where a branch's bytes begin.
    func boundLead() {
        guard let segments, plan.answerEnd > 0 else { return }
        segments.plan.leadMoved(to: contiguousEnd)
        plan.allowance = max(min(plan.answerEnd, segments.provenEnd) - contiguousEnd, 0)
    }

    /// Makes a branch the lead; its buffer is already written.
    func takeOver(_ branch: SegmentBranch, _ attempt: Attempt) {
        attach(attempt)
        attempt.turnBody(to: self)
        written = branch.written
        plan.start = written
        plan.answerEnd = branch.asked.upperBound
        (plan.overlap, plan.isUncompared) = branch.isAtBeginning ? (branch.overlap, branch.overlap == 0) : (0, false)
        plan.isOfBranch = true
        boundLead()
    }
}
