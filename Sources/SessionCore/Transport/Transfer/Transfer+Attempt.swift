import CCurl

/// The life of an attempt: sends the request, judges the response's head, interprets the end.
extension Transfer {
    // MARK: - Start

    func startAttempt() {
        do throws(SessionError) {
            let message = try makeMessage()
            figures.status.sent = uploadBase
            tries.begin(at: handler.received)
            figures.status.expectedToSend =
                upload?.machine.content.length ?? (message.body == nil ? 0 : message.body?.length)
            let attempt = try begin(.lead, message)
            take(attempt)
            figures.metrics.beginAttempt(at: core.now)
            figures.metrics.requestHeaders = message.shownFields(overHTTP2: attempt.plan.allowsHTTP2)
            enqueueFigures()
            watchForStall()
        } catch {
            var error = error
            error.failingURL = error.failingURL ?? request.url
            if let sources = handler.sources, case .again = review(.fail(error), sources, of: nil, madeProgress: false)
            {
                return perform(end: .again)
            }
            fail(error)
        }
    }

    /// Begins an attempt of any kind.
    ///
    /// - Parameter requestTarget: the server and request, where they differ from the transfer's own.
    func begin(
        _ work: Attempt.Work, _ message: RequestMessage, to requestTarget: RequestTarget? = nil
    ) throws(SessionError) -> Attempt {
        let request = requestTarget?.request ?? request
        var source: (any BodySource)?
        if case .lead = work { source = message.body }
        let attempt = try Attempt(
            of: id, owner: self, at: core.now, parser: HeaderParser(url: request.url, cache: core.recent.headerLines),
            source: source, requestTarget: requestTarget, work: work)
        if attempt.role == .lead {
            attempt.plan.expectsContinue = message.expectsContinue
            attempt.plan.decodesBody = message.decodesBody
        }
        if let options = core.options(of: request.sharedOptions) { try prepare(attempt, options) }
        attempt.plan.trust = makeTrustReview(attempt)
        if attempt.role == .lead { try showGivenCertificate(attempt) }
        try configure(attempt, message)
        try core.start(attempt)
        return attempt
    }

    // MARK: - Head

    /// Whether the first bytes on a reused connection can answer this request; otherwise records the next step.
    ///
    /// A server cannot answer a request it has not received, and any packet it sends acknowledges all it received
    /// before. While a body is being sent, only unacknowledged bytes in excess of the body prove that the head has not
    /// arrived; encrypted bytes cannot be told apart.
    func isAnswer(of attempt: Attempt) -> Bool {
        guard attempt.source == nil || !attempt.isEncrypted && attempt.source?.length != nil,
            core.bytesInFlight(for: attempt) > attempt.sent
        else { return true }
        core.distrust(attempt.connectionName)
        if mayBeSentAgain {
            attempt.decide(.useNewConnection)
        } else {
            attempt.fail(SessionError(.badResponse, ResponseErrors.unsolicited(hostName)))
        }
        return false
    }

    /// Whether the request may be sent again even if the server has received it.
    var mayBeSentAgain: Bool { description.request.isIdempotent && request.body.isReplayable }

    /// Called inside libcurl's header callback with the final head, so it only decides and records the next step.
    func judge(_ head: ResponseHead, of attempt: Attempt) {
        let role = attempt.role
        let facts = AnsweredAttempt(self, attempt)
        if role == .lead {
            hear(head, attempt)
        } else {
            attempt.hear()
            guard facts.isWanted else { return attempt.endAtHead() }
        }
        act(on: AnswerSteps.verdict(on: head, role, facts), head, attempt)
    }

    /// Records the parts of a head that do not depend on its meaning.
    private func hear(_ head: ResponseHead, _ attempt: Attempt) {
        (answer.head, answer.page) = (head, nil)
        figures.status.statusCode = head.statusCode
        recordConnection(of: attempt)
        showHost(head)
        if let cookies = attempt.plan.connection?.options.cookies {
            cookies.store(head.headers.values(named: "Set-Cookie"), from: request.url)
        }
    }

    /// Accepts a head as the response without further questions.
    func accept(_ head: ResponseHead, _ attempt: Attempt) {
        act(on: AnswerSteps.answer(head, AnsweredAttempt(self, attempt)), head, attempt)
    }

