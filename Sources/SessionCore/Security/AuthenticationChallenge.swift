public import Foundation
public import FoundationNetworking

/// A challenge of a server or proxy, which asks for something before it goes on.
///
/// ```swift
/// manager.onTaskChallenge = { _, challenge in
///     challenge.previousFailureCount == 0 ? .use(URLCredential(user: "a", password: "b", persistence: .none)) : .cancel
/// }
/// ```
public struct AuthenticationChallenge: Sendable {
    /// The kind of a challenge: what has to be shown or judged.
    ///
    /// ```swift
    /// manager.onSessionChallenge = { challenge in
    ///     if case .serverTrust(let trust) = challenge.kind { print(trust.host) }
    ///     return .performDefault
    /// }
    /// ```
    public enum Kind: Sendable, Equatable {
        /// Judge the peer's chain.
        case serverTrust(ServerTrust)
        /// Show a name and a password to the server, or to the proxy: scheme `Basic` or `Digest`.
        ///
        /// What a proxy is shown counts for the session, which asks again where it is refused.
        case credentials(scheme: String, isProxy: Bool)
        /// Show a certificate, of one of these authorities where the server names some (RFC 2253).
        ///
        /// Asked where a server wants one and ``RequestOptions/clientCertificate`` has none; ``ChallengeResponse/show(_:)`` is
        /// the answer. It counts for the session, so that a server's certificate is asked for once; any other answer shows
        /// none.
        case clientCertificate(acceptedIssuers: [String])
    }

    /// What has to be shown or judged.
    public var kind: Kind
    /// The place that asks, as Foundation's type.
    public var protectionSpace: URLProtectionSpace
    /// How often credentials were refused already in this task.
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

    /// Foundation on Linux has no name of its own for trust and client certificates.
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

/// The chain a server showed.
///
/// ```swift
/// manager.onSessionChallenge = { challenge in
///     guard case .serverTrust(let trust) = challenge.kind else { return .performDefault }
///     return trust.host == "localhost" && trust.certificates.count == 1 ? .trust : .performDefault
/// }
/// ```
public struct ServerTrust: Sendable, Equatable {
    /// The host that was asked for.
    public var host: String
    /// The chain in DER, the server's own certificate first: up to the authority where the system trusts it, else as
    /// the server sent it.
    public var certificates: [Data]
    /// Whether the chain leads to an authority that the system trusts and is valid now, whatever host it names.
    public var isTrustedBySystem: Bool
    /// Whether the server's own certificate names the host.
    public var namesHost: Bool

    /// A chain from its parts.
    package init(host: String, certificates: [Data], isTrustedBySystem: Bool, namesHost: Bool = true) {
        self.host = host
        self.certificates = certificates
        self.isTrustedBySystem = isTrustedBySystem
        self.namesHost = namesHost
    }
}

/// The answer of a closure to a challenge.
///
/// What the original refuses at run time cannot be written here.
///
/// ```swift
/// manager.onSessionChallenge = { _ in .performDefault }
/// ```
public enum ChallengeResponse: Sendable {
    /// What would happen without the closure: a server's trust goes to the security policy, anything else is not shown.
    case performDefault
    /// Accept the server; for a challenge of another kind the same as ``performDefault``.
    case trust
    /// Show these.
    case use(URLCredential)
    /// Show this certificate; for a challenge of another kind the same as ``performDefault``.
    case show(ClientCertificate)
    /// Try the next scheme the server offers.
    case rejectProtectionSpace
    /// End the task as cancelled.
    case cancel
    /// End the task with this error.
    case fail(any Error)
}

/// What a server or proxy asks for before it goes on, as the engine sees it.
package struct EngineChallenge: Sendable, Equatable {
    /// What has to be shown or judged.
    package enum Kind: Sendable, Equatable {
        /// The peer's chain, DER, leaf first, what the system thinks of it, and whether it names the host.
        case serverTrust(chain: [[UInt8]], isTrustedBySystem: Bool, namesHost: Bool = true)
        /// An authentication scheme's name, as the server wrote it.
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

/// What the engine does about a challenge.
package enum EngineChallengeAnswer: Sendable, Equatable {
    /// What it would do unasked: the security policy for a server's trust, no credentials otherwise.
    case performDefault
    /// Accept the server although the system may not.
    case acceptTrust
    case useCredentials(user: String, password: String)
    case showCertificate(ClientCertificate)
    /// Give up this scheme and try the next one the server offers.
    case rejectProtectionSpace
    /// End the transfer as cancelled.
    case cancel
}
