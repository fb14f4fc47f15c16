import Foundation
public import FoundationNetworking

/// What a server or proxy asks for before it goes on.
public struct AuthenticationChallenge: Sendable {
    /// What has to be shown or judged.
    public enum Kind: Sendable, Equatable {
        /// Judge the peer's chain.
        case serverTrust(ServerTrust)
        /// Show a name and a password: scheme `Basic` or `Digest`.
        ///
        /// `isProxy` is false: no proxy is ever used, so a 407 is an answer like any other.
        case credentials(scheme: String, isProxy: Bool)
        /// Show a certificate.
        ///
        /// Reserved: a server that asks for one gets none, and what it makes of that is the answer.
        case clientCertificate
    }

    /// What has to be shown or judged.
    public var kind: Kind
    /// Who asks, as Foundation's type.
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
        case .clientCertificate: kind = .clientCertificate
        }
        protectionSpace = URLProtectionSpace(
            host: challenge.host, port: challenge.port, protocol: challenge.scheme, realm: challenge.realm,
            authenticationMethod: Self.method(challenge.kind))
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
