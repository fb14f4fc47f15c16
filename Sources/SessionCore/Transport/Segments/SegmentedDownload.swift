/// Whom further connections ask where there is one source.
enum BranchEndpoint {
    /// The place that redirects led the lead to.
    case asLead
    /// The URL itself, because that place has expired.
    case original
    /// The place that it led to then.
    case renewed(RequestTarget)
}

/// A download whose part may have bytes beyond its front: which connections write it, and how many there are to be.
///
/// Confined to the transfer loop; it belongs to the writer of one part and goes with it. The lead is the transfer's own
/// attempt; everything here works besides it. Whatever a branch does, the transfer goes on: its bytes stay, and its rest is
/// free again.
final class SegmentedDownload {
    let rule: Segmentation
    var plan: SegmentPlan
    /// Where ranges meet that were not compared yet.
    var joins = RangeJoins()
    var growth: SegmentGrowth
    private(set) var branches: [SegmentBranch] = []
    var leadPulse: SegmentPulse
    /// Whether an answer contradicted the lead's, after which one connection has to do.
    private(set) var isOver = false
    /// Whether another connection was wanted when somebody looked last.
    var wantsMore = false
    /// Whether the server has sent a part of the file, so that it is not only said to do so.
    var hasSeenPart = false
    /// Whom branches to the lead's source ask.
    var place = BranchEndpoint.asLead
    /// When somebody besides the present lead has brought something last.
    private var othersMovedAt: Int64 = .min
    /// When a branch became the lead last, because the lead before had brought all of its own.
    private var promotedAt: Int64 = .min
    /// Whether the lead was ended because it stood still while others did not.
    private var leadStood = false
    /// How often in a row the lead has failed without a new byte.
    private var leadFailures = 0

    /// Where the lead was when it began, and when that was.
    private let beginning: (front: Int64, time: Int64)
    /// Milliseconds in which the lead brings hardly more than what servers give away at the beginning of each answer.
    private static let burst: Int64 = 250

    init(_ rule: Segmentation, plan: SegmentPlan, known: Int?, now: Int64) {
        self.rule = rule
        beginning = (plan.front, now)
        self.plan = plan
        growth = SegmentGrowth(rule, known: known)
        leadPulse = SegmentPulse(position: plan.front, now: now)
    }

    /// Connections that receive something, the lead among them.
    var working: Int { branches.count(where: \.isAccepted) + 1 }
    /// Connections without an answer.
    var opening: Int { branches.count { !$0.isAccepted } }
    /// Whether further connections may be made.
    var mayGrow: Bool { !isOver && !growth.isOver }

    /// Seconds of what its connection brings that a branch asks for at once, and bytes of a piece where nobody knows how
    /// much that is.
    private static let (pieceSeconds, firstPiece): (Int64, Int64) = (4, 8 << 20)
    /// Milliseconds after which a connection that has brought nothing is known to be slow.
    private static let patience: Int64 = 1_000

    /// How much a connection is to take that will bring so many bytes per second, and from whom.
    ///
    /// Pieces end before the file does: many servers that limit the speed give away the first second of each answer, and
    /// whoever is done takes the next piece, so that all end together.
    func measure(now: Int64, own: Int64?) -> SegmentPlan.Measure {
        var speeds: [Int: Int64] = [:]
        func note(_ id: Int, _ pulse: SegmentPulse) {
            speeds[id] = pulse.speed ?? (now - pulse.movedAt >= Self.patience ? 0 : nil)
        }
        note(0, leadPulse)
        for branch in branches { note(branch.id, branch.pulse) }
        let fastest = speeds.values.max() ?? 0
        return SegmentPlan.Measure(
            minimum: rule.minimumSegment, maximum: max(Self.firstPiece, fastest * Self.pieceSeconds), speeds: speeds,
            own: own, leadBegan: now - beginning.time <= Self.burst ? beginning.front : nil)
    }

    func add(_ branch: SegmentBranch) { branches.append(branch) }

    /// One connection has to do from now on.
    func end() { isOver = true }

    /// Brings the plan up to date with what connections have received.
    func bringUpToDate(lead: Int64) {
        for branch in branches { plan.moved(branch.id, to: branch.position) }
        plan.leadMoved(to: lead)
    }

    /// Where the lead comes to bytes that are another's for sure: a branch without an answer may never bring any, and a server
    /// that knows no ranges must not be asked for the rest because of it.
    var provenEnd: Int64 {
        let accepted = branches.lazy.filter(\.isAccepted).map(\.asked.lowerBound).min()
        return min(plan.finished.first?.lowerBound ?? plan.length, accepted ?? plan.length)
    }

