import CCurl

/// Retries after an attempt that failed.
extension Transfer {
    /// Whether another attempt may follow a response that asks to retry later.
    func mayTryAgain(after error: SessionError, delay: Int64?, _ attempt: Attempt) -> Bool {
        var failure = failure(
            error, delay, mayBeStored: repetition.mayBeStored(after: error, isGiven: hasGivenAll(attempt)))
        failure.charge = trouble(by: failureEvidence(error, attempt, delay)).map { core.charge(for: $0, of: self) }
        return tries.mayTryAgain(after: failure, policy, now: core.now)
    }

    /// Retries after a failed attempt, or fails with its error.
    ///
    /// - Parameter source: the failure of the attempt's source, where the file has several: the error and the delay may
    ///   be of others, and say nothing about its server.
    func retry(
        _ error: SessionError, afterMilliseconds delay: Int64?, after attempt: Attempt, madeProgress: Bool,
        of source: SourceFailure? = nil
    ) {
        let wasTooSlow = attempt.watches.stall?.wasTooSlow == true
        if !wasTooSlow, leadIsReplaced(delay: delay) || partIsPostponed(delay: delay) { return perform(end: .again) }
        let cause = source ?? SourceFailure(error: error, passes: true, askedWait: delay)
        let (trouble, charge) = judgeHost(by: cause.error, attempt, askedWait: cause.askedWait)
        if cause.hasSuccessor { startOver() }
        var failure = failure(
            error, delay, mayBeStored: repetition.mayBeStored(after: error, isGiven: attempt.end.facts.hasGivenAll))
        failure.keepsProgress = madeProgress && handler.resumability != .no
        (failure.charge, failure.hostWait) = (charge, hostWait)
        failure.lacksNetwork = trouble?.reason == .noNetwork
        failure.hasOpenSource = hasOpenSource || cause.hasSuccessor && connections.leadIsElsewhere
        let step = tries.failed(failure, policy, now: core.now, random: Double.random(in: 0..<1))
        let reason = reason(error, trouble)
        if step.givesUpHost { core.giveUpHost(of: self) }
        switch step.next {
        case .fail:
            if charge == nil, !wasTooSlow, goesOnAlone(after: error) { return perform(end: .again) }
            var last = error
            last.message = failure.mayBeStored ? TransportErrors.bodyMayBeStored(reason) : reason
            record(last)
            return perform(end: .failed)
        case .waitForHost:
            let time = core.hostIsAskedAgain(for: self) ?? core.now
            prepareToWait(error, milliseconds: max(time - core.now, 0), forHost: true)
        case .wait(let milliseconds):
            let slot = core.retrySpacing.takeSlot(at: host, now: core.now)
            prepareToWait(error, milliseconds: milliseconds + slot, forHost: false)
        }
        core.emit(.retrying(id, attempt: tries.withoutProgress, afterMilliseconds: tries.delay, reason: reason))
        perform(end: .retry)
    }

    /// Milliseconds for which failed transfers wait for the host; nil if they do not.
    private var hostWait: Int64? {
        guard core.hosts.availability(of: host)?.isBackingOff == true else { return nil }
        return max((core.hostIsAskedAgain(for: self) ?? core.now) - core.now, 0)
    }

    /// Leaves the failed part for later while other connections send theirs; returns false if the lead has to retry it.
    private func partIsPostponed(delay: Int64?) -> Bool {
        guard upload?.connections?.replacesLead(afterMilliseconds: delay) == true else { return false }
        answer.dropPage()
        figures.recordFailedAttempt()
        startOver()
        return true
    }

    /// Continues the download on one connection after several have failed; returns false if that cannot help.
    func goesOnAlone(after error: SessionError) -> Bool {
        guard error.mayBeOfManyConnections, handler.goesOnAlone(after: error) else { return false }
        connectionsIfAny?.endAll()
        answer.dropPage()
        figures.recordFailedAttempt()
        startOver()
        return true
    }

    /// Prepares a wait after a failure without an attempt, if this process had no descriptor for it and may get one;
    /// returns false where the transfer fails.
    func waitsForDescriptor(_ error: SessionError, nothingWasSent: Bool = true) -> Bool {
        guard error.lacksDescriptor else { return false }
        var failure = failure(error, nil, mayBeStored: false)
        failure.policy.nothingWasSent = nothingWasSent
        let step = tries.failed(failure, policy, now: core.now, random: Double.random(in: 0..<1))
        guard case .wait(let milliseconds) = step.next else { return false }
        prepareToWait(error, milliseconds: milliseconds, forHost: false)
        core.emit(
            .retrying(id, attempt: tries.withoutProgress, afterMilliseconds: milliseconds, reason: error.message))
        return true
    }

