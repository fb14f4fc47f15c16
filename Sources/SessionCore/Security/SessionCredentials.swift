import FoundationNetworking
import SessionSupport

/// The names and passwords that closures have given to a session for longer than one task, in memory alone.
///
/// Each belongs to one realm of one origin and to one scheme, so that a password given for Digest is never sent as Basic.
struct SessionCredentials: Sendable {
    struct Space: Hashable {
        private let scheme: String
        private let host: String
        private let port: Int
        private let realm: String?
        private let authentication: String

        /// Nil for a challenge that asks for something else, and for a proxy's, whose answer counts for the session.
        init?(_ challenge: EngineChallenge) {
            guard case .credentials(let authentication, isProxy: false) = challenge.kind else { return nil }
            (scheme, host, port) = (ByteText.lowercased(challenge.scheme), challenge.host, challenge.port)
            (realm, self.authentication) = (challenge.realm, ByteText.lowercased(authentication))
        }
    }

    private var known: [Space: EngineChallengeAnswer] = [:]
    /// The client certificates that closures have given for servers: the engine asks once for each.
    private var certificates: [Origin: String] = [:]

    /// Whether the session was invalidated, after which nothing is kept.
    private var isClosed = false

    /// The answer to a challenge without asking; nil without any.
    ///
    /// Only what the server has refused is forgotten: another task may have got a new answer since.
    /// - Parameter shown: the answer that the task itself has given before; nil for none.
    mutating func answer(to challenge: EngineChallenge, shown: EngineChallengeAnswer? = nil) -> EngineChallengeAnswer? {
        guard let space = Space(challenge) else { return nil }
        if challenge.previousFailures > 0, let shown, known[space] == shown { known[space] = nil }
        return known[space]
    }

    /// Forgets all, and keeps nothing that closures still answer.
    mutating func close() {
        self = SessionCredentials()
        isClosed = true
    }

    /// Keeps a closure's answer, unless its credential is for one task; what is to be kept for longer than a session is
    /// kept for the session.
    mutating func keep(_ credential: URLCredential, _ answer: EngineChallengeAnswer, for challenge: EngineChallenge) {
        guard !isClosed, credential.persistence != .none, case .useCredentials = answer, let space = Space(challenge)
        else {
            return
        }
        known[space] = answer
    }

    /// Keeps which certificate a server is shown from now on.
    mutating func keepCertificate(_ answer: EngineChallengeAnswer, for challenge: EngineChallenge) {
        guard !isClosed, case .clientCertificate = challenge.kind else { return }
        let origin = Origin(
            scheme: ByteText.lowercased(challenge.scheme), host: challenge.host, port: challenge.port)
        if case .showCertificate(let certificate) = answer {
            certificates[origin] = certificate.certificate.poolKey
        } else {
            certificates[origin] = nil
        }
    }

    /// The certificate that a closure has given for the server of a URL; nil for none.
    func certificate(for url: String) -> String? {
        guard !certificates.isEmpty, let origin = try? Origin(url) else { return nil }
        return certificates[origin]
    }
}
