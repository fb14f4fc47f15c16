/// The choice of the lead's source, and of its successor when it fails.
extension Transfer {
    /// The next step after the sources were reviewed.
    enum AfterSources {
        /// Another attempt follows at once: at another source, or at the same one after a comparison.
        case again
        case carryOut(NextStep)
    }

    /// Decides whether another source replaces one that has failed.
    func review(
        _ next: NextStep, _ sources: DownloadSources, of attempt: Attempt?, madeProgress: Bool
    ) -> AfterSources {
        switch sources.review(next, madeProgress: madeProgress, working: handler.segments?.working ?? 1) {
        case .carryOut(let next): return .carryOut(next)
        case .failed(let failure): return turn(after: failure, of: attempt, sources)
        case .tookBack(let failure, let reason):
            if !handler.takeBack() { core.emit(.restarted(id, reason: reason)) }
            return turn(after: failure, of: attempt, sources)
        case .compare:
            let comparison = (handler as? any SourcedFile)?.compareFirstBlock(sources)
            return sources.compared(comparison).map { turn(after: $0, of: attempt, sources) } ?? .again
        }
    }

    private func turn(
        after failure: SourceFailure, of attempt: Attempt?, _ sources: DownloadSources
    ) -> AfterSources {
        let failed = sources.board.lead
        let reason = failure.error.message
        if !failure.passes { dropSource(failed, reason, passes: sources.board[failed].lacksRanges, sources) }
        switch sources.turn(after: failure) {
        case .next(let index, let wholly):
            // Transfers that wait for that server have to learn of the failure, also if this one was its probe.
            if let attempt { tellServer(of: failure, attempt) }
            if wholly { beginAgain(ResumeReasons.mirrorLacksRanges) }
            turnLead(to: index, from: failed, reason, sources)
            return .again
        case .carryOut(let next): return .carryOut(next)
        }
    }

    /// Reports a failure to the server's host; one that was only slow for a download with other sources is no trouble
    /// for transfers without them.
    private func tellServer(of failure: SourceFailure, _ attempt: Attempt) {
        guard attempt.watches.stall?.wasImpatient == true, asksItsHost else {
            tellHost(of: failure.error, attempt, askedWait: failure.askedWait)
            return
        }
        core.hosts.keptWaiting(host, now: core.now)
    }

    /// Makes a source the lead.
    private func turnLead(to index: Int, from earlier: Int, _ reason: String, _ sources: DownloadSources) {
        sources.leadChanges()
        answer.dropPage()
        figures.recordFailedAttempt()
        core.emit(
            .source(id, .switched(to: sources.board[index].url, from: sources.board[earlier].url, reason: reason)))
        startOver()
        core.emit(.hop(id, request))
        publishSources()
    }

    private func beginAgain(_ reason: String) {
        let hadBytes = handler.received > 0
        handler.restart(keepingPart: false)
        if hadBytes { core.emit(.restarted(id, reason: reason)) }
    }

    /// Drops a source; its connections that still bring bytes of the right version continue.
    func dropSource(_ index: Int, _ reason: String, passes: Bool, _ sources: DownloadSources) {
        guard sources.board.drop(index, reason, passes: passes) else { return }
        core.emit(.source(id, .dropped(url: sources.board[index].url, reason: reason)))
        publishSources()
    }

    /// Turns to the next source after a wrong checksum, and returns the reason; nil when no source is left.
    func switchAfterMismatch(_ error: SessionError, _ sources: DownloadSources) -> String? {
        guard error.code == .checksum else { return nil }
        let reference = sources.board.reference
        let wasMixed = sources.board.isMixed
        let earlier = reference ?? sources.board.lead
        guard let next = sources.board.combinationWasWrong(error.message) else { return nil }
        if !wasMixed, let reference {
            core.emit(.source(id, .dropped(url: sources.board[reference].url, reason: error.message)))
        }
        turnLead(to: next, from: earlier, error.message, sources)
        return wasMixed ? ResumeReasons.mirrorsMixed : ResumeReasons.mirrorChecksum
    }

    /// Returns the request to the source at the front.
    func leadRequest(_ sources: DownloadSources) -> TransferRequest {
        let index = sources.board.lead
        return index == 0
            ? description.request : RedirectPolicy.request(description.request, at: sources.board[index].url)
    }

    /// Makes the source of a branch that became the lead the lead's source.
    func takeLead(_ branch: SegmentBranch, _ attempt: Attempt) {
        guard let sources = handler.sources, sources.board.lead != branch.source else { return }
        sources.board.lead = branch.source
        guard let requestTarget = attempt.requestTarget else { return }
        ask(requestTarget.request)
        asking.turn(to: requestTarget)
    }
}