    /// Whether the lead is to go on through what others have brought: little enough for that to be the smaller loss, where
    /// whoever asks for what follows may get another file.
    func mayReadThrough(upTo end: Int64) -> Bool {
        guard branches.isEmpty, let first = plan.finished.first, first.lowerBound < end else { return false }
        return plan.bytesBeyond <= max(Self.firstPiece, plan.front)
    }

    /// Tells branches where their claims end by now.
    func bound() {
        for branch in branches { if let claim = plan[branch.id] { branch.end = claim.end } }
    }

    /// Nothing beyond the front is counted on any more, and one connection has to do.
    func giveUp() {
        plan.forgetFinished()
        joins.forget()
        end()
    }

    /// Takes a branch out; what it has written stays in the plan.
    func remove(_ branch: SegmentBranch) {
        branches.removeAll { $0 === branch }
        if branch.written == branch.asked.lowerBound { joins.close(branch.written) }
        plan.moved(branch.id, to: branch.written)
        plan.end(branch.id)
    }

    /// The branch that works where the lead has come to, if it has got anything left to do; it is a branch no more then.
    func promote(now: Int64) -> SegmentBranch? {
        guard let claim = plan.claimAtFront, let branch = branches.first(where: { $0.id == claim.id }),
            branch.isAccepted, !branch.isAbandoned, branch.position < branch.end, branch.mayLead,
            !joins.isOpen(claim.start), branch.flush() == nil
        else { return nil }
        plan.moved(branch.id, to: branch.written)
        branches.removeAll { $0 === branch }
        _ = plan.promote()
        branch.pulse.look(at: branch.position, now: now)
        leadPulse = branch.pulse
        promotedAt = now
        leadFailures = 0
        return branch
    }

    /// Whether the lead has stood still for so many milliseconds while others brought something, or since they ended.
    func leadStands(_ limit: Int64, now: Int64) -> Bool {
        othersMovedAt = branches.reduce(othersMovedAt) { $1.isAccepted ? max($0, $1.pulse.movedAt) : $0 }
        return now - leadPulse.movedAt >= limit
            && (othersMovedAt > leadPulse.movedAt || promotedAt >= leadPulse.movedAt)
    }

    /// A connection that is not the lead any more has brought something.
    func othersMoved(now: Int64) { othersMovedAt = now }

    /// The lead is ended because it stands still: the next one has as long.
    func replaceLead(at front: Int64, now: Int64) {
        leadPulse.rest(at: front, now: now)
        leadStood = true
    }

    /// Whether a lead that has failed is to be replaced at once, because the other connections go on: once for each time
    /// that it has brought something.
    func carriesOn(afterProgress madeProgress: Bool) -> Bool {
        guard working > 1 || leadStood else { return false }
        leadStood = false
        leadFailures = madeProgress ? 1 : leadFailures + 1
        return leadFailures <= 1
    }

    /// The whole file in stretches, in order.
    ///
    /// - Parameter lead: the lead's source, where there are several.
    func stretches(hasLead: Bool, lead: Int?) -> [DownloadSegment] {
        let leadSpeed = hasLead ? leadPulse.speed ?? 0 : nil
        var result = [
            DownloadSegment(
                range: 0..<plan.leadEnd, received: plan.front, bytesPerSecond: leadSpeed, source: hasLead ? lead : nil)
        ]
        if plan.front == plan.leadEnd { (result[0].bytesPerSecond, result[0].source) = (nil, nil) }
        result += plan.finished.map { DownloadSegment(range: $0, received: Int64($0.count)) }
        result += plan.free.map { DownloadSegment(range: $0, received: 0) }
        for claim in plan.claims {
            let branch = branches.first { $0.id == claim.id }
            result.append(
                DownloadSegment(
                    range: claim.start..<claim.end, received: claim.position - claim.start,
                    bytesPerSecond: branch?.pulse.speed ?? 0, source: lead == nil ? nil : branch?.source))
        }
        return result.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// What a meta is to say: the bytes that were given to the system.
    ///
    /// Where ranges meet that were not compared yet it says so, or another run would take them for one.
    func written(lead: Int64) -> PartRanges {
        let begun = branches.compactMap { branch in
            plan[branch.id].flatMap { $0.start < branch.written ? $0.start..<branch.written : nil }
        }
        let beyond = PartRanges.joined(plan.finished + begun, within: lead..<max(lead, plan.length))
        return PartRanges(front: lead, beyond: beyond).parted(at: joins.places)
    }
}

@available(*, unavailable)
extension SegmentedDownload: Sendable {}
