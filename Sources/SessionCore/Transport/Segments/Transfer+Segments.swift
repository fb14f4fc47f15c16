import CCurl

/// Several connections for one download: making them, judging their responses, handling their ends.
extension Transfer {
    /// Milliseconds between two checks of the connections.
    private static let segmentInterval: Int64 = 250
    /// Milliseconds for which a server's connection limit is remembered.
    static let capMemory: Int64 = 600_000

    private var writer: (any SegmentedHandler)? { handler as? any SegmentedHandler }

    /// Schedules the next check of whether further connections pay off.
    func watchSegments(afterMilliseconds delay: Int64 = segmentInterval) {
        core.setDeadline(.segments(id), afterMilliseconds: delay)
    }

    /// Makes the branches again that a pause has ended.
    func resumeSegments() {
        guard let writer, let segments = writer.segments, segments.mayGrow else { return }
        segments.leadPulse.rest(at: writer.contiguousEnd, now: core.now)
        watchSegments(afterMilliseconds: 0)
    }

    /// Checks the connections.
    func segmentsDue() {
        guard let writer, let segments = writer.segments, let attempt, machine.state == .transferring else { return }
        guard writer.takesBranches else { return watchSegments(afterMilliseconds: 20) }
        writer.dropOverrun()
        segments.bringUpToDate(lead: writer.contiguousEnd)
        if let error = writer.compareJoins() { return fail(error) }
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

    /// Ends connections that bring nothing while others do, and ones without a response.
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
        guard let writer, let segments = writer.segments, machine.state == .transferring else { return }
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
            let overlap = writer.overlap(
                before: claim.start, of: source, asking: requestTarget?.request.url ?? request.url)
            let branch = SegmentBranch(
                claim, overlap: overlap, writer: writer, source: source, host: requestTarget?.host ?? host)
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
        let requestTarget = hasOthers ? requestTarget ?? leadTarget : requestTarget
        do throws(SessionError) {
            let fields = writer.branchFields(for: branch.wanted, of: branch.source)
            branch.attempt = try begin(
                .branch(branch), makeMessage(adding: fields, to: requestTarget), to: requestTarget)
            core.branchBegan(at: branch.host)
            return true
        } catch {
            // The lead continues without the branch.
            return false
        }
    }

    // MARK: - Responses

    /// Carries out the verdict on a branch's response.
    func act(on verdict: RangeVerdict, _ head: ResponseHead, _ attempt: Attempt) {
        guard let branch = attempt.branch, let writer, let segments = writer.segments else { return }
        if case .accepted = verdict {} else { attempt.endAtHead() }
        switch verdict {
        case .overtaken: branch.isOvertaken = true
        case .accepted(let end):
            segments.accept(branch, upTo: end, now: core.now)
            writer.hasBranched = true
            attempt.accept(into: branch)
            writer.boundLead()
            if branch.redirects.hops > 0, let target = attempt.requestTarget {
                segments.keep(target, of: branch.source, in: writer.sources)
            }
            if writer.isForeign(branch.source) { writer.sources?.board.isMixed = true }
        case .refused(let reason):
            if !RedirectPolicy.isRedirect(head.statusCode) { branch.refusedStatus = head.statusCode }
            branch.refusal = reason
        case .contradicts where writer.isForeign(branch.source):
            branch.refusal = MirrorReasons.fileChanged
        case .contradicts:
            writer.hasContradicted = true
            segments.end()
        }
    }

    /// Decides the next step for a branch that libcurl has finished.
    func branchEnded(_ branch: SegmentBranch, _ attempt: Attempt, result: CURLcode) {
        guard branch.attempt === attempt else { return }
        if branch.isAbandoned { return removeStrays() }
        attempt.end.leavesConnection = result == CURLE_OK && branch.isAccepted
        let isComplete = branch.isAccepted && branch.position >= branch.end
        if branch.beganAtZero { contradicted(by: branch) }
        letGo(branch)
        guard let writer, let segments = writer.segments, segments.branches.contains(where: { $0 === branch }) else {
            return
        }
        if follow(branch, segments, writer) { return }
        if isComplete {
            handler.sources?.measure(branch, now: core.now)
            segments.othersMoved(now: core.now)
        }
        segments.bringUpToDate(lead: writer.contiguousEnd)
        let failure = branch.flush() ?? writer.compareJoins() ?? attempt.failure
        segments.remove(branch)
        writer.boundLead()
        if let failure, branch.isAccepted || failure.isOfOwnFiles { return fail(failure) }
        if !isComplete, !branch.isOvertaken, segments.mayGrow, attempt.verdict != .decided(.useNewConnection),
            !targetHasExpired(branch, attempt, segments)
        {
            let reason = branch.refusal ?? furtherError(of: attempt, result).message
            failed(branch, reason, segments)
        }
        balance()
        enqueueStatus()
    }

    /// Handles a branch's response with other bytes than its fields name.
    private func contradicted(by branch: SegmentBranch) {
        guard let writer else { return }
        branch.refusal = MirrorReasons.falseRange
        if writer.isForeign(branch.source), let sources = writer.sources, let reason = branch.refusal {
            return dropSource(branch.source, reason, passes: false, sources)
        }
        giveUpBranches()
    }