/// The lead of a download over several connections.
extension Transfer {
    /// Makes the branch that the lead has reached the new lead; returns false if none can be.
    func handOver() -> Bool {
        guard machine.state == .transferring, let writer = handler as? any SegmentedHandler,
            let segments = writer.segments,
            let branch = segments.promote(now: core.now), let attempt = branch.attempt
        else { return false }
        branch.attempt = nil
        core.branchEnded(at: branch.host)
        attempt.becomeLead()
        take(attempt)
        takeLead(branch, attempt)
        writer.takeOver(branch, attempt)
        tries.succeeded()
        figures.takeOver(at: core.now)
        watchForStall()
        balance()
        enqueueStatus()
        return true
    }

    /// Whether a failed lead is replaced at once, while the other connections continue.
    func leadIsReplaced(delay: Int64?) -> Bool {
        guard delay == nil, handler.segments != nil, let writer = handler as? any SegmentedHandler,
            let segments = writer.segments,
            machine.state == .transferring,
            handler.resumability == .yes, segments.carriesOn(afterProgress: writer.hasAdvanced)
        else { return false }
        startOver()
        return true
    }
}

/// Downloads that wait for a server in trouble while another of their sources may be used.
extension Transfer {
    /// Whether the file has several sources, as far as is known before the first request.
    ///
    /// Creates no handler: most transfers of a long list have one source and wait for a slot.
    var hasOtherSources: Bool {
        if hasStarted { return handler.sources != nil }
        guard case .file(let target) = description.sink else { return false }
        return target.mirrors != nil
    }

    /// Whether the request goes to the origin whose slot the transfer has, so that responses and failures count for it.
    var asksItsHost: Bool {
        guard home.isAway else { return !asking.redirects.hasLeftOrigin }
        return (try? Origin(request.url)).map { "\($0)" } == home.origin
    }

    /// Makes a source whose server may be used the lead and takes a slot there, if the present lead's server may not be
    /// used; without effect when no server can be reached at all.
    ///
    /// Only for a download that has neither a connection nor a slot.
    func goAround() {
        guard attempt == nil, let reason = reasonToGoAround, let sources = handler.sources,
            let (index, key) = openSource(sources)
        else { return }
        move(to: key)
        guard sources.board.lead != index else { return }
        let earlier = sources.board[sources.board.lead].url
        sources.board.passOver(for: index)
        sources.leadChanges()
        core.emit(.source(id, .switched(to: sources.board[index].url, from: earlier, reason: reason)))
        startOver()
        core.emit(.hop(id, request))
        publishSources()
    }

    /// Whether a source other than the one that has just failed may be used now.
    var hasOpenSource: Bool { handler.sources.flatMap { openSource($0) } != nil }

    /// Whether a source other than the lead's may be used that has not failed yet.
    var hasAnotherSource: Bool {
        guard hasStarted, let sources = handler.sources else { return false }
        return sources.board.leads.contains {
            $0 != sources.board.lead && !sources.board[$0].hasFailed
                && core.trouble(at: requestTarget(at: $0, sources).host) == nil
        }
    }

    /// Returns a source that may be the lead and whose server is in no trouble, with its queue key; one that is not
    /// slow comes first.
    private func openSource(_ sources: DownloadSources) -> (index: Int, host: String)? {
        let open = sources.board.leads.lazy.map { (index: $0, host: self.requestTarget(at: $0, sources).host) }
            .filter { self.core.trouble(at: $0.host) == nil }
        return open.first { !core.hosts.isSlow($0.host, now: core.now) } ?? open.first
    }

    /// Returns why the server whose slot the transfer waits for should be avoided; nil if it should not.
    private var reasonToGoAround: String? {
        if let trouble = core.trouble(at: host) {
            return trouble.reason != .noNetwork || core.network.hasRoute(nil) ? Self.words(trouble, hostName) : nil
        }
        return core.hosts.isSlow(host, now: core.now) ? MirrorReasons.slow(hostName) : nil
    }

    private static func words(_ trouble: HostOutage, _ name: String) -> String {
        switch trouble.reason {
        case .busy: MirrorReasons.rateLimited(name)
        case .unreachable: MirrorReasons.unreachable(name)
        case .silent: MirrorReasons.silent(name)
        case .noNetwork: TransportErrors.noRoute(name)
        }
    }
}
