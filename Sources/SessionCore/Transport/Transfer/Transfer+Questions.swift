/// The questions to the caller: the response, credentials, a server's certificates, a redirect.
///
/// The state machine knows which question is open; this extension carries out the caller's reply.
extension Transfer {
    /// Returns a reply closure for another thread: the loop takes the answer, unless the question is no longer open.
    func question<Answer: Sendable>(
        _ question: CallerQuestion, _ take: @escaping @Sendable (Transfer, Answer) -> Void
    ) -> @Sendable (Answer) -> Void {
        let number = pose(question)
        let loop = core.loop
        let id = id
        return { answer in
            loop.run { core in
                guard let transfer = core.transfer(id), transfer.answered(number: number) else { return }
                take(transfer, answer)
            }
        }
    }

    /// Asks the question that the next attempt waits for.
    func put(_ question: CallerQuestion) {
        switch question {
        case .trust(let question): askAboutTrust(question)
        case .proxy(let question): ask(question)
        // These are asked during an attempt, or while the next one is prepared.
        case .disposition, .credentials, .redirect, .body: prepareRequest()
        }
    }

    /// Withdraws the question that was open when the transfer began to end.
    func withdraw(_ question: CallerQuestion) {
        switch question {
        case .trust(let question): leaveTrust(question)
        case .redirect, .proxy, .disposition, .credentials, .body: break
        }
    }

    /// Withholds a response and its end until the caller has decided; the number identifies the answer.
    func holdResponse(of attempt: Attempt, toAsk question: CallerQuestion) -> Int {
        attempt.hold(.decision)
        return pose(question)
    }

    // MARK: - The response

    /// Applies the caller's decision about the response; does nothing if that question is no longer open.
    func decide(_ disposition: ResponseDisposition, question: Int) {
        guard machine.isOpen(number: question), !answer.becameDownload else { return }
        switch disposition {
        case .allow:
            proceed()
        case .cancel:
            control.setIntent(.cancelled(keepsPart: true))
            reconcile()
        case .becomeDownload:
            guard let head = answer.head, let attempt, attempt.received == 0 else { return proceed() }
            answer.becomeDownload()
            let writer = makeWriter(nil)
            writer.isOfSeenAnswer = true
            hand(to: writer)
            // The response is withheld until storage has created the file.
            writer.prepare { [weak self] in self?.becomeDownload($0, writer, head, attempt) }
        }
    }

    private func becomeDownload(
        _ preparation: Preparation, _ writer: DownloadWriter, _ head: ResponseHead, _ attempt: Attempt
    ) {
        if self.attempt === attempt {
            switch preparation {
            case .ready, .nothingToTransfer:
                if case .body(let body) = AnswerSteps.body(head, AnsweredAttempt(self, attempt)) {
                    writer.take(body, head, of: attempt)
                }
                undoCodings(of: head, attempt)
                if attempt.verdict != .accepted { keepPage(attempt) }
            case .failed(let error): turnDown(attempt, then: .fail(error), keepingPage: false)
            }
        }
        proceed()
    }

    /// Resumes a withheld response, or handles an end that arrived in between.
    func proceed() {
        if machine.isResponsePending { answered() }
        if let attempt, let result = attempt.takeWithheldResult() {
            attemptEnded(attempt, result: result)
        } else {
            unpause(.decision)
        }
    }

    // MARK: - Credentials

    /// Carries out what ``AnswerSteps/challenge`` has judged: repeats the request, gets a ticket or asks the caller.
    func meet(_ challenge: ServerChallenge, _ head: ResponseHead, _ attempt: Attempt) {
        switch challenge {
        case .again(let known):
            asking.remember(known)
            if let further = attempt.work.further, let request = attempt.requestTarget?.request {
                further.follow(request, from: request)
                return attempt.endAtHead()
            }
            turnDown(attempt, then: .authenticate, keepingPage: false)
        case .ticket(let offer, let origin): getTicket(offer, attempt, origin)
        case .ask(let offers, let origin, let known):
            asking.remember(known)
            attempt.hold(.decision)
            ask(
                CredentialQuestion(
                    .server(origin), offers: offers, refusals: known.refusals(by: origin), otherwise: .response(head)))
        }
    }

    func cancelOnAnswer() {
        control.setIntent(.cancelled(keepsPart: true))
        reconcile()
    }
}

