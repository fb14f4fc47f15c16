import CCurl

/// The connections of one download beside its lead: branches that fetch further ranges, and probes that compare mirrors.
///
/// Confined to the transfer loop; belongs to a transfer and is made when a response permits several connections, or for a
/// file with several sources. The state of the connections belongs to the partial file: ``SegmentedDownload`` and
/// ``DownloadSources``.
final class DownloadConnections {
    unowned let owner: any DownloadOwner
    let core: LoopCore
    let id: TransferID
    /// Branches and probes whose file was given up; they end when libcurl has returned.
    private var strays: [any FurtherWork] = []

    init(_ owner: any DownloadOwner) { (self.owner, core, id) = (owner, owner.core, owner.id) }

    var handler: any ResponseHandler { owner.handler }
    /// The lead's attempt; nil between two.
    var attempt: Attempt? { owner.attempt }
    var request: TransferRequest { owner.request }
    var original: TransferRequest { owner.firstRequest }
    var host: String { owner.host }

    // MARK: - Strays

    /// Keeps a branch or a probe whose file was given up until its attempt can be removed; safe inside libcurl's
    /// callbacks, which must not remove handles.
    func strand(_ work: any FurtherWork) {
        guard let attempt = work.attempt else { return }
        strays.append(work)
        core.recordEnd(of: attempt, result: CURLE_OK)
    }

    /// Removes branches and probes whose file was dropped.
    func removeStrays() {
        guard !strays.isEmpty else { return }
        let works = strays
        strays = []
        for attempt in works.compactMap(\.attempt) { owner.letGo(attempt) }
    }
}

@available(*, unavailable)
extension DownloadConnections: Sendable {}

/// Several connections for one download: making them, judging their responses, handling their ends.
extension DownloadConnections {
    /// Milliseconds between two checks of the connections.
    private static let segmentInterval: Int64 = 250
    /// Milliseconds for which a server's connection limit is remembered.
    static let capMemory: Int64 = 600_000

    var segmented: (any SegmentedHandler)? { handler as? any SegmentedHandler }

    /// Schedules the next check of whether further connections pay off.
    func watchSegments(afterMilliseconds delay: Int64 = segmentInterval) {
        core.setDeadline(.segments(id), afterMilliseconds: delay)
    }

    /// Makes the branches again that a pause has ended.
    func resume() {
        guard let writer = segmented, let segments = writer.segments, segments.mayGrow else { return }
        segments.leadPulse.rest(at: writer.contiguousEnd, now: core.now)
        watchSegments(afterMilliseconds: 0)
    }

    /// Checks the connections.
    func segmentsDue() {
        guard let writer = segmented, let segments = writer.segments, let attempt, owner.isTransferring else {
            return
        }
        guard writer.takesBranches else { return watchSegments(afterMilliseconds: 20) }
        writer.dropOverrun()
        segments.bringUpToDate(lead: writer.contiguousEnd)
        if let error = writer.compareJoins() { return owner.fail(error) }
        let lead = LeadCheck(
            position: writer.contiguousEnd, isAccepted: attempt.verdict == .accepted,
            isBlocked: attempt.pause.contains(.sink), mayStand: attempt.isPaced || attempt.pacing.hasPaused)
        segments.takePulses(lead, now: core.now)
        replaceStalled(segments, attempt, at: writer.contiguousEnd)
        checkMirrors(segments)
        spread(segments)
        balance()
        publishSegments()
        // Mirrors are compared as soon as the first block is there to compare.
        let comesSoon =
            writer.contiguousEnd < DownloadSources.blockLength && writer.sources?.board.unproven.isEmpty == false
        watchSegments(afterMilliseconds: comesSoon ? 50 : Self.segmentInterval)
    }

    /// Ends connections that receive nothing while others do, and ones without a response.
    private func replaceStalled(_ segments: SegmentedDownload, _ lead: Attempt, at contiguousEnd: Int64) {
        let stall = Deadlines.milliseconds(request.idleTimeout ?? core.configuration.stallTimeout)
        let limit = SegmentedDownload.limit(stall: stall)
        for branch in segments.standing(limit, now: core.now) {
            end(branch, segments)
            failed(branch, branch.isAccepted ? MirrorReasons.stopped : MirrorReasons.timedOut, segments)
        }
        guard segments.leadStands(limit, now: core.now) else { return }
        segments.replaceLead(at: contiguousEnd, now: core.now)
        core.recordEnd(of: lead, result: CURLE_OPERATION_TIMEDOUT)
    }