    /// Prepares to fetch a body again that could not be saved for the same reason, and of which no file is kept.
    func savesLater(_ error: SessionError) -> Bool {
        guard error.partPath == nil, waitsForDescriptor(error, nothingWasSent: false) else { return false }
        handler.restart(keepingPart: false)
        return true
    }

    private func prepareToWait(_ error: SessionError, milliseconds: Int64, forHost: Bool) {
        answer.dropPage()
        handler.segments?.speed = nil
        tries.wait(milliseconds: milliseconds, forHost: forHost)
        if handler.resumability == .no, handler.received > 0 {
            let reason = [error.message, handler.resumeRefusal].compactMap { $0 }.joined(separator: ". ")
            handler.restart(keepingPart: false)
            core.emit(.restarted(id, reason: reason))
        }
        figures.recordFailedAttempt()
        startOver()
        figures.waits(because: error.code)
    }

    /// Whether a wait that the server asked for (`Retry-After`) is not over after a pause.
    var mustWait: Bool {
        machine.state == .parked && tries.askedUntil > core.now && !hasOpenSource && !control.rank.ignoresLimits
    }

    func startRetryTimer() {
        if figures.status.retryCause == nil { resumeWait() }
        if tries.waitsForHost {
            core.waitForHost(self)
            figures.waitsForHost(core.hosts.availability(of: host)?.trouble?.reason)
        } else {
            core.setDeadline(.retry(id), afterMilliseconds: tries.delay)
        }
        figures.waits(until: core.now + tries.delay)
    }

    /// Resumes a wait that a pause has interrupted.
    private func resumeWait() {
        let hostTime = connectionsIfAny?.leadIsElsewhere == true ? nil : core.hostIsAskedAgain(for: self)
        tries.wait(milliseconds: max((hostTime ?? tries.askedUntil) - core.now, 0), forHost: hostTime != nil)
        figures.waits(because: tries.latestCode)
    }

    private func reason(_ error: SessionError, _ trouble: HostOutage?) -> String {
        trouble?.reason == .noNetwork ? TransportErrors.noNetwork(error.message) : error.message
    }

    // MARK: - Decisions

    /// The retries of this transfer; none where its caller decides when to ask again.
    fileprivate var maximumRetries: Int {
        description.request.options?.isTriedOnce == true ? 0 : core.configuration.maximumRetries
    }

    private var policy: RetryPolicy {
        let configuration = core.configuration
        var policy = RetryPolicy(maximumRetries: maximumRetries)
        policy.outagePatience = Deadlines.milliseconds(configuration.outagePatience)
        policy.networkPatience = configuration.networkPatience.map(Deadlines.milliseconds)
        policy.timeLimit = configuration.maximumRetryTime.map(Deadlines.milliseconds)
        return policy
    }

    private func failure(_ error: SessionError, _ delay: Int64?, mayBeStored: Bool) -> RetryControl.Failure {
        var asked = RetryPolicy.Failure(error: error, request: description.request)
        (asked.retryAfterMilliseconds, asked.lacksDescriptor) = (delay, error.lacksDescriptor)
        asked.canReplaceBody = mayRepeatBody
        // Behind a redirect the first server has already received the request.
        asked.nothingWasSent =
            upload?.machine.mayRepeat == true
            || error.hasReachedNoServer && asking.redirects.hops == 0 && isBodyAtStart
        asked.wasReached = answer.head != nil || handler.received > 0 || core.hosts.wasReached(host)
        return RetryControl.Failure(policy: asked, mayBeStored: mayBeStored, canRestart: handler.canRestart)
    }
}

/// Attempts' evidence about their host, for all transfers that use it.
extension Transfer {
    /// Reports to the host's board what a failed attempt says about it, and returns what that costs this transfer; nil
    /// where it says nothing.
    func judgeHost(
        by error: SessionError, _ attempt: Attempt, askedWait: Int64?
    ) -> (trouble: HostOutage?, charge: HostAvailability.Charge?) {
        let evidence = failureEvidence(error, attempt, askedWait)
        if evidence.isRefusal { core.hostRefused(self, begunAt: attempt.begunAt) }
        let trouble = trouble(by: evidence)
        let charge = trouble.map { core.hostFailed(self, $0) }
        if trouble == nil, core.isProbe(self) { core.hostShowed(attempt.isAnswered ? .answered : .connected, by: self) }
        return (trouble, charge)
    }

    /// Returns what a failure says about the host; nil where it says nothing, and where retries are off.
    private func trouble(by evidence: FailureEvidence) -> HostOutage? {
        guard maximumRetries > 0, let trouble = evidence.trouble(hasRoute: core.network.hasRoute) else { return nil }
        // A host may refuse one file and still serve others.
        let isOfOthers =
            trouble.reason == .busy && !core.isProbe(self) && core.hosts.isOwnRefusal(host, of: id, now: core.now)
        return isOfOthers ? nil : trouble
    }

