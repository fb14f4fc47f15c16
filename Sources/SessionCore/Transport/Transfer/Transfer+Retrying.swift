import CCurl
import SessionSupport

/// Trying again after an attempt that failed.
extension Transfer {
    /// Whether another try may follow an answer that asks to come back later.
    func mayTryAgain(after error: SessionError, delay: Int64?, _ attempt: Attempt) -> Bool {
        tries.mayTryAgain(
            after: failure(error, delay, mayBeStored: mayBeStored(after: error, isGiven: hasGivenAll(attempt))), policy,
            now: core.now)
    }

    /// Tries again after a failed attempt, or fails with its error.
    func retry(_ error: SessionError, afterMilliseconds delay: Int64?, after attempt: Attempt, madeProgress: Bool) {
        if leadIsReplaced(delay: delay) { return perform(end: .again) }
        let (trouble, charge) = tellHost(of: error, attempt, askedWait: delay)
        var failure = failure(
            error, delay, mayBeStored: mayBeStored(after: error, isGiven: attempt.end.hasGivenAll))
        failure.keepsProgress = madeProgress && handler.resumability != .no
        failure.charge = charge
        failure.lacksNetwork = trouble?.reason == .noNetwork
        if core.hosts.availability(of: host)?.isHeld == true {
            failure.hostWait = max((core.hostIsAskedAgain(for: self) ?? core.now) - core.now, 0)
        }
        failure.hasOpenSource = hasOpenSource
        let step = tries.failed(failure, policy, now: core.now, random: Double.random(in: 0..<1))
        let reason = reason(error, trouble)
        if step.givesUpHost { core.giveUpHost(of: self) }
        switch step.next {
        case .fail:
            if charge == nil, goesOnAlone(after: error) { return perform(end: .again) }
            var last = error
            last.message = failure.mayBeStored ? TransportErrors.bodyMayBeStored(reason) : reason
            record(last)
            return perform(end: .failed)
        case .waitForHost:
            let time = core.hostIsAskedAgain(for: self) ?? core.now
            prepareToWait(error, milliseconds: max(time - core.now, 0), forHost: true)
        case .wait(let milliseconds):
            let place = core.retrySpacing.takePlace(at: host, now: core.now)
            prepareToWait(error, milliseconds: milliseconds + place, forHost: false)
        }
        core.emit(.retrying(id, attempt: tries.withoutProgress, afterMilliseconds: tries.delay, reason: reason))
        perform(end: .retry)
    }

    /// Whether one connection follows where several have failed.
    func goesOnAlone(after error: SessionError) -> Bool {
        guard error.mayBeOfManyConnections, handler.goesOnAlone(after: error) else { return false }
        endBranches()
        answer.page = nil
        figures.metrics.recordFailedAttempt()
        startOver()
        return true
    }

    private func prepareToWait(_ error: SessionError, milliseconds: Int64, forHost: Bool) {
        answer.page = nil
        tries.wait(milliseconds: milliseconds, forHost: forHost)
        if handler.resumability == .no, handler.received > 0 {
            let reason = [error.message, handler.resumeRefusal].compactMap { $0 }.joined(separator: ". ")
            handler.restart(keepingPart: false)
            core.emit(.restarted(id, reason: reason))
        }
        figures.metrics.recordFailedAttempt()
        startOver()
        figures.status.retryCause = error.code
    }

    /// Whether something is left of the wait that its server has asked for, in which it was paused.
    var mustWait: Bool {
        machine.state == .parked && tries.askedUntil > core.now && !hasOpenSource && !control.rank.ignoresLimits
    }

    /// Waits before the next attempt.
    func startRetryTimer() {
        if figures.status.retryCause == nil { resumeWait() }
        if tries.waitsForHost {
            core.waitForHost(self)
            figures.status.backoffReason = core.hosts.availability(of: host)?.trouble?.reason
        } else {
            core.setDeadline(.retry(id), afterMilliseconds: tries.delay)
        }
        figures.status.retryAt = core.now + tries.delay
    }