    /// Makes as many connections as wanted, and ends surplus ones.
    func balance() {
        guard let writer = segmented, let segments = writer.segments, owner.isTransferring else { return }
        writer.dropOverrun()
        segments.bringUpToDate(lead: writer.contiguousEnd)
        defer { writer.boundLead() }
        let look = SegmentGrowth.Look(
            now: core.now, received: writer.received, rest: segments.plan.rest, working: segments.working,
            opening: segments.opening + (writer.sources?.probes.count ?? 0),
            isUneven: segments.mayGrow && isUneven(segments), leadSpeed: segments.leadPulse.speed,
            hasUntried: writer.sources?.board.hasUntried ?? false)
        let wanted = segments.wanted(look, isProven: handler.resumability == .yes) { roomForBranches(writer.sources) }
        while segments.branches.count > max(wanted - 1, 0), let last = segments.branches.last { end(last, segments) }
        if writer.hasContradicted { writer.readThrough() }
        let missing = wanted - 1 - segments.branches.count
        if missing > 0, writer.takesBranches { makeBranches(missing, segments, writer) }
        segments.bound()
    }

    private func makeBranches(_ count: Int, _ segments: SegmentedDownload, _ writer: any SegmentedHandler) {
        let claims = writer.claims(count, own: speedOfNext(writer.sources))
        guard !claims.isEmpty else { return }
        let isPossible = writer.expectBranches()
        for claim in claims {
            guard let (source, requestTarget) = branchEndpoint(for: segments, writer) else {
                segments.plan.end(claim.id)
                continue
            }
            let branch = SegmentBranch(claim, writer: writer, source: source, host: requestTarget?.host ?? host)
            segments.add(branch)
            guard isPossible, !segments.isOver, start(branch, requestTarget, writer) else {
                segments.remove(branch)
                segments.end()
                continue
            }
        }
    }

    /// Starts a branch's attempt; returns false if that fails.
    func start(_ branch: SegmentBranch, _ requestTarget: RequestTarget?, _ writer: any SegmentedHandler) -> Bool {
        // By the time this branch gets a response, the transfer's own request may go to another source.
        let hasOthers = writer.sources.map { $0.board.sources.count > 1 } ?? false
        let requestTarget = hasOthers ? requestTarget ?? owner.leadTarget : requestTarget
        do throws(SessionError) {
            let fields = writer.branchFields(for: branch.wanted, of: branch.source)
            branch.attempt = try owner.begin(.branch(branch), adding: fields, to: requestTarget)
            core.branchBegan(at: branch.host)
            return true
        } catch {
            // The lead continues without the branch.
            return false
        }
    }

    // MARK: - Endpoints

    /// Returns the request for a branch to the lead's source; nil for the lead's own.
    func branchTarget(_ segments: SegmentedDownload) -> RequestTarget? {
        switch segments.endpoint {
        case .asLead: nil
        case .original: requestTarget(original)
        case .renewed(let requestTarget): requestTarget
        }
    }

    /// Sends a branch to its redirect's target; returns false without a redirect, or if it cannot be followed.
    func follow(_ branch: SegmentBranch, _ segments: SegmentedDownload, _ writer: any SegmentedHandler) -> Bool {
        guard segments.mayGrow, owner.isTransferring, let next = branch.takeNext() else { return false }
        let requestTarget = requestTarget(next)
        branch.host = requestTarget.host
        return start(branch, requestTarget, writer)
    }

    func targetHasExpired(
        _ branch: SegmentBranch, _ attempt: Attempt, _ segments: SegmentedDownload
    ) -> Bool {
        guard !branch.isAccepted, branch.redirects.hops == 0 else { return false }
        return segments.hasExpired(
            attempt.requestTarget?.request.url ?? request.url, of: branch.source, status: branch.refusedStatus,
            original: original.url, handler.sources)
    }
}
