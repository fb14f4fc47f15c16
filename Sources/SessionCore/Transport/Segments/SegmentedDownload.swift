/// The endpoint that branches to the lead's source use.
enum BranchEndpoint {
    /// The target of the lead's redirects.
    case asLead
    /// The original URL, because that target has expired.
    case original
    /// The new target of its redirects.
    case renewed(RequestTarget)
}

/// The connections that write a download's partial file beyond its front, and their number.
///
/// Confined to the transfer loop; belongs to the writer of one partial file and ends with it. The lead is the
/// transfer's own attempt; the branches work next to it. Whatever happens to a branch, the transfer continues: the
/// branch's bytes stay, and its rest is free again.
final class SegmentedDownload {
    let rule: Segmentation
    var plan: SegmentPlan
    /// The joins of ranges that were not compared yet.
    var joins = RangeJoins()
    var growth: SegmentGrowth
    private(set) var branches: [SegmentBranch] = []
    var leadPulse: SegmentPulse
    /// Whether a response contradicted the lead's response, after which only one connection is used.
    private(set) var isOver = false
    /// Whether another connection was wanted at the last check.
    var wantsMore = false
    /// Whether the server has sent a range of the file, rather than only announcing that it can.
    var hasSeenPart = false
    /// The endpoint for branches to the lead's source.
    var endpoint = BranchEndpoint.asLead
    /// What the last lead has measured of the speed of all connections, for its successor.
    var speed: SpeedWatch?
    /// When a connection other than the present lead last received bytes.
    private var othersMovedAt: Int64 = .min
    /// When a branch last became the lead, after the previous lead had received all of its bytes.
    private var promotedAt: Int64 = .min
    /// Whether the lead was ended because it stalled while others did not.
    private var leadStood = false
    /// How often in a row the lead has failed without a new byte.
    private var leadFailures = 0

    /// The front and the time at the beginning.
    private let beginning: (contiguousEnd: Int64, time: Int64)
    /// Milliseconds in which the lead receives little more than the burst that servers send at the start of each
    /// response.
    private static let burst: Int64 = 250

    init(_ rule: Segmentation, plan: SegmentPlan, known: Int?, now: Int64) {
        self.rule = rule
        beginning = (plan.contiguousEnd, now)
        self.plan = plan
        growth = SegmentGrowth(rule, known: known)
        leadPulse = SegmentPulse(position: plan.contiguousEnd, now: now)
    }

    /// Connections that receive bytes, including the lead.
    var working: Int { branches.count(where: \.isAccepted) + 1 }
    /// Connections without a response.
    var opening: Int { branches.count { !$0.isAccepted } }
    /// Whether further connections may be made.
    var mayGrow: Bool { !isOver && !growth.isOver }

    /// The seconds of its speed for which a branch requests bytes at once, and the bytes of a piece while the speed is
    /// unknown.
    private static let (pieceSeconds, firstPiece): (Int64, Int64) = (4, 8 << 20)
    /// Milliseconds after which a connection that has received nothing counts as slow.
    private static let patience: Int64 = 1_000

