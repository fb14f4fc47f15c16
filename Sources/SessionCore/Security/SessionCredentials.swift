import FoundationNetworking
import SessionSupport

/// The names and passwords that closures have given to a session for longer than one task, in memory alone.
///
/// Each belongs to one realm of one origin and to one scheme, so that a password given for Digest is never sent as Basic.
struct SessionCredentials: Sendable {
    private struct Space: Hashable {
        let scheme: String
        let host: String
        let port: Int
        let realm: String?
        let authentication: String

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

    /// The answer to a challenge without asking; what the server has refused once is forgotten.
    mutating func answer(to challenge: EngineChallenge) -> EngineChallengeAnswer? {
        guard let space = Space(challenge) else { return nil }
        if challenge.previousFailures > 0 { known[space] = nil }
        return known[space]
    }

    /// Keeps a closure's answer, unless its credential is for one task; what is to be kept for longer than a session is
    /// kept for the session.
    mutating func keep(_ credential: URLCredential, _ answer: EngineChallengeAnswer, for challenge: EngineChallenge) {
        guard credential.persistence != .none, case .useCredentials = answer, let space = Space(challenge) else {
            return
        }
        known[space] = answer
    }

    /// Keeps which certificate a server is shown from now on.
    mutating func keepCertificate(_ answer: EngineChallengeAnswer, for challenge: EngineChallenge) {
        guard case .clientCertificate = challenge.kind else { return }
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