    /// Drops everything beyond the front after a response with other bytes than its fields name; one connection fetches
    /// the rest.
    ///
    /// Must not be called inside libcurl's callbacks.
    ///
    /// - Parameter source: the source that has sent them; nil for the source of the lead, and if unknown.
    func giveUpBranches(to source: Int? = nil) {
        guard let writer, let segments = writer.segments else { return }
        for branch in segments.branches {
            branch.isAbandoned = true
            end(branch, segments)
        }
        segments.giveUp()
        writer.forgetBeyond()
        writer.compareAlways()
        writer.hasContradicted = true
        writer.boundLead()
        guard let source, writer.isForeign(source), let sources = writer.sources else {
            return core.falseServers.add(request.url)
        }
        core.falseServers.add(sources.board[source].url)
        dropSource(source, MirrorReasons.falseRange, passes: false, sources)
    }

    /// Lowers the number of branches, in total or to one source, after one has broken off or was refused.
    private func failed(_ branch: SegmentBranch, _ reason: String, _ segments: SegmentedDownload) {
        if let sources = handler.sources, sources.board.sources.count > 1 {
            let others = segments.branches.count { $0.source == branch.source && $0.isAccepted }
            if sources.failed(isAccepted: branch.isAccepted, source: branch.source, others: others) {
                dropSource(branch.source, reason, passes: true, sources)
            }
            return
        }
        guard branch.isAccepted else { return refused(segments) }
        if !segments.growth.broke(working: segments.working) { rememberCap(segments) }
    }

    private func refused(_ segments: SegmentedDownload) {
        // Branches without a response may still be accepted.
        segments.growth.refused(working: segments.working + segments.opening)
        rememberCap(segments)
    }

    private func rememberCap(_ segments: SegmentedDownload) {
        core.branchBoard.remember(segments.growth.limit, for: host, until: core.now + Self.capMemory)
    }

    // MARK: - Endpoints

    /// Returns the request for a branch to the lead's source; nil for the lead's own.
    func branchTarget(_ segments: SegmentedDownload) -> RequestTarget? {
        switch segments.endpoint {
        case .asLead: nil
        case .original: requestTarget(description.request)
        case .renewed(let requestTarget): requestTarget
        }
    }

    /// Sends a branch to its redirect's target; returns false without a redirect, or if it cannot be followed.
    func follow(_ branch: SegmentBranch, _ segments: SegmentedDownload, _ writer: any SegmentedHandler) -> Bool {
        guard let next = branch.next, segments.mayGrow, machine.state == .transferring else { return false }
        branch.next = nil
        let requestTarget = requestTarget(next)
        branch.host = requestTarget.host
        return start(branch, requestTarget, writer)
    }

    private func targetHasExpired(
        _ branch: SegmentBranch, _ attempt: Attempt, _ segments: SegmentedDownload
    ) -> Bool {
        guard !branch.isAccepted, branch.redirects.hops == 0 else { return false }
        return segments.hasExpired(
            attempt.requestTarget?.request.url ?? request.url, of: branch.source, status: branch.refusedStatus,
            original: description.request.url, handler.sources)
    }

    // MARK: - Ends

    func end(_ branch: SegmentBranch, _ segments: SegmentedDownload) {
        let failure = branch.flush()
        letGo(branch)
        segments.remove(branch)
        if let failure { fail(failure) }
    }

    private func letGo(_ branch: SegmentBranch) {
        if let attempt = branch.attempt { letGo(attempt) }
    }

    /// Ends all branches, because the transfer pauses, waits or is over; their bytes stay, and resuming makes new
    /// branches.
    ///
    /// Must not be called inside libcurl's callbacks.
    func endBranches() {
        removeStrays()
        if hasStarted, handler.sources != nil { endProbes() }
        guard handler.segments != nil, let writer, let segments = writer.segments else { return }
        segments.growth.interrupted()
        for branch in segments.branches { end(branch, segments) }
        writer.boundLead()
        publishSegments()
    }

    /// Publishes the stretches of the file, once there were several.
    private func publishSegments() {
        guard let segments = handler.segments else { return }
        let lead = handler.sources.flatMap { $0.board.sources.count > 1 ? $0.board.lead : nil }
        publishSources()
        let stretches = segments.stretches(hasLead: attempt != nil && !machine.isHolding, lead: lead)
        guard stretches.count > 1 || !control.segments.isEmpty else { return }
        control.publish(stretches)
    }

    /// Marks branches of a dropped partial file to be ended; safe inside libcurl's callbacks, which must not remove
    /// handles.
    func abandon(_ branches: [SegmentBranch]) {
        for branch in branches {
            branch.isAbandoned = true
            guard let attempt = branch.attempt else { continue }
            strays.append(branch)
            core.recordEnd(of: attempt, result: CURLE_OK)
        }
    }

    /// Removes branches and probes whose file was dropped.
    func removeStrays() {
        guard !strays.isEmpty else { return }
        let works = strays
        strays = []
        for attempt in works.compactMap(\.attempt) { letGo(attempt) }
    }

    // MARK: - Paused attempts

    /// Returns the branches' and probes' attempts that are paused for a reason.
    func pausedAttempts(_ reason: Attempt.Pause) -> [Attempt] {
        guard hasStarted else { return [] }
        return furtherAttempts.filter { $0.pause.contains(reason) }
    }

    /// Returns the branches' and probes' attempts that are not paused for a reason.
    func branchAttempts(without reason: Attempt.Pause) -> [Attempt] {
        guard hasStarted else { return [] }
        return furtherAttempts.filter { !$0.pause.contains(reason) }
    }

    private var furtherAttempts: [Attempt] {
        let branches = writer?.segments?.branches.compactMap(\.attempt) ?? []
        return branches + (writer?.sources?.probes.compactMap(\.attempt) ?? [])
    }
}
