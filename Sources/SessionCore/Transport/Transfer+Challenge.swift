/// What a server wants to be shown, and what it shows: questions for the caller.
extension Transfer {
    // MARK: - Credentials

    /// Holds a response that asks for credentials while the caller decides; false when it is an answer like any other.
    ///
    /// Only 401 is asked about: no proxy is ever used, so a 407 comes from a server that has no right to ask.
    func askForCredentials(_ head: ResponseHead, _ attempt: Attempt) -> Bool {
        guard description.asksForChallenge, head.statusCode == 401, let origin = try? Origin(request.url) else {
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

    /// What judges the server of the current request; nil where libcurl's own rules are all that is asked for.
    func makeTrustReview() -> TrustReview? {
        let settings = description.trust?.current
        guard settings != nil || description.asksForChallenge else { return nil }
        guard let origin = try? Origin(request.url), origin.scheme == "https" else { return nil }
        switch trustVerdicts[origin] {
        case .key(let digest): return TrustReview(.key(digest), origin: origin)
        case .policy: return settings.map { TrustReview(.policy($0), origin: origin) }
        case nil:
            if description.asksForChallenge { return TrustReview(.question, origin: origin) }
            return settings.map { TrustReview(.policy($0), origin: origin) }
        }
    }

    /// Asks the caller about a certificate; nothing was sent to its server yet.
    func ask(_ challenge: EngineChallenge) {
        let reply: @Sendable (EngineChallengeAnswer) -> Void = question { $0.takeTrust($1, challenge) }
        core.emit(.challenge(id, challenge, reply: reply))
    }

    private func takeTrust(_ answer: EngineChallengeAnswer, _ challenge: EngineChallenge) {
        undecidedTrust = nil
        let origin = Origin(scheme: challenge.scheme, host: challenge.host, port: challenge.port)
        guard case .serverTrust(let chain, _, _) = challenge.kind else { return }
        switch answer {
        case .acceptTrust, .useCredentials:
            guard let key = chain.first.flatMap(Certificates.keyDigest(of:)) else { return refuseTrust(chain) }
            trustVerdicts[origin] = .key(key)
            prepareRequest()
        case .performDefault:
            trustVerdicts[origin] = .policy
            prepareRequest()
        case .rejectProtectionSpace:
            refuseTrust(chain)
        case .cancel:
            cancelOnAnswer()
            prepared(.ready)
        }
    }

    private func refuseTrust(_ chain: [[UInt8]]) {
        var error = SessionError(
            .certificate, "The certificate of \(hostName) cannot be trusted", failingURL: request.url)
        error.peerCertificates = chain
        fail(error)
    }
}
