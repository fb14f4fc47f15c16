import CCurl

/// The connections beside the lead: their responses and their ends.
extension DownloadConnections {
    // MARK: - Responses

    /// Carries out the verdict on a branch's response.
    func act(on verdict: RangeVerdict, _ head: ResponseHead, _ attempt: Attempt) {
        guard let branch = attempt.branch, let writer = segmented, let segments = writer.segments else { return }
        if case .accepted = verdict {} else { attempt.endAtHead() }
        switch verdict {
        case .overtaken: branch.isOvertaken = true
        case .accepted(let end):
            segments.accept(branch, upTo: end, now: core.now)
            writer.hasBranched = true
            attempt.accept(into: branch)
            attempt.compare(with: AnnouncedDigest.range(of: head, file: writer.announced), head)
            writer.boundLead()
            if branch.redirects.hops > 0, let target = attempt.requestTarget {
                segments.keep(target, of: branch.source, in: writer.sources)
            }
            if writer.isForeign(branch.source) { writer.sources?.board.isMixed = true }
        case .refused(let reason, let askedWait):
            if !RedirectPolicy.isRedirect(head.statusCode) { branch.refusedStatus = head.statusCode }
            (branch.refusal, branch.askedWait) = (reason, askedWait)
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
        attempt.ended(Attempt.End.Facts(leavesConnection: result == CURLE_OK && branch.isAccepted))
        let isComplete = branch.isAccepted && branch.position >= branch.end
        if branch.beganAtZero || isComplete && attempt.hasOtherDigest { contradicted(by: branch) }
        letGo(branch)
        guard let writer = segmented, let segments = writer.segments,
            segments.branches.contains(where: { $0 === branch })
        else {
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
        if let failure, branch.isAccepted || failure.isOfOwnFiles { return owner.fail(failure) }
        let hasFailed = !isComplete && !branch.isOvertaken
        if hasFailed, segments.mayGrow, attempt.verdict != .decided(.useNewConnection),
            !targetHasExpired(branch, attempt, segments)
        {
            let reason = branch.refusal ?? owner.furtherError(of: attempt, result, systemError: 0).message
            failed(branch, reason, segments)
        }
        balance()
        owner.enqueueStatus()
    }

    /// Handles a branch's response with other bytes than its fields name.
    private func contradicted(by branch: SegmentBranch) {
        guard let writer = segmented else { return }
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
        guard let writer = segmented, let segments = writer.segments else { return }
        let had = handler.received
        for branch in segments.branches {
            branch.isAbandoned = true
            end(branch, segments)
        }
        segments.giveUp()
        writer.forgetBeyond()
        writer.compareAlways()
        writer.hasContradicted = true
        writer.boundLead()
        let url = source.flatMap { writer.sources?.board[$0].url } ?? request.url
        report(bytesTakenBackSince: had, of: url, because: MirrorReasons.falseRange)
        guard let source, writer.isForeign(source), let sources = writer.sources else {
            return core.falseServers.add(request.url)
        }
        core.falseServers.add(sources.board[source].url)
        dropSource(source, MirrorReasons.falseRange, passes: false, sources)
    }

    /// Lowers the number of branches, in total or to one source, after one has broken off or was refused.
    func failed(_ branch: SegmentBranch, _ reason: String, _ segments: SegmentedDownload) {
        if let sources = handler.sources, sources.board.sources.count > 1 {
            let others = segments.branches.count { $0.source == branch.source && $0.isAccepted }
            if sources.failed(isAccepted: branch.isAccepted, source: branch.source, others: others) {
                dropSource(branch.source, reason, passes: true, askedWait: branch.askedWait, sources)
            }
            return
        }
        guard branch.isAccepted else { return refused(segments) }
        if !segments.growth.broke(after: branch.position - branch.asked.lowerBound, working: segments.working) {
            rememberCap(segments)
        }
    }

    private func refused(_ segments: SegmentedDownload) {
        // Branches without a response may still be accepted.
        segments.growth.refused(working: segments.working + segments.opening)
        rememberCap(segments)
    }

    private func rememberCap(_ segments: SegmentedDownload) {
        core.branchBoard.remember(segments.growth.limit, for: host, until: core.now + Self.capMemory)
    }

    // MARK: - Ends

    func end(_ branch: SegmentBranch, _ segments: SegmentedDownload) {
        let failure = branch.flush()
        letGo(branch)
        segments.remove(branch)
        if let failure { owner.fail(failure) }
    }

    private func letGo(_ branch: SegmentBranch) {
        if let attempt = branch.attempt { owner.letGo(attempt) }
    }

    /// Ends all connections, because the transfer pauses, waits or is over; their bytes stay, and resuming makes new
    /// branches.
    ///
    /// Must not be called inside libcurl's callbacks.
    func endAll() {
        removeStrays()
        if handler.sources != nil { endProbes() }
        guard let writer = segmented, let segments = writer.segments else { return }
        segments.growth.interrupted()
        for branch in segments.branches { end(branch, segments) }
        writer.boundLead()
        publishSegments()
    }

    /// Publishes the stretches of the file, once there were several.
    func publishSegments() {
        guard let segments = handler.segments else { return }
        let lead = handler.sources.flatMap { $0.board.sources.count > 1 ? $0.board.lead : nil }
        publishSources()
        let stretches = segments.stretches(hasLead: attempt != nil && !owner.isHolding, lead: lead)
        guard stretches.count > 1 || !owner.control.segments.isEmpty else { return }
        owner.control.publish(stretches)
    }

    /// Marks branches of a dropped partial file to be ended; safe inside libcurl's callbacks.
    func abandon(_ branches: [SegmentBranch]) {
        for branch in branches {
            branch.isAbandoned = true
            strand(branch)
        }
    }

    /// The attempts of the branches and probes.
    var furtherAttempts: [Attempt] {
        let branches = segmented?.segments?.branches.compactMap(\.attempt) ?? []
        return branches + (segmented?.sources?.probes.compactMap(\.attempt) ?? [])
    }
}
