/// Several connections that write one part: which of them are possible, and what the lead has to know of the others.
extension DownloadWriter {
    /// What the answer to a branch means.
    enum BranchVerdict: Sendable, Equatable {
        /// The very bytes that were asked for, of the same version.
        case accepted
        /// The server does not want to send them now.
        case refused
        /// It is another file, or another answer than to a request for a part.
        case contradicts
    }

    private var rule: Segmentation { target.segmentation ?? core.configuration.segmentation }

    /// Bytes from the file's beginning that are here, those in the buffer among them.
    var front: Int64 { written + Int64(buffer.count) }

    /// Whether the current attempt has brought anything.
    var hasNewFront: Bool { front > plan.start }

    /// The bytes beyond the front that are here.
    var beyond: [Range<Int64>] { segments?.written(lead: written).beyond ?? [] }

    /// An answer was accepted: further connections may be worth it, if they are possible.
    func considerSegments(_ head: ResponseHead, _ transfer: Transfer) {
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
            makeSegments(SegmentPlan(length: expected, front: front), host: transfer.host)
        }
        guard let segments else { return }
        if hasSeenPart { segments.hasSeenPart = true }
        boundLead()
        transfer.watchSegments(afterMilliseconds: segments.mayGrow && rule.connections == .automatic ? 250 : 0)
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

    /// Ends branches into whose claims the lead has come before they were answered: it does not wait for them.
    func dropOverrun() {
        guard let segments else { return }
        for branch in segments.branches where !branch.isAccepted && branch.asked.lowerBound < front {
            core.transfer(id)?.end(branch, segments)
        }
    }

    /// Goes on behind bytes that others have brought, when the lead has come to some.
    func passFinished() -> SessionError? {
        guard let segments, part != nil else { return nil }
        dropOverrun()
        segments.bringUpToDate(lead: front)
        guard segments.plan.leadEnd == front else { return nil }
        // Whoever goes on does so elsewhere.
        if let error = writeBuffer() { return error }
        segments.plan.absorb()
        written = segments.plan.front
        return nil
    }

    /// Steps over branches at the front that have brought all of theirs: libcurl may have to say so yet, and the lead must not
    /// ask for what is here, nor for what would follow the last byte.
    func absorbFinished() {
        guard let segments else { return }
        while let claim = segments.plan.claimAtFront,
            let branch = segments.branches.first(where: { $0.id == claim.id }), branch.position >= branch.end
        {
            core.transfer(id)?.end(branch, segments)
            _ = passFinished()
        }
    }

    /// Before the lead asks for what comes at the front: nobody else may have begun there.
    func makeWay() {
        guard let segments else { return }
        _ = passFinished()
        while let claim = segments.plan.claimAtFront {
            guard let branch = segments.branches.first(where: { $0.id == claim.id }) else { return }
            core.transfer(id)?.end(branch, segments)
            _ = passFinished()
        }
    }

    /// A branch has become the lead; what it had gathered is written.
    func takeOver(_ branch: SegmentBranch, _ attempt: Attempt) {
        attach(attempt)
        attempt.sink = self
        written = branch.written
        plan.start = written
        plan.answerEnd = branch.asked.upperBound
        boundLead()
    }

    // MARK: - Branches

    /// The fields that ask a source for a range of the same version.
    func branchFields(for range: Range<Int64>, of source: Int = 0) -> HeaderFields {
        var fields: HeaderFields = ["Accept-Encoding": "identity"]
        fields.append(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        guard let validator = facts(of: source)?.strongValidator else { return fields }
        fields.append(name: asksByIfMatch && !isForeign(source) ? "If-Match" : "If-Range", value: validator.text)
        return fields
    }

    /// Judges the answer to a branch as that to a resumed download, and more strictly: it has to be the very range.
    func judge(_ head: ResponseHead, for range: Range<Int64>, of source: Int = 0) -> BranchVerdict {
        guard let facts = facts(of: source) else { return .contradicts }
        guard head.statusCode < 300 || head.statusCode == 412 || head.statusCode == 416 else { return .refused }
        guard head.statusCode == 206 else { return .contradicts }
        let action = ResumePolicy.judge(
            head, request: description.request, facts: facts, offset: range.lowerBound, hasChecksum: false, now: 0)
        guard case .append(let answer) = action, answer.overlap == 0, answer.total == expected,
            answer.offset == range.lowerBound, answer.offset + answer.limit == range.upperBound
        else { return .contradicts }
        return .accepted
    }
}
