/// Several connections that write one part: which of them are possible, and what the lead has to know of the others.
extension DownloadWriter: SegmentedHandler {
    var request: TransferRequest { description.request }

    /// Whether the part's file is there, and what the lead brings again was compared with it.
    var takesBranches: Bool { part != nil && plan.overlap == 0 }

    func expectBranches() -> Bool {
        guard let part, part.becomeSparse() else { return false }
        if let segments { part.hold(segments.written(lead: written)) }
        return true
    }

    var comparesAlways: Bool { history.comparison == .always }

    func compareAlways() { history.compareAlways() }

    func stand(_ bytes: [UInt8], at offset: Int64) throws(SessionError) -> Bool {
        if let error = writeBuffer() { throw error }
        return part?.bytes(in: offset..<offset + Int64(bytes.count)) == bytes
    }

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

    /// The part's own bytes stay until the lead's come over them.
    func forgetBeyond() {}

    func branchWrote(upTo place: Int64) { if let part { secureIfDue(part, from: place) } }

    func goOn(behind front: Int64) -> SessionError? {
        if let error = writeBuffer() { return error }
        written = front
        return nil
    }

    private var rule: Segmentation { target.segmentation ?? core.configuration.segmentation }

    /// Bytes from the file's beginning that are here, those in the buffer among them.
    var front: Int64 { written + Int64(buffer.count) }

    /// Whether the current attempt has brought anything.
    var hasNewFront: Bool { front > plan.start }

    /// The bytes beyond the front that are here.
    var beyond: [Range<Int64>] { segments?.written(lead: written).beyond ?? [] }

    /// An answer was accepted: further connections may be worth it, if they are possible.
    func considerSegments(_ head: ResponseHead, _ attempt: Attempt) {
        guard let expected, expected > 0 else { return }
        if let segments {
            if head.version.hasStreams { segments.end() }
            segments.leadPulse = SegmentPulse(position: front, now: core.now)
        } else {
            let rule = rule
            guard !hasContradicted, rule.limit > 1, expected - front >= 2 * max(rule.minimumSegment, SegmentPlan.grain),
                !head.version.hasStreams, ResumePolicy.mayAdopt(description.request),
                let facts = evidence?.facts, facts.strongValidator != nil,
                mayAskForRest, resumability == .yes || rule.connections != .automatic
            else { return }
            makeSegments(SegmentPlan(length: expected, front: front), host: attempt.owner.host)
        }
        guard let segments else { return }
        if hasSeenPart { segments.hasSeenPart = true }
        boundLead()
        let delay: Int64 = segments.mayGrow && rule.connections == .automatic ? 250 : 0
        core.transfer(id)?.watchSegments(afterMilliseconds: delay)
    }

    /// Begins to write a part with bytes beyond the front, or one that may get such.
    func makeSegments(_ plan: SegmentPlan, host: String) {
        let known = core.branchBoard.cap(of: host, now: core.now)
        // With several sources each has a number of its own.
        segments = SegmentedDownload(rule, plan: plan, known: sources == nil ? known : nil, now: core.now)
        if let known, let sources, sources.board[0].cap == nil { sources.board[0].cap = known }
    }

    /// The part is given up or set aside, and with it what its branches do.
    func dropSegments() {
        guard let segments else { return }
        self.segments = nil
        core.transfer(id)?.abandon(segments.branches)
    }

    // MARK: - The lead

    /// Lets the current answer go as far as nobody else's bytes come.
    func boundLead() {
        guard let segments, plan.answerEnd > 0 else { return }
        segments.plan.leadMoved(to: front)
        plan.allowance = max(min(plan.answerEnd, segments.provenEnd) - front, 0)
    }

    /// A branch has become the lead; what it had gathered is written.
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
