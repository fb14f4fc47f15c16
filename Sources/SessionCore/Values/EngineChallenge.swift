/// What a server or proxy asks for before it goes on, as the engine sees it.
struct EngineChallenge: Sendable, Equatable {
    /// What has to be shown or judged.
    enum Kind: Sendable, Equatable {
        /// The peer's chain, DER, leaf first, what the system thinks of it, and whether it names the host.
        case serverTrust(chain: [[UInt8]], isTrustedBySystem: Bool, namesHost: Bool = true)
        /// An authentication scheme's name, as the server wrote it.
        case credentials(scheme: String, isProxy: Bool)
        case clientCertificate
    }

    var kind: Kind
    var scheme: String
    var host: String
    var port: Int
    var realm: String?
    var previousFailures: Int = 0
}

/// What the engine does about a challenge.
enum EngineChallengeAnswer: Sendable, Equatable {
    /// What it would do unasked: the security policy for a server's trust, no credentials otherwise.
    case performDefault
    /// Accept the server although the system may not.
    case acceptTrust
    case useCredentials(user: String, password: String)
    /// Give up this scheme and try the next one the server offers.
    case rejectProtectionSpace
    /// End the transfer as cancelled.
    case cancel
}
