/// A question to the caller for credentials, one scheme of a challenge after the other.
///
/// The transfer asks with ``challenge`` and carries out the ``Reply``.
struct CredentialQuestion: Sendable, Equatable {
    enum Asker: Sendable, Equatable {
        case server(Origin)
        case proxy(Proxy)
    }

    /// The verdict if the caller gives no credentials.
    enum Fallback: Sendable, Equatable {
        /// The response with the challenge is the task's.
        case response(ResponseHead)
        /// The proxy makes no tunnel, so that there is no response.
        case failure(SessionError)
    }

    /// The next step after the caller's answer.
    enum Reply: Sendable, Equatable {
        /// The request is repeated with credentials.
        case show(HTTPCredentials)
        /// The caller is asked about the next scheme.
        case askAgain(CredentialQuestion)
        /// The fallback counts.
        case decline
        case cancel
    }

    let asker: Asker
    /// The offers left to ask about.
    private var offers: ArraySlice<AuthenticationOffer>
    /// The number of times that credentials were refused.
    private let refusals: Int
    let fallback: Fallback

    init(_ asker: Asker, offers: [AuthenticationOffer], refusals: Int, otherwise fallback: Fallback) {
        (self.asker, self.offers, self.refusals, self.fallback) = (asker, offers[...], refusals, fallback)
    }

    /// Whether the question comes before the next attempt, so that no response depends on it.
    var isBeforeAttempt: Bool { if case .failure = fallback { true } else { false } }

    /// The challenge about the first scheme left; nil if the caller has been asked about all of them.
    var challenge: EngineChallenge? {
        guard let offer = offers.first else { return nil }
        let (scheme, host, port, isProxy) =
            switch asker {
            case .server(let origin): (origin.scheme, origin.host, origin.port, false)
            case .proxy(let proxy): (proxy.scheme.rawValue, proxy.host, proxy.port, true)
            }
        return EngineChallenge(
            kind: .credentials(scheme: offer.scheme, isProxy: isProxy), scheme: scheme, host: host, port: port,
            realm: offer.realm, previousFailures: refusals)
    }

    func reply(to answer: EngineChallengeAnswer) -> Reply {
        guard let offer = offers.first else { return .decline }
        switch answer {
        case .performDefault, .acceptTrust, .showCertificate: return .decline
        case .useCredentials(let user, let password):
            return .show(HTTPCredentials(offer: offer, user: user, password: password))
        case .rejectProtectionSpace:
            var rest = self
            rest.offers.removeFirst()
            return .askAgain(rest)
        case .cancel: return .cancel
        }
    }
}

extension TrustReview.Question {
    /// The next step after the caller's answer about a server's chain, or to its request for a certificate.
    enum Reply: Sendable, Equatable {
        /// The verdict counts for all connections of the session.
        case remember(TrustVerdict)
        /// This transfer fails; another one asks again.
        case refuse
        /// This transfer is cancelled; another one asks again.
        case cancel
    }

    func reply(to answer: EngineChallengeAnswer) -> Reply {
        if case .clientCertificate = challenge.kind {
            switch answer {
            case .showCertificate(let certificate): return .remember(.shows(certificate))
            case .performDefault, .acceptTrust, .useCredentials, .rejectProtectionSpace: return .remember(.shows(nil))
            case .cancel: return .cancel
            }
        }
        switch answer {
        case .acceptTrust: return .remember(.accepted)
        // A name and a password say nothing about the chain.
        case .performDefault, .useCredentials, .showCertificate: return .remember(.policy)
        case .rejectProtectionSpace: return .refuse
        case .cancel: return .cancel
        }
    }
}