    private func act(on verdict: AnswerVerdict, _ head: ResponseHead, _ attempt: Attempt) {
        switch verdict {
        case .sendUnasked:
            attempt.endAtHead()
            asking.refuseExpectation()
            turnDown(attempt, then: .sendUnasked, keepingPage: false)
        case .redirect(let next, let refusal): follow(next, head, of: attempt, refusal: refusal)
        case .challenge(let challenge): meet(challenge, head, attempt)
        case .proxy(let challenge): meet(challenge, head, attempt)
        case .uploadStep(let reason): refuse(attempt, then: .uploadStep(restarts: reason))
        case .later(let error, let delay): refuse(attempt, then: .retry(error, afterMilliseconds: delay))
        case .refused(let error): refuse(attempt, then: .fail(error))
        case .useNewConnection:
            core.distrust(attempt.connectionName)
            turnDown(attempt, then: .useNewConnection, keepingPage: false)
            enqueueStatus()
        case .tooLarge(let error):
            // Reading the rest of the response would cost more than a new connection.
            attempt.fail(error)
            enqueueStatus()
        case .body(let body): take(body, head, attempt)
        case .headAlone(let answer):
            attempt.endAtHead()
            asking.refuseExpectation()
            act(on: answer, head, attempt)
            if attempt.verdict == .accepted { attempt.decide(.complete) }
        case .range(let verdict): act(on: verdict, head, attempt)
        case .block(let verdict): act(on: verdict, attempt)
        }
    }

    /// Refuses a response and keeps its body for the outcome.
    private func refuse(_ attempt: Attempt, then next: NextStep) {
        turnDown(attempt, then: next, keepingPage: true)
        enqueueStatus()
    }

    private func take(_ body: BodyVerdict, _ head: ResponseHead, _ attempt: Attempt) {
        let handler = handler
        handler.take(body, head, of: attempt)
        limitSize(of: attempt)
        undoCodings(of: head, attempt)
        if isEncrypted, (try? BodyLength(head, method: request.method)) == .untilClose {
            attempt.watches.closing = Closing(of: attempt.handle)
        }
        if attempt.verdict == .accepted {
            tries.bodyBegins(at: handler.received)
            headAccepted()
            let isAsked = !answer.becameDownload && asks(.disposition)
            let question = isAsked ? holdResponse(of: attempt, toAsk: .disposition) : nil
            core.emit(.response(id, head, question: question))
            if handler.resumedAt > 0, handler.segments.map({ $0.branches.isEmpty }) ?? true {
                core.emit(.resumedAtOffset(id, offset: handler.resumedAt, expectedTotal: handler.expected))
            }
        } else if attempt.sink == nil {
            keepPage(attempt)
        }
        enqueueStatus()
    }

    /// Decodes an accepted body before its sink, if the request asked for a content coding.
    func undoCodings(of head: ResponseHead, _ attempt: Attempt) {
        guard attempt.plan.decodesBody, attempt.verdict == .accepted, let sink = attempt.sink,
            BodyLength.isEncoded(head)
        else { return }
        do throws(SessionError) {
            attempt.turnBody(to: try DecodingSink.undoing(try ContentCoding.codings(of: head), before: sink))
        } catch {
            attempt.fail(error)
        }
    }

    /// Refuses a head as the response and records the next step.
    func turnDown(_ attempt: Attempt, then next: NextStep, keepingPage: Bool) {
        attempt.decide(next, readingInto: MemorySink(limit: 64 << 10, truncates: true))
        if keepingPage { keepPage(attempt) }
    }

    /// Reads an unwanted body to its end if it is short, so that the connection can be reused.
    func keepPage(_ attempt: Attempt) {
        let sink = MemorySink(limit: 64 << 10, truncates: true)
        attempt.turnBody(to: sink)
        answer.page = sink
    }

    // MARK: - End

    /// Decides the next step for an attempt that libcurl has finished.
    func attemptEnded(_ attempt: Attempt, result: CURLcode) {
        switch attempt.work {
        case .lead: leadEnded(attempt, result: result)
        case .branch: if let branch = attempt.branch { branchEnded(branch, attempt, result: result) }
        case .probe: if let probe = attempt.probe { probeEnded(probe, attempt, result: result) }
        case .none: break
        }
    }

