import CCurl

/// Several connections for one download: making them, judging their answers, and what follows their ends.
extension Transfer {
    /// Milliseconds between two looks at the connections.
    private static let segmentInterval: Int64 = 250
    /// Milliseconds that a further connection may take to be answered.
    private static let openingLimit: Int64 = 10_000
    /// Milliseconds without a byte after which a connection is replaced that others have outlived.
    private static let stalledLimit: Int64 = 10_000
    /// Milliseconds for which it is remembered how many connections a server takes.
    static let capMemory: Int64 = 600_000

    private var writer: (any SegmentedHandler)? { handler as? any SegmentedHandler }

    /// Begins to look whether further connections are worth it, or does so again.
    func watchSegments(afterMilliseconds delay: Int64 = segmentInterval) {
        core.setDeadline(.segments(id), afterMilliseconds: delay)
    }

    /// Makes further connections again that a pause has ended.
    func resumeSegments() {
        guard let writer, let segments = writer.segments, segments.mayGrow else { return }
        segments.leadPulse.rest(at: writer.front, now: core.now)
        watchSegments(afterMilliseconds: 0)
    }

    /// The time has come to look at the connections.
    func segmentsDue() {
        guard let writer, let segments = writer.segments, let attempt, machine.state == .transferring else { return }
        guard writer.takesBranches else { return watchSegments(afterMilliseconds: 20) }
        writer.dropOverrun()
        segments.bringUpToDate(lead: writer.front)
        if let error = writer.compareJoins() { return fail(error) }
        takePulses(segments, attempt, at: writer.front)
        replaceStalled(segments, attempt, at: writer.front)
        checkMirrors(segments)
        spread(segments)
        balance()
        publishSegments()
        // Mirrors are compared as soon as there is something to compare them with.
        let comesSoon = writer.front < DownloadSources.blockLength && writer.sources?.board.unproven.isEmpty == false
        watchSegments(afterMilliseconds: comesSoon ? 50 : Self.segmentInterval)
    }

    private func takePulses(_ segments: SegmentedDownload, _ lead: Attempt, at front: Int64) {
        if lead.pause.contains(.sink) {
            segments.leadPulse.rest(at: front, now: core.now)
        } else if lead.verdict == .accepted {
            // Bytes that others have brought, over which it has stepped, do not make it faster.
            segments.leadPulse.look(at: front, now: core.now, mayStand: lead.isPaced || lead.pacing.hasHeld)
        }
        for branch in segments.branches where branch.isAccepted {
            branch.pulse.look(at: branch.position, now: core.now, mayStand: branch.attempt?.isPaced == true)
        }
    }

    /// Ends connections that bring nothing while others do, and such as are never answered.
    private func replaceStalled(_ segments: SegmentedDownload, _ lead: Attempt, at front: Int64) {
        // Sooner than the whole would count as standing still.
        let stall = Deadlines.milliseconds(request.idleTimeout ?? core.configuration.stallTimeout)
        let limit = min(Self.stalledLimit, stall / 2)
        let others = segments.branches
        for branch in others where core.now - branch.pulse.movedAt >= (branch.isAccepted ? limit : Self.openingLimit) {
            end(branch, segments)
            failed(branch, branch.isAccepted ? MirrorReasons.stopped : MirrorReasons.timedOut, segments)
        }
        guard segments.leadStands(limit, now: core.now) else { return }
        segments.replaceLead(at: front, now: core.now)
        core.recordEnd(of: lead, result: CURLE_OPERATION_TIMEDOUT)
    }

