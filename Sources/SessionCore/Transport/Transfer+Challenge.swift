/// What a server wants to be shown, and what it shows: questions for the caller.
extension Transfer {
    // MARK: - Credentials

    /// Holds a response that asks for credentials while the caller decides; false when it is an answer like any other.
    ///
    /// Only 401 is asked about: no proxy is ever used, so a 407 comes from a server that has no right to ask.
    func askForCredentials(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        guard head.statusCode == 401, description.asksForChallenge, let origin = try? Origin(request.url) else {
            return false
        }
        let offers = AuthenticationOffer.supported(head.headers.values(named: "WWW-Authenticate"))
        credentials.noteChallenge(from: origin)
        guard !offers.isEmpty, credentials.refusals(by: origin) < OriginCredentials.refusalLimit else { return false }
        attempt.pause.insert(.decision)
        awaitsCredentials = true
        ask(offers[...], origin: origin, head)
        return true
    }

    /// Asks about the first of the schemes that are left.
    private func ask(_ offers: ArraySlice<AuthenticationOffer>, origin: Origin, _ head: ResponseHead) {
        guard let offer = offers.first else { return declineCredentials(head) }
        let challenge = EngineChallenge(
            kind: .credentials(scheme: offer.scheme, isProxy: false), scheme: origin.scheme, host: origin.host,
            port: origin.port, realm: offer.realm, previousFailures: credentials.refusals(by: origin))
        let reply: @Sendable (EngineChallengeAnswer) -> Void = question { transfer, answer in
            switch answer {
            case .performDefault, .acceptTrust: transfer.declineCredentials(head)
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
        settle(attempt, .authenticate, keepingPage: false)
        proceed()
    }

    /// The response is the answer after all.
    private func declineCredentials(_ head: ResponseHead) {
        guard let attempt else { return }
        awaitsCredentials = false
        accept(head, attempt)
        if !awaitsDisposition { proceed() }
    }

    private func cancelOnAnswer() {
        awaitsCredentials = false
        control.setWish(.cancelled(keepsPart: true))
        reconcile()
    }

    // MARK: - Trust

    /// Chains shown to one transfer in a row that its caller is asked about.
    private static let trustQuestionLimit = 3

    /// What judges the server of the current request; nil where libcurl's own rules are all that is asked for.
    func makeTrustReview() -> TrustReview? {
        guard isEncrypted else { return nil }
        let rules = description.trust?.rules ?? TrustSettings.Rules()
        guard rules.custom != nil || description.asksForChallenge, let origin = try? Origin(request.url) else {
            return nil
        }
        if description.asksForChallenge { return TrustReview(.caller(core.trustMemory, rules), origin: origin) }
        return rules.custom.map { TrustReview(.policy($0), origin: origin) }
    }

    /// Asks the caller about a chain, unless that is being done or was done meanwhile; nothing was sent to its server yet.
    func ask(_ question: TrustReview.Question) {
        switch core.trustMemory.meet(question.subject, id) {
        case .goOn:
            undecidedTrust = nil
            prepareRequest()
        case .wait:
            _ = nextQuestion()
        case .ask:
            askCaller(question)
        }
    }

    private func askCaller(_ question: TrustReview.Question) {
        guard trustQuestions < Self.trustQuestionLimit else {
            leaveTrust()
            return refuseTrust(question)
        }
        trustQuestions += 1
        let reply: @Sendable (EngineChallengeAnswer) -> Void = self.question { $0.takeTrust($1, question) }
        core.emit(.challenge(id, question.challenge, reply: reply))
    }

    /// The transfer that asked before this one has its answer, or none that counts for others.
    private func trustTurn() {
        guard let question = undecidedTrust, openQuestion != nil else { return }
        openQuestion = nil
        if core.trustMemory.verdict(about: question.subject) == nil { return askCaller(question) }
        undecidedTrust = nil
        prepareRequest()
    }

    /// Does not ask and does not wait any more.
    func leaveTrust() {
        guard let question = undecidedTrust else { return }
        undecidedTrust = nil
        guard let next = core.trustMemory.leave(question.subject, id) else { return }
        core.transfer(next)?.trustTurn()
    }

    private func takeTrust(_ answer: EngineChallengeAnswer, _ question: TrustReview.Question) {
        switch answer {
        case .acceptTrust, .useCredentials: settleTrust(.accepted, question)
        case .performDefault: settleTrust(.policy, question)
        case .rejectProtectionSpace:
            leaveTrust()
            refuseTrust(question)
        case .cancel:
            leaveTrust()
            cancelOnAnswer()
            prepared(.ready)
        }
    }

    private func settleTrust(_ verdict: TrustVerdict, _ question: TrustReview.Question) {
        undecidedTrust = nil
        let others = core.trustMemory.settle(question.subject, verdict).filter { $0 != id }
        prepareRequest()
        for other in others { core.transfer(other)?.trustTurn() }
    }

    private func refuseTrust(_ question: TrustReview.Question) {
        var error = SessionError(
            .certificate, "The certificate of \(hostName) cannot be trusted", failingURL: request.url)
        if case .serverTrust(let chain, _, _) = question.challenge.kind { error.peerCertificates = chain }
        fail(error)
    }
}