    /// Takes up a wait again that a pause has ended.
    private func resumeWait() {
        let hostTime = core.hostIsAskedAgain(for: self)
        tries.wait(milliseconds: max((hostTime ?? tries.askedUntil) - core.now, 0), forHost: hostTime != nil)
        figures.status.retryCause = tries.latestCode
    }

    private func reason(_ error: SessionError, _ trouble: HostOutage?) -> String {
        trouble?.reason == .noNetwork ? TransportErrors.noNetwork(error.message) : error.message
    }

    // MARK: - Decisions

    private var policy: RetryPolicy {
        let configuration = core.configuration
        var policy = RetryPolicy(maximumRetries: configuration.maximumRetries)
        policy.outagePatience = Deadlines.milliseconds(configuration.outagePatience)
        policy.networkPatience = configuration.networkPatience.map(Deadlines.milliseconds)
        policy.timeLimit = configuration.maximumRetryTime.map(Deadlines.milliseconds)
        return policy
    }

    private func failure(_ error: SessionError, _ delay: Int64?, mayBeStored: Bool) -> RetryControl.Failure {
        var asked = RetryPolicy.Failure(error: error, request: description.request)
        asked.retryAfterMilliseconds = delay
        asked.canReplaceBody = mayRepeatBody
        // Behind a redirect the first server has had the request.
        asked.nothingWasSent =
            upload?.machine.mayRepeat == true
            || error.hasReachedNoServer && asking.redirects.context.hops == 0 && isBodyAtStart
        asked.wasReached = answer.head != nil || handler.received > 0 || core.hosts.wasReached(host)
        return RetryControl.Failure(policy: asked, mayBeStored: mayBeStored, canRestart: handler.canRestart)
    }
}

/// What attempts tell of the host, for all who want something of it.
extension Transfer {
    /// Tells what a failed attempt says of its host, and what that costs this transfer; nil where it says nothing.
    @discardableResult
    func tellHost(
        of error: SessionError, _ attempt: Attempt, askedWait: Int64?
    ) -> (trouble: HostOutage?, charge: HostAvailability.Charge?) {
        if isRefusal(error, attempt) { core.hostRefused(self, begunAt: attempt.begunAt) }
        let trouble = trouble(of: error, attempt, askedWait: askedWait)
        let charge = trouble.map { core.hostFailed(self, $0) }
        if trouble == nil, core.isProbe(self) { core.hostShowed(attempt.isAnswered ? .answered : .connected, by: self) }
        return (trouble, charge)
    }

    /// What a failure says about the host; nil where it says nothing, where nothing is tried again anyway, and where the
    /// attempt was led elsewhere.
    private func trouble(of error: SessionError, _ attempt: Attempt, askedWait: Int64?) -> HostOutage? {
        guard core.configuration.maximumRetries > 0 else { return nil }
        guard asksItsHost else { return missingNetwork(error, attempt) }
        let address = address(of: attempt)
        var trouble = HostOutage(error, isAnswered: attempt.isAnswered, askedWait: askedWait) {
            isLocal(attempt) || core.network.hasRoute(address)
        }
        // What one file is refused others may get.
        if trouble?.reason == .busy, !core.isProbe(self), core.hosts.isOwnRefusal(host, of: id, now: core.now) {
            return nil
        }
        trouble?.address = address
        trouble?.unreached = unreached(error, attempt)
        return trouble
    }

    /// Who could not be connected to in the server's stead; nil where the failure is not that.
    private func unreached(_ error: SessionError, _ attempt: Attempt) -> String? {
        guard let connection = attempt.plan.connection, !attempt.isConnected,
            [.unknownHost, .connectionRefused, .networkUnreachable, .timedOut].contains(error.code)
        else { return nil }
        return RequestRoute(to: request.url, options: connection.options).stead
    }