    private func leadEnded(_ attempt: Attempt, result: CURLcode) {
        guard self.attempt === attempt else { return }
        if machine.isResponsePending {
            attempt.end.deferredResult = result
            return
        }
        // A server that is too slow sends a little each time, which would count as progress and be retried forever.
        let wasTooSlow = attempt.watches.stall?.wasTooSlow == true
        let madeProgress = !wasTooSlow && tries.madeProgress(to: handler.received)
        attempt.end.leavesConnection = result == CURLE_OK && answer.head != nil
        attempt.end.hasGivenAll = hasGivenAll(attempt)
        if attempt.plan.decodesBody { attempt.end.isCutInCoding = (attempt.sink as? DecodingSink)?.isComplete == false }
        detach(attempt)
        if result == CURLE_OK { figures.status.sent = uploadBase + attempt.sent }
        let next = interpret(attempt, result: result)
        if case .complete = next {} else if attempt.verdict == .accepted { handler.attemptBroke() }
        perform(next, after: attempt, madeProgress: madeProgress)
    }

    private func interpret(_ attempt: Attempt, result: CURLcode) -> NextStep {
        switch EndSteps.verdict(on: EndedAttempt(self, attempt, result)) {
        case .bodyEnded: handler.bodyEnded()
        case .failed: failed(attempt, result)
        case .next(let next): next
        }
    }

    /// Returns the error for a branch or a probe that failed in libcurl.
    func furtherError(of attempt: Attempt, _ result: CURLcode, systemError: Int = 0) -> SessionError {
        CurlFailure.error(
            result, url: attempt.requestTarget?.request.url ?? request.url,
            host: attempt.requestTarget?.displayHost ?? hostName,
            proxy: attempt.plan.connection?.proxy, proxyError: attempt.handle.proxyError, systemError: systemError,
            words: attempt.handle.failureWords)
    }

    /// Returns the step after a failure reported by libcurl: no retry if a local file is missing or invalid.
    private func failed(_ attempt: Attempt, _ result: CURLcode) -> NextStep {
        if attempt.plan.connection != nil, triesNextEndpoint(after: attempt, result) { return .useNewConnection }
        let least = core.options(of: request.sharedOptions)?.values.leastSpeed
        let error = AttemptFailure(attempt, result, url: request.url, host: hostName, least: least).error
        reviewGivenCertificate(attempt, error)
        let isOwnEndpoint = attempt.plan.connection?.hasFailedHere(result) ?? false
        return error.isOfOwnFiles || isOwnEndpoint ? .fail(error) : .retry(error, afterMilliseconds: nil)
    }

    var hostName: String { (try? Origin(request.url))?.host ?? displayHost }

    // MARK: - Next steps

    private func perform(_ next: NextStep, after attempt: Attempt, madeProgress: Bool) {
        guard let sources = handler.sources else {
            return carryOut(next, after: attempt, madeProgress: madeProgress)
        }
        switch review(next, sources, of: attempt, madeProgress: madeProgress) {
        case .again: perform(end: .again)
        case .carryOut(let next): carryOut(next, after: attempt, madeProgress: madeProgress)
        }
    }

    private func carryOut(_ next: NextStep, after attempt: Attempt, madeProgress: Bool) {
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
            answer.page = nil
            core.emit(.restarted(id, reason: reason))
            startOver()
            perform(end: .again)
        case .takeBack(let reason):
            if !handler.takeBack() { core.emit(.restarted(id, reason: reason)) }
            answer.page = nil
            startOver()
            perform(end: .again)
        case .useNewConnection, .compared:
            perform(end: .again)
        case .uploadStep(let reason):
            takeUploadStep(restarts: reason)
            perform(end: .again)
        case .authenticate, .sendUnasked:
            if let head = answer.head { figures.metrics.recordEarlier([head]) }
            perform(end: .again)
        case .askForTrust(let question):
            asking.trust.undecided = question
            perform(end: .askFirst(.trust))
        case .askForProxy(let question):
            asking.proxies.undecided = question
            perform(end: .askFirst(.proxy))
        case .follow(let redirect):
            if asks(.redirect) {
                asking.redirects.undecided = redirect
                perform(end: .askFirst(.redirect))
            } else {
                moveOn(to: redirect.request)
                perform(end: .again)
            }
        case .retry(let error, let delay):
            retry(error, afterMilliseconds: delay, after: attempt, madeProgress: madeProgress)
        }
    }
}
