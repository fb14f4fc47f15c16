import CCurl

/// Whether a server is believed, and what it is shown where it wants a certificate: decided between two handshakes, before
/// anything is sent to it.
extension Transfer {
    /// Chains shown to one transfer in a row that its caller is asked about.
    private static let trustQuestionLimit = 3

    /// What judges the server of the current request; nil where libcurl's own rules are all that is asked for.
    func makeTrustReview(_ attempt: Attempt) -> TrustReview? {
        let url = attempt.requestTarget?.request.url ?? request.url
        guard attempt.requestTarget?.isEncrypted ?? isEncrypted, attempt.plan.connection?.acceptsAnyCertificate != true
        else {
            return nil
        }
        let rules =
            description.arrangement.trust?.rules(for: (try? Origin(url))?.host) ?? TrustSettings.Rules()
        guard rules.custom != nil || asks(.challenge), let origin = try? Origin(url) else {
            return nil
        }
        if asks(.challenge) { return TrustReview(.caller(core.trustMemory, rules), origin: origin) }
        return rules.custom.map { TrustReview(.policy($0), origin: origin) }
    }

    /// Asks the caller about a chain, unless that is being done or was done meanwhile; nothing was sent to its server
    /// yet.
    func askAboutTrust(_ question: TrustReview.Question) {
        switch core.trustMemory.meet(question.subject, id) {
        case .goOn:
            trustIsDecided()
            prepareRequest()
        case .wait: break
        case .ask:
            askCaller(question)
        }
    }

    private func askCaller(_ question: TrustReview.Question) {
        guard asking.trust.questionCount < Self.trustQuestionLimit else {
            leaveTrust()
            return refuseTrust(question)
        }
        asking.trust.questionCount += 1
        let reply: @Sendable (EngineChallengeAnswer) -> Void = self.question(.trust) { $0.trustAnswered($1, question) }
        core.emit(.challenge(id, question.challenge, reply: reply))
    }

    /// The transfer that asked before this one has its answer, or none that counts for others.
    private func trustTurn() {
        guard let question = asking.trust.undecided, machine.openQuestion == .trust else { return }
        if core.trustMemory.verdict(about: question.subject) == nil { return askCaller(question) }
        trustIsDecided()
        prepareRequest()
    }

    /// The verdict of another transfer's caller counts for this one too.
    private func trustIsDecided() {
        asking.trust.undecided = nil
        _ = answered(.trust)
    }

    /// Leaves the line of transfers that ask about a chain or wait for the answer.
    func leaveTrust() {
        guard let question = asking.trust.undecided else { return }
        asking.trust.undecided = nil
        guard let next = core.trustMemory.leave(question.subject, id) else { return }
        core.transfer(next)?.trustTurn()
    }

    private func trustAnswered(_ answer: EngineChallengeAnswer, _ question: TrustReview.Question) {
        if case .clientCertificate = question.challenge.kind { return certificateAnswered(answer, question) }
        switch answer {
        case .acceptTrust, .useCredentials: decideTrust(.accepted, question)
        case .performDefault, .showCertificate: decideTrust(.policy, question)
        case .rejectProtectionSpace:
            leaveTrust()
            refuseTrust(question)
        case .cancel: cancelTrust()
        }
    }

    /// The caller has a certificate for the server, or none.
    private func certificateAnswered(_ answer: EngineChallengeAnswer, _ question: TrustReview.Question) {
        switch answer {
        case .showCertificate(let certificate): decideTrust(.shows(certificate), question)
        case .performDefault, .acceptTrust, .useCredentials, .rejectProtectionSpace: decideTrust(.shows(nil), question)
        case .cancel: cancelTrust()
        }
    }

    private func cancelTrust() {
        leaveTrust()
        cancelOnAnswer()
        prepared(.ready)
    }

    private func decideTrust(_ verdict: TrustVerdict, _ question: TrustReview.Question) {
        asking.trust.undecided = nil
        let others = core.trustMemory.remember(verdict, about: question.subject).filter { $0 != id }
        prepareRequest()
        for other in others { core.transfer(other)?.trustTurn() }
    }

    private func refuseTrust(_ question: TrustReview.Question) {
        guard case .serverTrust = question.challenge.kind else {
            return fail(CurlFailure.error(CURLE_SSL_CLIENTCERT, url: request.url, host: hostName, systemError: 0))
        }
        var error = SessionError(
            .certificate, CurlFailure.distrust(of: hostName, problem: question.problem), failingURL: request.url)
        if case .serverTrust(let chain, _, _) = question.challenge.kind { error.peerCertificates = chain }
        fail(error)
    }

    /// Takes what the caller has given to show to the server for an attempt.
    func showGivenCertificate(_ attempt: Attempt) throws(SessionError) {
        guard let given = attempt.plan.trust?.givenCertificate, attempt.plan.connection?.clientCertificate == nil else {
            return
        }
        if attempt.plan.connection == nil {
            attempt.plan.connection = try ConnectionSettings(
                SharedOptions(RequestOptions()), url: request.url,
                hasLeftOrigin: asking.redirects.context.hasLeftOrigin, turn: 0)
        }
        attempt.plan.connection?.givenCertificate = given
    }

    /// Forgets what the caller has given, or that it has nothing, when the server goes on with neither: the next transfer asks
    /// again.
    func reviewGivenCertificate(_ attempt: Attempt, _ error: SessionError) {
        guard error.code == .tls, let subject = attempt.plan.trust?.certificateSubject else { return }
        core.trustMemory.forget(subject)
    }
}