    /// Makes as many connections as there are to be, and ends those that are too many.
    func balance() {
        guard let writer, let segments = writer.segments, machine.state == .transferring else { return }
        writer.dropOverrun()
        segments.bringUpToDate(lead: writer.front)
        defer { writer.boundLead() }
        var wanted = 1
        if segments.mayGrow {
            wanted = segments.growth.look(
                SegmentGrowth.Look(
                    now: core.now, received: writer.received, rest: segments.plan.rest, working: segments.working,
                    opening: segments.opening + (writer.sources?.probes.count ?? 0),
                    isUneven: isUneven(segments), leadSpeed: segments.leadPulse.speed,
                    hasUntried: writer.sources?.board.hasUntried ?? false))
            // A server that has not sent a part yet is asked by one connection before it is by many.
            if !segments.hasSeenPart, handler.resumability != .yes { wanted = min(wanted, 2) }
            segments.wantsMore = wanted > 1
            wanted = min(wanted, 1 + roomForBranches(writer.sources))
        }
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
            guard let (source, requestTarget) = place(for: segments, writer) else {
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

    /// Makes the connection of a branch; false where it cannot be made.
    func start(_ branch: SegmentBranch, _ requestTarget: RequestTarget?, _ writer: any SegmentedHandler) -> Bool {
        // Another source's request may be the transfer's own by the time this one is answered.
        let hasOthers = writer.sources.map { $0.board.sources.count > 1 } ?? false
        let requestTarget = hasOthers ? requestTarget ?? leadTarget : requestTarget
        do throws(SessionError) {
            let fields = writer.branchFields(for: branch.wanted, of: branch.source)
            branch.attempt = try begin(
                .branch(branch), makeMessage(adding: fields, to: requestTarget), to: requestTarget)
            core.branchBegan(at: branch.host)
            return true
        } catch {
            // The lead does without.
            return false
        }
    }

    // MARK: - Answers

    /// Does what the answer to a branch was judged to mean.
    func act(on verdict: RangeVerdict, _ head: ResponseHead, _ attempt: Attempt) {
        guard let branch = attempt.branch, let writer, let segments = writer.segments else { return }
        if case .accepted = verdict {} else { attempt.endAtHead() }
        switch verdict {
        case .overtaken: branch.isOvertaken = true
        case .accepted(let end):
            branch.isAnswered(upTo: end)
            segments.plan.shorten(branch.id, to: end)
            segments.bound()
            segments.hasSeenPart = true
            writer.hasBranched = true
            branch.isAccepted = true
            branch.acceptedAt = core.now
            branch.pulse = SegmentPulse(position: branch.position, now: core.now)
            attempt.accept(into: branch)
            writer.boundLead()
            keepEndpoint(of: branch, attempt, segments)
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

    /// Decides what follows a branch that libcurl is done with.
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
            measure(branch)
            segments.othersMoved(now: core.now)
        }
        segments.bringUpToDate(lead: writer.front)
        let failure = branch.flush() ?? writer.compareJoins() ?? attempt.failure
        segments.remove(branch)
        writer.boundLead()
        if let failure, branch.isAccepted || failure.isOfOwnFiles { return fail(failure) }
        if !isComplete, !branch.isOvertaken, segments.mayGrow, attempt.verdict != .decided(.useNewConnection),
            !endpointHasExpired(branch, attempt, segments)
        {
            let reason = branch.refusal ?? furtherError(of: attempt, result).message
            failed(branch, reason, segments)
        }
        balance()
        enqueueStatus()
    }

    /// A branch was answered with other bytes than its fields name.
    private func contradicted(by branch: SegmentBranch) {
        guard let writer else { return }
        branch.refusal = MirrorReasons.falseRange
        if writer.isForeign(branch.source), let sources = writer.sources, let reason = branch.refusal {
            return dropSource(branch.source, reason, passes: false, sources)
        }
        giveUpBranches()
    }

    /// A range was answered with other bytes than its fields name: nothing beyond the front is kept, and one connection brings
    /// the rest.
    ///
    /// Not for libcurl's callbacks.
    /// - Parameter source: the source that has sent them; nil for the lead's, and where it is not known.
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

    /// A branch has broken off, or was refused: there are fewer of them from now on, or fewer to its source.
    private func failed(_ branch: SegmentBranch, _ reason: String, _ segments: SegmentedDownload) {
        if let sources = handler.sources, sources.board.sources.count > 1 {
            return failed(branch, reason, segments, sources)
        }
        guard branch.isAccepted else { return refused(segments) }
        if !segments.growth.broke(working: segments.working) { rememberCap(segments) }
    }

    private func refused(_ segments: SegmentedDownload) {
        // Those that are not answered yet may still be.
        segments.growth.refused(working: segments.working + segments.opening)
        rememberCap(segments)
    }

    private func rememberCap(_ segments: SegmentedDownload) {
        core.branchBoard.remember(segments.growth.limit, for: host, until: core.now + Self.capMemory)
    }

    // MARK: - Ends

    /// Ends a branch; its bytes stay.
    func end(_ branch: SegmentBranch, _ segments: SegmentedDownload) {
        let failure = branch.flush()
        letGo(branch)
        segments.remove(branch)
        if let failure { fail(failure) }
    }

    private func letGo(_ branch: SegmentBranch) {
        if let attempt = branch.attempt { letGo(attempt) }
    }

    /// Ends all branches, because the transfer pauses, waits or is over; their bytes stay, and when it goes on they are made
    /// again.
    ///
    /// Not for libcurl's callbacks.
    func endBranches() {
        removeStrays()
        if hasStarted, handler.sources != nil { endProbes() }
        guard handler.segments != nil, let writer, let segments = writer.segments else { return }
        segments.growth.interrupted()
        for branch in segments.branches { end(branch, segments) }
        writer.boundLead()
        publishSegments()
    }

    /// Tells the stretches of the file, where there were ever several.
    private func publishSegments() {
        guard let segments = handler.segments else { return }
        let lead = handler.sources.flatMap { $0.board.sources.count > 1 ? $0.board.lead : nil }
        publishSources()
        let stretches = segments.stretches(hasLead: attempt != nil && !machine.isHeld, lead: lead)
        guard stretches.count > 1 || !control.segments.isEmpty else { return }
        control.publish(stretches)
    }

    /// Has branches ended whose part is given up; also for libcurl's callbacks, in which nothing may be removed.
    func abandon(_ branches: [SegmentBranch]) {
        for branch in branches {
            branch.isAbandoned = true
            guard let attempt = branch.attempt else { continue }
            strays.append(branch)
            core.recordEnd(of: attempt, result: CURLE_OK)
        }
    }

    /// Removes branches and comparisons whose file was given up.
    func removeStrays() {
        guard !strays.isEmpty else { return }
        let works = strays
        strays = []
        for attempt in works.compactMap(\.attempt) { letGo(attempt) }
    }

    // MARK: - The lead

    /// Lets the branch at whose place the lead has arrived become the lead; false where there is none that could.
    func handOver() -> Bool {
        guard machine.state == .transferring, let writer, let segments = writer.segments,
            let branch = segments.promote(now: core.now), let attempt = branch.attempt
        else { return false }
        branch.attempt = nil
        core.branchEnded(at: branch.host)
        attempt.becomeLead()
        take(attempt)
        takeLead(branch, attempt)
        writer.takeOver(branch, attempt)
        tries.succeeded()
        figures.metrics.attemptStartedAt = core.now
        watchForStall()
        balance()
        enqueueStatus()
        return true
    }

    /// Whether a lead that has failed is replaced at once, while the other connections go on.
    func leadIsReplaced(delay: Int64?) -> Bool {
        guard delay == nil, handler.segments != nil, let writer, let segments = writer.segments,
            machine.state == .transferring,
            handler.resumability == .yes, segments.carriesOn(afterProgress: writer.hasNewFront)
        else { return false }
        startOver()
        return true
    }

    // MARK: - Pauses of the line

    /// The attempts besides the lead that are held back for a reason.
    func heldAttempts(_ reason: Attempt.Pause) -> [Attempt] {
        guard hasStarted else { return [] }
        return furtherAttempts.filter { $0.pause.contains(reason) }
    }

    /// The attempts of branches that are not held back for a reason.
    func branchAttempts(without reason: Attempt.Pause) -> [Attempt] {
        guard hasStarted else { return [] }
        return furtherAttempts.filter { !$0.pause.contains(reason) }
    }

    private var furtherAttempts: [Attempt] {
        let branches = writer?.segments?.branches.compactMap(\.attempt) ?? []
        return branches + (writer?.sources?.probes.compactMap(\.attempt) ?? [])
    }
}