    /// What a failure of another source says where there is no network at all, for which nobody is to blame.
    private func missingNetwork(_ error: SessionError, _ attempt: Attempt) -> HostOutage? {
        guard hasOtherSources, !isLocal(attempt) else { return nil }
        let trouble = HostOutage(error, isAnswered: attempt.isAnswered, askedWait: nil) { core.network.hasRoute(nil) }
        return trouble?.reason == .noNetwork ? trouble : nil
    }

    /// Whether a host says by a failure that it has enough to do: by a status, or by cutting a connection unanswered.
    ///
    /// A cut behind the beginning of an answer says that of the network instead.
    private func isRefusal(_ error: SessionError, _ attempt: Attempt) -> Bool {
        guard asksItsHost else { return false }
        if error.code == .http { return error.statusCode == 429 || error.statusCode == 503 }
        // A connection that was there before may have been cut for having been idle.
        return error.code == .connectionLost && !attempt.isAnswered && !attempt.sockets.opened.isEmpty
    }

    /// Where an attempt went, in digits; nil where only a name is known.
    private func address(of attempt: Attempt) -> String? {
        if let address = cc_get_string(attempt.handle.raw, CURLINFO_PRIMARY_IP), address.pointee != 0 {
            return String(cString: address)
        }
        guard attempt.plan.connection?.proxy == nil else { return nil }
        let name = hostName
        if name.hasPrefix("[") { return name.contains("%") ? nil : String(name.dropFirst().dropLast()) }
        return name.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") } ? name : nil
    }

    /// Whether an attempt stayed on this machine, which needs no network.
    func isLocal(_ attempt: Attempt) -> Bool {
        if attempt.plan.connection?.options.unixSocket != nil { return true }
        guard attempt.plan.connection?.proxy == nil else { return false }
        let name = hostName
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// A head has come: the host is there, unless it asks to be left alone.
    func showHost(_ head: ResponseHead) {
        guard asksItsHost else { return }
        let isBusy = head.statusCode == 429 || head.statusCode == 503 && head.headers["Retry-After"] != nil
        let isServed = head.statusCode < 400
        core.hostShowed(isBusy ? .moving : isServed ? .served : .answered, by: self)
        core.hosts.answered(host)
        if isServed { core.hosts.hasServed(host, now: core.now) }
        if !core.allowances.isEmpty, !isBusy, head.statusCode != 503 { core.hostAnswered(self) }
    }

    /// What the attempt under way shows of the host before it is answered; nil for nothing.
    ///
    /// - Parameter welcome: whether a body that is taken counts as an answer by now.
    func evidence(welcome: Bool) -> HostAvailability.Evidence? {
        guard let attempt, asksItsHost, attempt.handle.hasSentRequest else { return nil }
        if attempt.sent > 0, bytesArrived(of: attempt) > 0 { return welcome ? .answered : .moving }
        // It has the request, and may think about it for as long as it likes.
        if awaitedSince(attempt) != nil, attempt.watches.stall?.answerLimit == nil { return .moving }
        // A connection that was there before may be dead.
        return attempt.sockets.opened.isEmpty ? nil : .connected
    }

    /// The time at which somebody asks the host again is another one; nil when somebody is about to.
    func hostIsAskedAgain(at time: Int64?) {
        figures.status.retryAt = time ?? core.now
        figures.status.backoffReason = core.hosts.availability(of: host)?.trouble?.reason
        enqueueStatus()
    }

    /// There is a way to the network again: a transfer that waits because there was none goes on now, and so does one that
    /// stands still and loses nothing with its connection, which would take its time to notice.
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

extension SessionError {
    /// Whether a server may say or do this only because it was asked for parts, or by several connections.
    fileprivate var mayBeOfManyConnections: Bool {
        switch code {
        case .http, .badResponse, .noContent, .truncated, .redirectRefused, .tooManyRedirects, .unexpectedContent,
            .connectionLost, .stalled:
            !isOfOwnFiles
        default: false
        }
    }

    /// Whether no connection was made, so that nobody has had the request.
    fileprivate var hasReachedNoServer: Bool {
        switch code {
        case .unknownHost, .connectionRefused, .networkUnreachable, .timedOut: true
        default: false
        }
    }
}
