import CCurl

/// What the caller decides: the response, credentials, a server's certificates, a redirect. The machine knows which
/// question is open; here stands what an answer leads to.
extension Transfer {
    /// A reply for somebody else's thread: the answer is taken on the loop, unless nobody waits for it any more.
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

    /// Asks what an attempt has to wait for.
    func put(_ question: CallerQuestion) {
        switch question {
        case .redirect:
            guard let redirect = redirects.undecided else { return prepareRequest() }
            core.emit(.redirect(id, redirect.head, to: redirect.request, needsConsent: redirect.refusal != nil))
        case .trust:
            guard let question = trust.undecided else { return prepareRequest() }
            askAboutTrust(question)
        case .proxy:
            guard let question = proxies.undecided else { return prepareRequest() }
            ask(question)
        // These come up while an attempt is on the wire, or while the next one is made.
        case .disposition, .credentials, .body: prepareRequest()
        }
    }

    /// Waits for an answer no more.
    func withdraw(_ question: CallerQuestion) {
        switch question {
        case .redirect: redirects.undecided = nil
        case .trust: leaveTrust()
        case .proxy: proxies.undecided = nil
        case .disposition, .credentials, .body: break
        }
    }

    /// Keeps a response back, and its end, until the caller has decided; the number identifies the answer.
    func holdResponse(of attempt: Attempt, toAsk question: CallerQuestion) -> Int {
        attempt.pause.insert(.decision)
        return pose(question)
    }

    // MARK: - The response

    /// The caller has decided about the response of a question.
    func decide(_ disposition: ResponseDisposition, question: Int) {
        guard machine.isOpen(number: question), !answer.becameDownload else { return }
        switch disposition {
        case .allow:
            proceed()
        case .cancel:
            control.setWish(.cancelled(keepsPart: true))
            reconcile()
        case .becomeDownload:
            guard let head = answer.head, let attempt, attempt.received == 0 else { return proceed() }
            answer.becameDownload = true
            let writer = makeWriter(nil)
            writer.isOfSeenAnswer = true
            handler = writer
            // The response stays held until storage has made a place for it.
            writer.prepare { [weak self] in self?.becomeDownload($0, writer, head, attempt) }
        }
    }

    private func becomeDownload(
        _ preparation: Preparation, _ writer: DownloadWriter, _ head: ResponseHead, _ attempt: Attempt
    ) {
        if self.attempt === attempt {
            switch preparation {
            case .ready, .nothingToTransfer:
                writer.judge(head, of: attempt)
                undoCodings(of: head, attempt)
                if attempt.verdict != .accepted { keepPage(attempt) }
            case .failed(let error): turnDown(attempt, then: .fail(error), keepingPage: false)
            }
        }
        proceed()
    }

    /// Lets a held response go on, or its end take effect that came meanwhile.
    func proceed() {
        _ = answered(.disposition) || answered(.credentials)
        if let attempt, let result = attempt.heldBackEnd {
            attempt.heldBackEnd = nil
            attemptEnded(attempt, result: result)
        } else {
            unpause(.decision)
        }
    }

    // MARK: - Credentials

    /// Holds a response that asks for credentials while the caller decides; false when it is an answer like any other.
    ///
    /// A server has no right to answer 407, so that is a proxy's question only where there is one.
    func askForCredentials(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        if head.statusCode == 407 { return askForProxy(head, attempt) }
        if head.statusCode == 401, renewCredentials(head, attempt) || answerChallenge(head, attempt) { return true }
        guard head.statusCode == 401, asks(.challenge), let origin = try? Origin(request.url) else {
            return false
        }
        let offers = offers(of: head)
        credentials.recordChallenge(from: origin)
        guard !offers.isEmpty, credentials.refusals(by: origin) < OriginCredentials.refusalLimit else { return false }
        attempt.pause.insert(.decision)
        ask(offers[...], origin: origin, head)
        return true
    }

    /// The offers of a server that the request can answer.
    func offers(of head: ResponseHead) -> [AuthenticationOffer] {
        AuthenticationOffer.supported(head.headers.values(named: "WWW-Authenticate"), for: request.body)
    }

    /// Asks again with what the server knows already, when it only wants it newer.
    private func renewCredentials(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        guard !credentials.isEmpty, mayRepeatBody, let origin = try? Origin(request.url),
            !(redirects.context.hasLeftOrigin && credentials.answerSource(for: origin) == .options),
            credentials.renew(from: offers(of: head), origin)
        else { return false }
        turnDown(attempt, then: .authenticate, keepingPage: false)
        return true
    }