    /// Returns how much a connection of an expected speed takes, and from which other one.
    ///
    /// Pieces end before the file does: many servers that limit the speed do not limit the first second of each
    /// response, and a connection that is done takes the next piece, so that all end together.
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
            own: own, leadBegan: now - beginning.time <= Self.burst ? beginning.contiguousEnd : nil)
    }

    /// Returns the branches of a source that have enough left to fetch, the one with the most first.
    func movable(from source: Int) -> [SegmentBranch] {
        branches.filter { $0.source == source && $0.end - $0.position > 2 * SegmentPlan.grain }
            .sorted { $0.end - $0.position > $1.end - $1.position }
    }

    func add(_ branch: SegmentBranch) { branches.append(branch) }

    /// Limits the download to one connection from now on.
    func end() { isOver = true }

    func bringUpToDate(lead: Int64) {
        for branch in branches { plan.moved(branch.id, to: branch.position) }
        plan.leadMoved(to: lead)
    }

    /// The offset at which the lead surely meets another connection's bytes: a branch without a response may never
    /// receive any, and because of it a server without ranges must not be asked for the rest.
    var provenEnd: Int64 {
        let accepted = branches.lazy.filter(\.isAccepted).map(\.asked.lowerBound).min()
        return min(plan.finished.first?.lowerBound ?? plan.length, accepted ?? plan.length)
    }

    /// Whether the lead should fetch again what branches have received: little enough for that to be the smaller loss,
    /// where a request for the bytes behind it may get another file.
    func mayReadThrough(upTo end: Int64) -> Bool {
        guard branches.isEmpty, let first = plan.finished.first, first.lowerBound < end else { return false }
        return plan.bytesBeyond <= max(Self.firstPiece, plan.contiguousEnd)
    }

    /// Updates the branches' ends from the plan.
    func bound() {
        for branch in branches { if let claim = plan[branch.id] { branch.end = claim.end } }
    }

    /// Drops everything beyond the front, and limits the download to one connection.
    func giveUp() {
        plan.forgetFinished()
        joins.forget()
        end()
    }

    /// Removes a branch; what it has written stays in the plan.
    func remove(_ branch: SegmentBranch) {
        branches.removeAll { $0 === branch }
        if branch.written == branch.asked.lowerBound { joins.close(branch.written) }
        // A write that failed leaves fewer bytes than the plan has counted.
        plan.end(branch.id, storedUpTo: branch.written)
    }

    /// Turns the branch at the front into the lead; nil if it has nothing left to fetch or may not lead.
    func promote(now: Int64) -> SegmentBranch? {
        guard let claim = plan.claimAtContiguousEnd, let branch = branches.first(where: { $0.id == claim.id }),
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

    /// Whether the lead has stood still for `limit` milliseconds while others received bytes, or since they ended.
    func leadStands(_ limit: Int64, now: Int64) -> Bool {
        othersMovedAt = branches.reduce(othersMovedAt) { $1.isAccepted ? max($0, $1.pulse.movedAt) : $0 }
        return now - leadPulse.movedAt >= limit
            && (othersMovedAt > leadPulse.movedAt || promotedAt >= leadPulse.movedAt)
    }

    /// Records that a connection other than the lead has received bytes.
    func othersMoved(now: Int64) { othersMovedAt = now }

    /// Records that a stalled lead was ended; its successor gets as long.
    func replaceLead(at contiguousEnd: Int64, now: Int64) {
        leadPulse.rest(at: contiguousEnd, now: now)
        leadStood = true
    }

    /// Whether a failed lead is replaced at once, because the other connections continue: once after each progress.
    ///
    /// The ones that wait for their responses stay too, unless the lead has failed without new bytes.
    func carriesOn(afterProgress madeProgress: Bool) -> Bool {
        guard working > 1 || leadStood || madeProgress && opening > 0 else { return false }
        leadStood = false
        leadFailures = madeProgress ? 1 : leadFailures + 1
        return leadFailures <= 1
    }

    /// Returns all stretches of the file, in order.
    ///
    /// - Parameter lead: the lead's source; nil for a single one.
    func stretches(hasLead: Bool, lead: Int?) -> [DownloadSegment] {
        let leadSpeed = hasLead ? leadPulse.speed ?? 0 : nil
        var result = [
            DownloadSegment(
                range: 0..<plan.leadEnd, received: plan.contiguousEnd, bytesPerSecond: leadSpeed,
                source: hasLead ? lead : nil)
        ]
        if plan.contiguousEnd == plan.leadEnd { (result[0].bytesPerSecond, result[0].source) = (nil, nil) }
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

    /// Returns the ranges for the meta: the bytes that were given to the system.
    ///
    /// Ranges that were not compared yet stay separate, or another run would take them for one.
    func written(lead: Int64) -> PartRanges {
        let begun = branches.compactMap { branch in
            plan[branch.id].flatMap { $0.start < branch.written ? $0.start..<branch.written : nil }
        }
        let beyond = PartRanges.joined(plan.finished + begun, within: lead..<max(lead, plan.length))
        return PartRanges(contiguousEnd: lead, beyond: beyond).parted(at: joins.offsets)
    }
}

@available(*, unavailable)
extension SegmentedDownload: Sendable {}
