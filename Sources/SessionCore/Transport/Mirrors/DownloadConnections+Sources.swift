/// The choice of the lead's source, and of its successor when it fails.
extension DownloadConnections {
    /// The next step after the sources were reviewed.
    enum AfterSources {
        /// Another attempt follows at once: at another source, or at the same one after a comparison.
        case again
        /// The step follows, after a source's failure if every source has failed.
        case carryOut(NextStep, after: SourceFailure?)
    }

    /// Decides whether another source replaces one that has failed.
    func review(
        _ next: NextStep, _ sources: DownloadSources, of attempt: Attempt?, madeProgress: Bool
    ) -> AfterSources {
        let working = handler.segments?.working ?? 1
        switch sources.review(next, madeProgress: madeProgress, working: working, now: core.now) {
        case .carryOut(let next): return .carryOut(next, after: nil)
        case .failed(let failure): return turn(after: failure, of: attempt, sources)
        case .tookBack(let failure, let reason):
            takeBack(because: reason)
            return turn(after: failure, of: attempt, sources)
        case .compare:
            do throws(SessionError) {
                let comparison = try (handler as? any SourcedFile)?.compareFirstBlock(sources)
                return sources.compared(comparison).map { turn(after: $0, of: attempt, sources) } ?? .again
            } catch {
                return .carryOut(.fail(error), after: nil)
            }
        }
    }

    private func turn(
        after failure: SourceFailure, of attempt: Attempt?, _ sources: DownloadSources
    ) -> AfterSources {
        let failed = sources.board.lead
        let reason = failure.error.message
        if !failure.passes { dropSource(failed, reason, passes: sources.board[failed].lacksRanges, sources) }
        switch sources.turn(after: failure, now: core.now) {
        case .next(_, let wholly):
            // Transfers that wait for that server have to learn of the failure, also if this one was its probe.
            if let attempt { tellServer(of: failure, attempt) }
            if wholly {
                beginAgain(sources.board.isAlone ? ResumeReasons.mirrorAlone : ResumeReasons.mirrorLacksRanges)
            }
            turnLead(from: failed, reason, sources)
            return .again
        case .carryOut(let next):
            var failure = failure
            failure.hasSuccessor = sources.board.lead != failed
            if failure.hasSuccessor { announceLead(insteadOf: failed, reason, sources) }
            return .carryOut(next, after: failure)
        }
    }

    /// Reports a failure to the server's host; one that was only slow for a download with other sources is no trouble
    /// for transfers without them.
    private func tellServer(of failure: SourceFailure, _ attempt: Attempt) {
        guard attempt.watches.stall?.wasImpatient == true, owner.asksItsHost else {
            owner.tellHost(of: failure.error, attempt, askedWait: failure.askedWait)
            return
        }
        core.hosts.keptWaiting(host, now: core.now)
    }

    /// Turns to the source that has become the lead.
    private func turnLead(from earlier: Int, _ reason: String, _ sources: DownloadSources) {
        owner.leadFailed()
        announceLead(insteadOf: earlier, reason, sources)
        owner.startOver()
    }

    /// Reports that another source has become the lead, and forgets what was found out about the earlier one.
    private func announceLead(insteadOf earlier: Int, _ reason: String, _ sources: DownloadSources) {
        sources.leadChanges()
        let (url, earlierURL) = (sources.board[sources.board.lead].url, sources.board[earlier].url)
        core.emit(.source(id, .switched(to: url, from: earlierURL, reason: reason)))
        publishSources()
    }

    /// Drops the bytes of the lead's response, which has others than it names.
    func takeBack(because reason: String) {
        let had = handler.received
        guard handler.takeBack() else { return core.emit(.restarted(id, reason: reason)) }
        report(bytesTakenBackSince: had, of: request.url, because: reason)
    }

    /// Reports the bytes that are fetched again because a source has sent others than its response names.
    func report(bytesTakenBackSince had: Int64, of url: String, because reason: String) {
        let count = had - handler.received
        if count > 0 { core.emit(.source(id, .tookBack(url: url, bytes: count, reason: reason))) }
    }

    private func beginAgain(_ reason: String) {
        let hadBytes = handler.received > 0
        handler.restart(keepingPart: false)
        if hadBytes { core.emit(.restarted(id, reason: reason)) }
    }