    /// Asks about the first of the schemes that are left.
    private func ask(_ offers: ArraySlice<AuthenticationOffer>, origin: Origin, _ head: ResponseHead) {
        guard let offer = offers.first else { return declineCredentials(head) }
        let challenge = EngineChallenge(
            kind: .credentials(scheme: offer.scheme, isProxy: false), scheme: origin.scheme, host: origin.host,
            port: origin.port, realm: offer.realm, previousFailures: credentials.refusals(by: origin))
        let reply: @Sendable (EngineChallengeAnswer) -> Void = question(.credentials) { transfer, answer in
            switch answer {
            case .performDefault, .acceptTrust, .showCertificate: transfer.declineCredentials(head)
            case .rejectProtectionSpace: transfer.ask(offers.dropFirst(), origin: origin, head)
            case .cancel: transfer.cancelOnAnswer()
            case .useCredentials(let user, let password):
                transfer.useCredentials(HTTPCredentials(offer: offer, user: user, password: password), origin)
            }
        }
        core.emit(.challenge(id, challenge, reply: reply))
    }

    private func useCredentials(_ given: HTTPCredentials, _ origin: Origin) {
        credentials.give(given, to: origin)
        guard let attempt else { return }
        turnDown(attempt, then: .authenticate, keepingPage: false)
        proceed()
    }

    /// The response is the answer after all.
    func declineCredentials(_ head: ResponseHead) {
        guard let attempt else { return }
        accept(head, attempt)
        if !machine.isResponseHeld { proceed() }
    }

    func cancelOnAnswer() {
        control.setWish(.cancelled(keepsPart: true))
        reconcile()
    }
}

/// A redirect that waits for the caller's decision.
struct UndecidedRedirect: Sendable, Equatable {
    /// The head that redirects.
    var head: ResponseHead
    /// What would be sent next.
    var request: TransferRequest
    /// What the transfer fails with unless somebody allows the redirect; nil where none has to.
    var refusal: SessionError?
}

/// Redirects: whether they are followed, and what goes along.
extension Transfer {
    /// Decides what a redirect leads to; false when it is an answer like any other.
    func judgeRedirect(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        redirects.context.canReplaceBody = mayRepeatBody
        let jar = attempt.connection?.options.cookies
        let decision = RedirectPolicy.decide(head, to: request, context: redirects.context) {
            Self.cookies(for: $0, from: jar)
        }
        switch decision {
        case .leadsNowhere where handler.takesEveryStatus: return false
        case .notARedirect:
            return false
        case .follow(let next):
            follow(next, head, of: attempt, refusal: nil)
        case .needsConsent(let next, let refusal) where asks(.redirect):
            follow(next, head, of: attempt, refusal: refusal)
        case .needsConsent(_, let error), .refuse(let error), .leadsNowhere(let error):
            turnDown(attempt, then: .fail(error), keepingPage: true)
        }
        return true
    }

    private func follow(_ next: TransferRequest, _ head: ResponseHead, of attempt: Attempt, refusal: SessionError?) {
        metrics.recordEarlier([head])
        let redirect = UndecidedRedirect(head: head, request: next, refusal: refusal)
        turnDown(attempt, then: .follow(redirect), keepingPage: asks(.redirect))
    }

    /// Applies the caller's decision about a redirect; nil makes the redirect itself the answer.
    func redirect(to next: TransferRequest?) {
        guard answered(.redirect) else { return }
        redirects.undecided = nil
        guard let next else {
            if metrics.earlierHeads.last == answer.head { metrics.earlierHeads.removeLast() }
            prepared(answer.head.map { handler.endsWithRedirect($0) } ?? .nothingToTransfer)
            return
        }
        moveOn(to: next)
        prepareRequest()
    }

    /// Fails with a redirect that needs consent and did not get it.
    func refuseRedirect() {
        guard let refusal = redirects.undecided?.refusal, answered(.redirect) else { return }
        redirects.undecided = nil
        if metrics.earlierHeads.last == answer.head { metrics.earlierHeads.removeLast() }
        fail(refusal)
    }

    /// Goes one hop further with the next attempt.
    func moveOn(to next: TransferRequest) {
        redirects.context.hops += 1
        redirects.context.visited.insert(RedirectPolicy.visitKey(request, cookies: redirects.context.cookies))
        if (try? Origin(request.url)) != (try? Origin(next.url)) { redirects.context.hasLeftOrigin = true }
        request = next
        core.emit(.hop(id, next))
    }

    /// Goes back to the original URL for the next attempt: redirect targets expire.
    func startOver() {
        request = handler.sources.map(leadRequest) ?? description.request
        if let replacement = body.replacement { request.body = replacement }
        if redirects.context.hops > 0 { core.emit(.hop(id, request)) }
        redirects.context = RedirectPolicy.Context()
        if let sources = handler.sources, sources.board.lead != 0 {
            redirects.context.hasLeftOrigin = (try? Origin(request.url)) != (try? Origin(description.request.url))
        }
        metrics.earlierHeads = []
        if upload != nil { turnToUpload() }
    }
}
