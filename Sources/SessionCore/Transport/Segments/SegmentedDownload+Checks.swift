/// The lead of a segmented download at a check.
struct LeadCheck: Sendable, Equatable {
    /// The offset of its next byte.
    var position: Int64
    /// Whether its response was accepted.
    var isAccepted: Bool
    /// Whether its sink has no room.
    var isBlocked: Bool
    /// Whether a limit of ours keeps it from moving.
    var mayStand: Bool
}

/// The periodic checks of the connections, and the targets of their redirects.
extension SegmentedDownload {
    /// Milliseconds in which a branch has to get a response.
    private static let openingLimit: Int64 = 10_000
    /// Milliseconds without a byte after which a connection is replaced while others continue.
    private static let stalledLimit: Int64 = 10_000

    /// Measures the speed of all connections.
    func takePulses(_ lead: LeadCheck, now: Int64) {
        if lead.isBlocked {
            leadPulse.rest(at: lead.position, now: now)
        } else if lead.isAccepted {
            // Skipped bytes that branches have received do not count towards the lead's speed.
            leadPulse.look(at: lead.position, now: now, mayStand: lead.mayStand)
        }
        for branch in branches where branch.isAccepted {
            branch.pulse.look(at: branch.position, now: now, mayStand: branch.attempt?.isPaced == true)
        }
    }

    /// Returns the milliseconds after which a connection that receives nothing is replaced: fewer than a stalled
    /// transfer gets.
    static func limit(stall: Int64) -> Int64 { min(stalledLimit, stall / 2) }

    /// Returns the branches that receive nothing, and ones without a response.
    func standing(_ limit: Int64, now: Int64) -> [SegmentBranch] {
        branches.filter { now - $0.pulse.movedAt >= ($0.isAccepted ? limit : Self.openingLimit) }
    }

    /// Returns how many connections are wanted, including the lead.
    ///
    /// - Parameters:
    ///   - room: returns the branches that hosts have room for.
    ///   - isProven: whether a server has proven that it sends ranges.
    func wanted(_ look: SegmentGrowth.Look, isProven: Bool, room: () -> Int) -> Int {
        guard mayGrow else { return 1 }
        var wanted = growth.look(look)
        // A server that has not sent a range yet gets one branch before it gets many.
        if !hasSeenPart, !isProven { wanted = min(wanted, 2) }
        wantsMore = wanted > 1
        return min(wanted, 1 + room())
    }

    /// Accepts a branch's response, which has the range up to an offset.
    func accept(_ branch: SegmentBranch, upTo end: Int64, now: Int64) {
        branch.isAnswered(upTo: end)
        plan.shorten(branch.id, to: end)
        bound()
        hasSeenPart = true
        branch.isAccepted = true
        branch.acceptedAt = now
        branch.pulse = SegmentPulse(position: branch.position, now: now)
    }

    // MARK: - Endpoints

    /// Keeps the target of a redirected branch once it is accepted, for further branches: signed URLs expire while a
    /// file is fetched.
    func keep(_ target: RequestTarget, of source: Int, in sources: DownloadSources?) {
        if let sources, source != sources.board.lead {
            sources.board[source].request = target.request
        } else {
            endpoint = .renewed(target)
        }
    }

    /// Whether a status of an earlier redirect's target refuses a branch; the target is then dropped, and the next branch
    /// asks the original URL again.
    func hasExpired(_ asked: String, of source: Int, status: Int?, original: String, _ sources: DownloadSources?)
        -> Bool
    {
        guard let status, (400..<500).contains(status), status != 429 else { return false }
        if let sources, source != sources.board.lead {
            guard asked != sources.board[source].url else { return false }
            sources.board[source].request = nil
            return true
        }
        guard sources.map({ $0.board.lead == 0 }) ?? true, asked != original else { return false }
        endpoint = .original
        return true
    }
}
