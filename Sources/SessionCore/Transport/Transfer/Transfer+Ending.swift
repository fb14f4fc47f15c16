import CCurl

/// The end of an attempt: what it means, and what follows.
extension Transfer {
    /// Decides the next step for an attempt that libcurl has finished.
    func attemptEnded(_ attempt: Attempt, result: CURLcode) {
        switch attempt.work {
        case .lead: leadEnded(attempt, result: result)
        case .branch: if let branch = attempt.branch { connections.branchEnded(branch, attempt, result: result) }
        case .probe: if let probe = attempt.probe { connections.probeEnded(probe, attempt, result: result) }
        case .part: upload?.connections?.ended(attempt, result: result)
        case .none: break
        }
    }

    private func leadEnded(_ attempt: Attempt, result: CURLcode) {
        guard self.attempt === attempt else { return }
        let result = attempt.hasEndedAtHead ? CURLE_OK : result
        if upload?.isGivenUp == true { return removalEnded(attempt) }
        if machine.isResponsePending {
            return attempt.withhold(result)
        }
        // A server that is too slow sends a little each time, which would count as progress and be retried forever.
        let wasTooSlow = attempt.watches.stall?.wasTooSlow == true
        // The window does not go on behind a pause.
        handler.segments?.speed = wasTooSlow || machine.isHolding ? nil : attempt.watches.stall?.speed
        let madeProgress = !wasTooSlow && tries.madeProgress(to: handler.received)
        attempt.ended(
            Attempt.End.Facts(
                leavesConnection: result == CURLE_OK && answer.head != nil, hasGivenAll: hasGivenAll(attempt),
                isCutInCoding: attempt.plan.decodesBody && (attempt.sink as? DecodingSink)?.isComplete == false))
        if result != CURLE_OK { recordSent(by: attempt) }
        detach(attempt)
        if machine.isHolding { upload?.connections?.endAll() }
        if result == CURLE_OK {
            figures.sent(sentBytes(upload?.connections == nil ? attempt.sent : 0), isAll: attempt.isBodyOut)
        }
        let next = interpret(attempt, result: result)
        if case .complete = next {} else if attempt.verdict == .accepted { handler.attemptBroke() }
        perform(next, after: attempt, madeProgress: madeProgress)
    }

    /// Records what the peer has received of an attempt that breaks off: statuses are published now and then, and a fast
    /// body may end before the first.
    func recordSent(by attempt: Attempt) {
        guard attempt.source != nil else { return }
        figures.sent(sentBytes(max(attempt.sent - core.bytesInFlight(for: attempt), 0)), isAll: false)
    }

    private func interpret(_ attempt: Attempt, result: CURLcode) -> NextStep {
        switch EndSteps.verdict(on: EndedAttempt(self, attempt, result)) {
        case .bodyEnded: handler.bodyEnded()
        case .failed: failed(attempt, result)
        case .next(let next): next
        }
    }

    /// Returns the step after a failure reported by libcurl: no retry if a local file is missing or invalid, or if both
    /// sides speak other versions of TLS.
    private func failed(_ attempt: Attempt, _ result: CURLcode) -> NextStep {
        if attempt.plan.connection != nil, triesNextEndpoint(after: attempt, result) { return .useNewConnection }
        let least = core.options(of: request.sharedOptions)?.values.leastSpeed
        let error = AttemptFailure(attempt, result, url: request.url, host: hostName, least: least).error
        reviewGivenCertificate(attempt, error)
        let isOwnEndpoint = attempt.plan.connection?.hasFailedHere(result) ?? false
        let isLasting = error.isOfOwnFiles || isOwnEndpoint || attempt.handle.lacksCommonVersion(result)
        return isLasting ? .fail(error) : .retry(error, afterMilliseconds: nil)
    }

    var hostName: String { (try? Origin(request.url))?.host ?? displayHost }

    // MARK: - Next steps

    private func perform(_ next: NextStep, after attempt: Attempt, madeProgress: Bool) {
        guard let sources = handler.sources else {
            return carryOut(next, after: attempt, madeProgress: madeProgress)
        }
        switch connections.review(next, sources, of: attempt, madeProgress: madeProgress) {
        case .again:
            // Bytes that were given up since are no progress.
            if madeProgress, handler.resumability != .no, tries.madeProgress(to: handler.received) { tries.brokeOff() }
            perform(end: .again)
        case .carryOut(let next, let failure):
            carryOut(next, after: attempt, madeProgress: madeProgress, of: failure)
        }
    }