/// Kerberos tickets (RFC 4559): the response waits until a ticket has been obtained.
extension Transfer {
    /// Gets a ticket, and repeats the request with it.
    ///
    /// Each ticket is good for one request, so every later challenge gets a new one. The wait is modelled as a
    /// question to the caller, so that pausing and cancelling end it.
    func getTicket(_ offer: AuthenticationOffer, _ attempt: Attempt, _ origin: Origin) {
        attempt.hold(.decision)
        let reply: @Sendable (Result<String, SessionError>) -> Void = question(.credentials) { transfer, result in
            transfer.gotTicket(result, for: offer, origin)
        }
        NegotiateTicket.get(host: origin.host, reply)
    }

    private func gotTicket(_ result: Result<String, SessionError>, for offer: AuthenticationOffer, _ origin: Origin) {
        guard let attempt else { return }
        switch result {
        case .success(let ticket):
            asking.give(
                HTTPCredentials(offer: offer, user: "", password: ticket), to: origin, from: .options)
            turnDown(attempt, then: .authenticate, keepingPage: false)
        case .failure(var error):
            error.failingURL = request.url
            error.statusCode = 401
            turnDown(attempt, then: .fail(error), keepingPage: true)
        }
        proceed()
    }
}

/// Redirects: the next request of the lead, once the caller has decided or need not.
extension Transfer {
    /// Withholds a redirect until the caller has decided, so that the response of a refused one still has its body.
    func ask(about redirect: UndecidedRedirect, _ attempt: Attempt) {
        _ = holdResponse(of: attempt, toAsk: .redirect(redirect))
        core.emit(.redirect(id, redirect.head, to: redirect.request, needsConsent: redirect.refusal != nil))
    }

    /// Applies the caller's decision about a redirect; nil makes the redirect itself the response.
    func redirect(to next: TransferRequest?) {
        guard case .redirect(let redirect)? = machine.openQuestion, let attempt else { return }
        answered()
        let context = AnsweredAttempt(self, attempt).redirects
        if let next, let refusal = redirect.refusal,
            !RedirectPolicy.lifts(refusal, next, insteadOf: redirect.request, context: context)
        {
            refuse(attempt, then: .fail(refusal))
        } else if let next {
            follow(next, redirect.head, attempt)
        } else if handler.takesEveryStatus {
            accept(redirect.head, attempt)
        } else {
            refuse(attempt, then: .fail(ResumePolicy.statusError(redirect.head)))
        }
        if !machine.isResponsePending { proceed() }
    }

    /// Follows a redirect to the request that the caller has given, unless its URL cannot be requested.
    private func follow(_ next: TransferRequest, _ head: ResponseHead, _ attempt: Attempt) {
        do throws(SessionError) {
            _ = try ParsedURL(next.url)
            turnDown(attempt, toFollow: next, head)
        } catch {
            refuse(attempt, then: .fail(error))
        }
    }

    /// Fails with a redirect that needs consent and did not get it.
    func refuseRedirect() {
        guard case .redirect(let redirect)? = machine.openQuestion, let refusal = redirect.refusal, let attempt else {
            return
        }
        answered()
        refuse(attempt, then: .fail(refusal))
        proceed()
    }

    /// Refuses a redirect as the response; the next attempt goes to its target.
    func turnDown(_ attempt: Attempt, toFollow next: TransferRequest, _ head: ResponseHead) {
        figures.recordEarlier([head])
        turnDown(attempt, then: .follow(next), keepingPage: false)
    }

    /// Sends the next attempt to a redirect's target.
    func moveOn(to next: TransferRequest) {
        asking.moveOn(from: request, to: next, isUpload: description.kind == .upload)
        if request.body != .none, next.body == .none { figures.leaveBody() }
        ask(next)
        core.emit(.hop(id, next))
    }

    /// Returns to the original URL for the next attempt, because redirect targets expire.
    func startOver() {
        let earlier = request.url
        ask(handler.sources.map { $0.leadRequest(description.request) } ?? description.request)
        if let replacement = asking.body.replacement {
            send(replacement, insteadOf: description.arrangement.pipedBody)
        }
        let isElsewhere = handler.sources != nil && request.url != earlier
        if asking.redirects.hops > 0 || isElsewhere { core.emit(.hop(id, request)) }
        let isOfOtherSource = handler.sources.map { $0.board.lead != 0 } ?? false
        asking.startOver(
            at: isOfOtherSource ? request.url : description.request.url, insteadOf: description.request.url)
        figures.forgetEarlier()
        if upload != nil { turnToUpload() }
    }
}
