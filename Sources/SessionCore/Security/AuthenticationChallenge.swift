public import Foundation
public import FoundationNetworking

/// A challenge of a server or proxy, which demands credentials or trust before it continues.
///
/// ```swift
/// manager.onTaskChallenge = { _, challenge in
///     guard case .credentials = challenge.kind else { return .performDefault }
///     guard challenge.previousFailureCount == 0 else { return .cancel }
///     return .use(URLCredential(user: "a", password: "b", persistence: .none))
/// }
/// ```
public struct AuthenticationChallenge: Sendable {
    /// The kind of a challenge: the required credential, or the certificate to judge.
    ///
    /// ```swift
    /// manager.onSessionChallenge = { challenge in
    ///     if case .serverTrust(let trust) = challenge.kind { print(trust.host) }
    ///     return .performDefault
    /// }
    /// ```
    public enum Kind: Sendable, Equatable {
        /// Judges the peer's certificate chain.
        case serverTrust(ServerTrust)
        /// Demands a name and a password for the server, or for the proxy: scheme `Basic` or `Digest`.
        ///
        /// A proxy's credentials count for the session, which asks again if they are refused.
        case credentials(scheme: String, isProxy: Bool)
        /// Demands a client certificate, of one of these authorities if the server names some (RFC 2253).
        ///
        /// Asked if a server demands one and ``RequestOptions/clientCertificate`` has none;
        /// ``ChallengeResponse/show(_:)`` is the answer. It counts for the session, so that each server asks once; any
        /// other answer sends none.
        case clientCertificate(acceptedIssuers: [String])
    }

    /// The kind of the challenge.
    public var kind: Kind
    /// The server or proxy that asks, as Foundation's type.
    public var protectionSpace: URLProtectionSpace
    /// Refused credentials so far in this task.
    public var previousFailureCount: Int

    init(_ challenge: EngineChallenge) {
        switch challenge.kind {
        case .serverTrust(let chain, let isTrusted, let namesHost):
            let certificates = chain.map { Data($0) }
            kind = .serverTrust(
                ServerTrust(
                    host: challenge.host, certificates: certificates, isTrustedBySystem: isTrusted,
                    namesHost: namesHost))
        case .credentials(let scheme, let isProxy): kind = .credentials(scheme: scheme, isProxy: isProxy)
        case .clientCertificate(let issuers): kind = .clientCertificate(acceptedIssuers: issuers)
        }
        let method = Self.method(challenge.kind)
        if case .credentials(_, isProxy: true) = challenge.kind {
            protectionSpace = URLProtectionSpace(
                proxyHost: challenge.host, port: challenge.port, type: challenge.scheme, realm: challenge.realm,
                authenticationMethod: method)
        } else {
            protectionSpace = URLProtectionSpace(
                host: challenge.host, port: challenge.port, protocol: challenge.scheme, realm: challenge.realm,
                authenticationMethod: method)
        }
        previousFailureCount = challenge.previousFailures
    }

    /// Foundation on Linux defines no constants for trust and client certificates.
    private static func method(_ kind: EngineChallenge.Kind) -> String {
        switch kind {
        case .serverTrust: return "NSURLAuthenticationMethodServerTrust"
        case .clientCertificate: return "NSURLAuthenticationMethodClientCertificate"
        case .credentials(let scheme, _):
            switch scheme.lowercased() {
            case "basic": return NSURLAuthenticationMethodHTTPBasic
            case "digest": return NSURLAuthenticationMethodHTTPDigest
            default: return NSURLAuthenticationMethodDefault
            }
        }
    }
}

/// The certificate chain that a server sent.
///
/// ```swift
/// manager.onSessionChallenge = { challenge in
///     guard case .serverTrust(let trust) = challenge.kind else { return .performDefault }
///     return trust.host == "localhost" && trust.certificates.count == 1 ? .trust : .performDefault
/// }
/// ```
public struct ServerTrust: Sendable, Equatable {
    /// The requested host.
    public var host: String
    /// The chain in DER, the server's own certificate first: up to the authority if the system trusts it, else as the
    /// server sent it.
    public var certificates: [Data]
    /// True if the chain leads to an authority that the system trusts and is valid now, whatever host it names.
    public var isTrustedBySystem: Bool
    /// True if the server's own certificate names the host.
    public var namesHost: Bool

    package init(host: String, certificates: [Data], isTrustedBySystem: Bool, namesHost: Bool = true) {
        self.host = host
        self.certificates = certificates
        self.isTrustedBySystem = isTrustedBySystem
        self.namesHost = namesHost
    }
}

/// A closure's answer to a challenge.
///
/// Answers that the original refuses at run time cannot be expressed.
///
/// ```swift
/// manager.onSessionChallenge = { _ in .performDefault }
/// ```
public enum ChallengeResponse: Sendable {
    /// Does the same as without the closure: the security policy judges a server's trust, and no credentials are sent.
    case performDefault
    /// Accepts the server; for a challenge of another kind the same as ``performDefault``.
    case trust
    /// Sends this name and password; for a challenge of another kind, such as a server's trust, the same as
    /// ``performDefault``.
    ///
    /// With another persistence than `none` they answer the same challenge of later tasks too, in this session and until
    /// the server refuses them; they are kept in memory alone.
    case use(URLCredential)
    /// Sends this certificate; for a challenge of another kind the same as ``performDefault``.
    case show(ClientCertificate)
    /// Tries the server's next scheme.
    case rejectProtectionSpace
    /// Ends the task as cancelled.
    case cancel
    /// Ends the task with this error.
    case fail(any Error)
}

extension ChallengeResponse {
    /// Returns the response to a challenge of a kind: the default if it belongs to another kind.
    func fitting(_ kind: AuthenticationChallenge.Kind) -> ChallengeResponse {
        switch (self, kind) {
        case (.trust, .serverTrust), (.use, .credentials), (.show, .clientCertificate): self
        case (.trust, _), (.use, _), (.show, _): .performDefault
        case (.performDefault, _), (.rejectProtectionSpace, _), (.cancel, _), (.fail, _): self
        }
    }
}

/// The engine's form of a server's or proxy's challenge.
package struct EngineChallenge: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The peer's chain, DER, leaf first, the system's verdict on it, and whether it names the host.
        case serverTrust(chain: [[UInt8]], isTrustedBySystem: Bool, namesHost: Bool = true)
        /// The scheme's name, as the server wrote it.
        case credentials(scheme: String, isProxy: Bool)
        case clientCertificate(acceptedIssuers: [String])
    }

    var kind: Kind
    var scheme: String
    var host: String
    var port: Int
    var realm: String?
    var previousFailures: Int = 0
}

/// The engine's answer to a challenge.
package enum EngineChallengeAnswer: Sendable, Equatable {
    /// Follows the default: the security policy for a server's trust, no credentials otherwise.
    case performDefault
    /// Accepts the server even if the system does not.
    case acceptTrust
    case useCredentials(user: String, password: String)
    case showCertificate(ClientCertificate)
    /// Skips this scheme and tries the server's next one.
    case rejectProtectionSpace
    /// Ends the transfer as cancelled.
    case cancel
}