    /// - Parameter source: the failure of the attempt's source, where the file has several and each has failed.
    private func carryOut(
        _ next: NextStep, after attempt: Attempt, madeProgress: Bool, of source: SourceFailure? = nil
    ) {
        switch next {
        case .complete:
            perform(end: .bodyComplete)
        case .fail(let error):
            if goesOnAlone(after: error) { return perform(end: .again) }
            record(error)
            perform(end: .failed)
        case .nextRange:
            if handOver() { return }
            tries.succeeded()
            startOver()
            perform(end: .again)
        case .restart(let reason):
            handler.restart(keepingPart: true)
            answer.dropPage()
            core.emit(.restarted(id, reason: reason))
            startOver()
            perform(end: .again)
        case .takeBack(let reason):
            connections.takeBack(because: reason)
            answer.dropPage()
            startOver()
            perform(end: .again)
        case .useNewConnection, .compared:
            perform(end: .again)
        case .uploadAnswer:
            carryOut(stepAfterBody(of: attempt), after: attempt, madeProgress: madeProgress)
        case .uploadStep(let reason):
            takeUploadStep(restarts: reason)
            perform(end: .again)
        case .authenticate, .sendUnasked:
            if let head = answer.head { figures.recordEarlier([head]) }
            perform(end: .again)
        case .askForTrust(let question):
            perform(end: .askFirst(.trust(question)))
        case .askForProxy(let question):
            perform(end: .askFirst(.proxy(question)))
        case .follow(let next):
            moveOn(to: next)
            perform(end: .again)
        case .retry(let error, let delay):
            retry(error, afterMilliseconds: delay, after: attempt, madeProgress: madeProgress, of: source)
        }
    }
}

/// The interface through which the connections beside the lead reach their transfer.
extension Transfer: DownloadOwner {
    var isTransferring: Bool { machine.state == .transferring }

    var isHolding: Bool { machine.isHolding }

    var leadTarget: RequestTarget {
        RequestTarget(
            request, original: description.request, core.options(of: description.request.sharedOptions)?.values,
            hasLeftOrigin: asking.redirects.hasLeftOrigin)
    }

    /// Whether the request goes to the origin whose slot the transfer has, so that responses and failures count for it.
    var asksItsHost: Bool {
        guard home.isAway else { return !asking.redirects.hasLeftOrigin }
        return (try? Origin(request.url)).map { "\($0)" } == home.origin
    }

    func begin(
        _ work: Attempt.Work, adding fields: HeaderFields, to target: RequestTarget?
    ) throws(SessionError) -> Attempt {
        try begin(work, makeMessage(adding: fields, to: target), to: target)
    }

    func furtherError(of attempt: Attempt, _ result: CURLcode, systemError: Int) -> SessionError {
        CurlFailure.error(
            result, url: attempt.requestTarget?.request.url ?? request.url,
            host: attempt.requestTarget?.displayHost ?? hostName,
            proxy: attempt.plan.connection?.proxy, proxyError: attempt.handle.proxyError, systemError: systemError,
            words: attempt.handle.failureWords)
    }

    func tellHost(of error: SessionError, _ attempt: Attempt, askedWait: Int64?) {
        _ = judgeHost(by: error, attempt, askedWait: askedWait)
    }

    func leadFailed() {
        answer.dropPage()
        figures.recordFailedAttempt()
    }

    // MARK: - The lead's successor

    /// Makes the branch that the lead has reached the new lead; returns false if none can be.
    func handOver() -> Bool {
        guard isTransferring, let connections = connectionsIfAny, let (branch, attempt) = connections.promote() else {
            return false
        }
        take(attempt)
        if connections.takeLead(at: branch.source), let target = attempt.requestTarget {
            ask(target.request)
            asking.turn(to: target)
        }
        (handler as? any SegmentedHandler)?.takeOver(branch, attempt)
        tries.succeeded()
        figures.takeOver()
        enqueueFigures()
        watchForStall()
        connections.balance()
        enqueueStatus()
        return true
    }

    /// Whether a failed lead is replaced at once, while the other connections continue.
    func leadIsReplaced(delay: Int64?) -> Bool {
        guard delay == nil, isTransferring, handler.segments != nil, handler.resumability == .yes,
            connections.carriesOn
        else { return false }
        startOver()
        return true
    }
}

/// The end of a transfer.
extension Transfer {
    func announce(_ ending: TransferStateMachine.Ending) {
        publishStatus(isDone: ending == .completed)
        if let data = handler.takePendingData() {
            // The counts go first, so that they cover all delivered bytes.
            core.emit(.status(id, figures.status))
            core.emit(.data(id, data))
        }
        figures.end(ending)
        control.publish(figures.status)
        let outcome = makeOutcome(ending)
        core.emit(.finished(id, outcome, body: answer.page?.takeBody() ?? handler.takeBody()))
        core.forget(self)
    }

    private func makeOutcome(_ ending: TransferStateMachine.Ending) -> TransferOutcome {
        var result = handler.result
        // A response with an error status completes the transfer, and the parts stay.
        if let remains = upload?.machine.remains { result.note = remains }
        if let url = asking.bodyLeftAt {
            let status = figures.status
            result.note = RedirectErrors.bodyLeft(
                status.sent, of: status.expectedToSend, at: url, answeredBy: request.url)
        }
        return TransferOutcome(
            error: error(of: ending, result), head: answer.head, result: result,
            metrics: figures.metrics, status: figures.status)
    }

    private func error(of ending: TransferStateMachine.Ending, _ result: BodyResult) -> SessionError? {
        var error: SessionError
        switch ending {
        case .completed: return nil
        case .failed: error = failure ?? SessionError(.internal, TaskErrors.noReason)
        case .cancelled: error = SessionError(.cancelled, TaskErrors.cancelled)
        }
        if error.failingURL == nil { error.failingURL = request.url }
        if result.hasNoFile { error.partPath = nil }
        if let keptPart = result.resumeData?.partPath ?? result.keptPartPath { error.partPath = keptPart }
        return error
    }
}