    /// Drops a source; its connections that still receive bytes of the right version continue.
    ///
    /// - Parameter askedWait: the milliseconds for which its server asked to be left alone, where it may come back.
    func dropSource(
        _ index: Int, _ reason: String, passes: Bool, askedWait: Int64? = nil, _ sources: DownloadSources
    ) {
        guard sources.board.drop(index, reason, passes: passes) else { return }
        if let askedWait { sources.board.leaveAlone(index, until: core.now + askedWait) }
        core.emit(.source(id, .dropped(url: sources.board[index].url, reason: reason)))
        publishSources()
    }

    /// Turns to the next source after a wrong checksum, and returns the reason; nil when no source is left.
    func switchAfterMismatch(_ error: SessionError, _ sources: DownloadSources) -> String? {
        guard error.code == .checksum else { return nil }
        let reference = sources.board.reference
        let wasMixed = sources.board.isMixed
        let earlier = reference ?? sources.board.lead
        guard sources.board.combinationWasWrong(error.message) != nil else { return nil }
        if !wasMixed, let reference {
            core.emit(.source(id, .dropped(url: sources.board[reference].url, reason: error.message)))
        }
        turnLead(from: earlier, error.message, sources)
        return wasMixed ? ResumeReasons.mirrorsMixed : ResumeReasons.mirrorChecksum
    }

    /// Makes the source of a branch that became the lead the lead's source; returns false if nothing changes.
    func takeLead(at source: Int) -> Bool {
        guard let sources = handler.sources, sources.board.lead != source else { return false }
        sources.board.lead = source
        // The bytes that the branch repeats must not prove the source by the earlier lead's facts.
        sources.leadChanges()
        return true
    }
}

/// The lead of a download over several connections.
extension DownloadConnections {
    /// Removes the branch that the lead has reached from the branches and returns it as the new lead; nil if there is
    /// none.
    func promote() -> (branch: SegmentBranch, attempt: Attempt)? {
        guard let segments = segmented?.segments, let branch = segments.promote(now: core.now),
            let attempt = branch.attempt
        else { return nil }
        branch.attempt = nil
        core.branchEnded(at: branch.host)
        attempt.becomeLead()
        return (branch, attempt)
    }

    /// Whether the other connections continue after the lead has failed, so that it is replaced at once.
    var carriesOn: Bool {
        guard let writer = segmented, let segments = writer.segments else { return false }
        return segments.carriesOn(afterProgress: writer.hasAdvanced)
    }
}

/// Other sources for a download whose host fails or backs off.
extension DownloadConnections {
    /// A source that may be the lead, and its queue key.
    struct Detour {
        var source: Int
        var host: String
    }

    /// Whether a source other than the one that has just failed may be used now.
    var hasOpenSource: Bool { detour() != nil }

    /// Whether the lead's source is at another server than the one whose slot the download has.
    var leadIsElsewhere: Bool {
        handler.sources.map { requestTarget(at: $0.board.lead, $0).host != host } ?? false
    }

    /// Whether a source other than the lead's may be used that has not failed yet.
    var hasAnotherSource: Bool {
        guard let sources = handler.sources else { return false }
        return sources.board.leads.contains {
            $0 != sources.board.lead && !sources.board[$0].hasFailed
                && core.trouble(at: requestTarget(at: $0, sources).host) == nil
        }
    }

    /// Returns a source that may be the lead, whose host does not back off and whose server has not asked to be left
    /// alone; a fast one comes first.
    func detour() -> Detour? {
        guard let sources = handler.sources else { return nil }
        let open = sources.board.leads.lazy.map { Detour(source: $0, host: self.requestTarget(at: $0, sources).host) }
            .filter {
                self.core.trouble(at: $0.host) == nil && !sources.board.isBusy($0.source, now: self.core.now)
            }
        return open.first { !core.hosts.isSlow($0.host, now: core.now) } ?? open.first
    }

    /// Makes another source the lead before the download has a connection.
    func take(_ detour: Detour, because reason: String) {
        guard let sources = handler.sources, sources.board.lead != detour.source else { return }
        let earlier = sources.board.lead
        sources.board.passOver(for: detour.source)
        announceLead(insteadOf: earlier, reason, sources)
        owner.startOver()
    }
}
