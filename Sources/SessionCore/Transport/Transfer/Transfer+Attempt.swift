import CCurl

/// The life of an attempt: sends the request, judges the response's head, interprets the end.
extension Transfer {
    // MARK: - Start

    func startAttempt() {
        if upload?.connections?.leadGoesOn() == true { return }
        secureRequest()
        do throws(SessionError) {
            let message = try makeMessage()
            let length = upload?.machine.content.length ?? (message.body == nil ? 0 : message.body?.length)
            figures.send(behind: sentBytes(0), of: asking.makesCollection ? figures.status.expectedToSend : length)
            tries.begin(at: handler.received)
            let attempt = try begin(.lead, message)
            take(attempt)
            figures.beginAttempt(at: core.now, with: message.shownFields(overHTTP2: attempt.plan.allowsHTTP2))
            enqueueFigures()
            watchForStall()
            upload?.connections?.balance()
        } catch {
            var error = error
            error.failingURL = error.failingURL ?? request.url
            if let sources = handler.sources,
                case .again = connections.review(.fail(error), sources, of: nil, madeProgress: false)
            {
                return perform(end: .again)
            }
            if waitsForDescriptor(error) { return perform(end: .retry) }
            fail(error)
        }
    }

    /// Begins an attempt of any kind.
    ///
    /// - Parameter requestTarget: the server and request, where they differ from the transfer's own.
    func begin(
        _ work: Attempt.Work, _ message: RequestMessage, to requestTarget: RequestTarget? = nil
    ) throws(SessionError) -> Attempt {
        let identity = identity(of: requestTarget)
        let handshake = identity.handshake
        let attempt = try Attempt(
            of: id, owner: self, at: core.now, parser: parser(of: identity.request, skipsHandshake: handshake != nil),
            source: work.role.sendsBody ? message.body : nil, requestTarget: requestTarget, work: work,
            plan: plan(work.role, message, requestTarget, handshake))
        try configure(attempt, message, to: identity.sentURL())
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
        if role == .part { return upload?.connections?.judge(head, of: attempt) ?? attempt.endAtHead() }
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
        answer.hear(head)
        figures.answered(statusCode: head.statusCode)
        recordConnection(of: attempt)
        if head.statusCode != 407 { asking.passedProxy() }
        showHost(head)
        if let cookies = attempt.plan.connection?.options.cookies {
            cookies.store(head.headers.values(named: "Set-Cookie"), from: request.url)
        }
        // What a server asks for over a connection that anybody may have made does not count (RFC 6797, 8.1).
        if isEncrypted, let connection = attempt.plan.connection, !connection.acceptsAnyCertificate {
            connection.options.transport.secureHosts?.store(
                head.headers.values(named: "Strict-Transport-Security"), from: request.url)
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
        case .askForAll:
            asking.askForAll()
            turnDown(attempt, then: .sendUnasked, keepingPage: false)
        case .redirect(let next, let refusal): follow(next, head, of: attempt, refusal: refusal)
        case .challenge(let challenge): meet(challenge, head, attempt)
        case .proxy(let challenge): meet(challenge, head, attempt)
        case .uploadStep(let reason): refuse(attempt, then: .uploadStep(restarts: reason))
        case .uploadAnswer: readAnswer(of: attempt)
        case .later(let error, let delay): refuse(attempt, then: .retry(error, afterMilliseconds: delay))
        case .refused(let error): refuse(attempt, then: .fail(error))
        case .useNewConnection:
            core.distrust(attempt.connectionName)
            turnDown(attempt, then: .useNewConnection, keepingPage: false)
            enqueueStatus()
        case .unread(let error):
            // Reading the rest of the response would cost more than a new connection.
            attempt.fail(error)
            enqueueStatus()
        case .body(let body): take(body, head, attempt)
        case .headAlone(let answer):
            attempt.endAtHead()
            asking.refuseExpectation()
            act(on: answer, head, attempt)
            if attempt.verdict == .accepted { attempt.decide(.complete) }
        case .range(let verdict): connections.act(on: verdict, head, attempt)
        case .block(let verdict): connections.act(on: verdict, attempt)
        }
    }

    /// Handles a redirect: the next request of the lead, the branch or the probe goes to its target.
    func follow(_ next: TransferRequest, _ head: ResponseHead, of attempt: Attempt, refusal: SessionError?) {
        if let further = attempt.work.further {
            attempt.endAtHead()
            return further.follow(next, from: attempt.requestTarget?.request ?? request)
        }
        guard asks(.redirect) else { return turnDown(attempt, toFollow: next, head) }
        ask(about: UndecidedRedirect(head: head, request: next, refusal: refusal), attempt)
    }

    /// Refuses a response and keeps its body for the outcome.
    func refuse(_ attempt: Attempt, then next: NextStep) {
        // What a server says to the removal of an upload is no response to the upload.
        turnDown(attempt, then: next, keepingPage: upload?.isRemoval != true)
        enqueueStatus()
    }

    private func take(_ body: BodyVerdict, _ head: ResponseHead, _ attempt: Attempt) {
        let handler = handler
        handler.take(body, head, of: attempt)
        limitSize(of: attempt, head)
        undoCodings(of: head, attempt)
        if isEncrypted, (try? BodyLength(head, method: request.method)) == .untilClose {
            attempt.watches.awaitClosing(of: attempt.handle)
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
        answer.keep(sink)
    }
}