    private func failureEvidence(
        _ error: SessionError, _ attempt: Attempt, _ askedWait: Int64?
    ) -> FailureEvidence {
        var evidence = FailureEvidence(error)
        (evidence.isAnswered, evidence.isConnected) = (attempt.isAnswered, attempt.isConnected)
        evidence.hasOwnConnection = !attempt.sockets.opened.isEmpty
        evidence.exceededOwnLimit = attempt.watches.stall?.exceededOwnLimit == true
        (evidence.asksItsHost, evidence.hasOtherSources) = (asksItsHost, hasOtherSources)
        evidence.isLocal = isLocal(attempt)
        evidence.address = attempt.peerAddress(host: hostName)
        evidence.stead = attempt.plan.connection.flatMap { RequestRoute(to: request.url, options: $0.options).stead }
        evidence.askedWait = askedWait
        return evidence
    }

    /// Whether the attempt stayed on this machine, so that it needs no network.
    func isLocal(_ attempt: Attempt) -> Bool { attempt.isLocal(host: hostName) }

    /// Reports to the host's board what a response's head shows.
    func showHost(_ head: ResponseHead) {
        guard asksItsHost else { return }
        let shown = HeadEvidence(head)
        core.hostShowed(shown.evidence, by: self)
        core.hosts.answered(host)
        if shown.isServed { core.hosts.hasServed(host, now: core.now) }
        if !core.allowances.isEmpty, shown.isWelcoming { core.hostAnswered(self) }
    }

    /// Returns what the current attempt shows of the host before a response; nil for nothing.
    ///
    /// - Parameter welcome: whether a body whose bytes the peer receives counts as a response.
    func evidence(welcome: Bool) -> HostAvailability.Evidence? {
        guard let attempt, asksItsHost, attempt.handle.hasSentRequest else { return nil }
        if attempt.sent > 0, bytesArrived(of: attempt) > 0 { return welcome ? .answered : .moving }
        // The server has the request, and may take as long as it likes to answer it.
        if attempt.awaitedSince(now: core.now) != nil, attempt.watches.stall?.answerLimit == nil { return .moving }
        // A reused connection may be dead.
        return attempt.sockets.opened.isEmpty ? nil : .connected
    }

    /// Updates the time of the host's next attempt; nil when one is about to start.
    func hostIsAskedAgain(at time: Int64?) {
        figures.waits(until: time ?? core.now)
        figures.waitsForHost(core.hosts.availability(of: host)?.trouble?.reason)
        enqueueStatus()
    }

    /// Handles the network's return: a transfer that waited for it retries now, and so does a stalled one that loses
    /// nothing with its connection, because a dead connection is noticed late.
    func networkIsBack() {
        if machine.state == .backingOff, !tries.waitsForHost {
            switch figures.status.retryCause {
            case .unknownHost, .connectionRefused, .networkUnreachable, .timedOut, .stalled, .connectionLost: retryDue()
            default: break
            }
        } else if let attempt, attempt.watches.stall?.isStanding(now: core.now) == true,
            handler.resumability == .yes || attempt.source == nil && !attempt.isAnswered && mayBeSentAgain
        {
            core.recordEnd(of: attempt, result: CURLE_OPERATION_TIMEDOUT)
        }
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

    /// Whether a source other than the one that has just failed may be used now.
    private var hasOpenSource: Bool { connectionsIfAny?.hasOpenSource == true }

    /// Makes a source whose server may be used the lead and takes a slot there, if the present lead's server may not be
    /// used; without effect when no server can be reached at all.
    ///
    /// Only for a download that has neither a connection nor a slot.
    func goAround() {
        guard attempt == nil, let reason = reasonToGoAround, handler.sources != nil,
            let detour = connections.detour()
        else { return }
        core.leaveHost(self)
        move(to: detour.host)
        connections.take(detour, because: reason)
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

extension SessionError {
    /// Whether a server may do this only because it was asked for ranges, or by several connections.
    fileprivate var mayBeOfManyConnections: Bool {
        switch code {
        case .http, .badResponse, .noContent, .truncated, .redirectRefused, .tooManyRedirects, .unexpectedContent,
            .connectionLost, .stalled:
            !isOfOwnFiles
        default: false
        }
    }

    /// Whether no connection was made, so that no server has received the request.
    fileprivate var hasReachedNoServer: Bool {
        switch code {
        case .unknownHost, .connectionRefused, .networkUnreachable, .timedOut: true
        case .internal: lacksDescriptor && curlCode == Int(CURLE_COULDNT_CONNECT.rawValue)
        default: false
        }
    }
}
