import CCurl
import Foundation

/// Judges the server of one attempt while the connection is made, by a rule that was fixed when the attempt started.
///
/// A class because libcurl's handshake reaches it through a pointer. Confined to the transfer loop.
final class TrustReview {
    /// Who decides.
    enum Rule: Sendable {
        case policy(TrustSettings.Custom)
        /// The caller accepted this public key.
        case key([UInt8])
        /// The caller has to be asked: the chain is noted and the connection refused.
        case question
    }

    /// Where libcurl looks for authorities; what is appended to it only tells connections apart.
    static let trustedFolder: String = {
        let folder = String(cString: cc_trusted_folder())
        return (folder.isEmpty ? "" : folder + ":") + "/dev/null/"
    }()

    let origin: Origin
    private let rule: Rule
    /// What the server showed; nil until it has, and on a connection that was made before.
    private(set) var peer: PeerChain?

    init(_ rule: Rule, origin: Origin) {
        self.rule = rule
        self.origin = origin
    }

    var host: String { origin.host }

    /// Connections are shared only among attempts of the same key.
    var poolKey: String {
        switch rule {
        case .policy(let custom): custom.poolKey
        case .key(let digest): "key-" + ByteText.hexadecimal(digest)
        case .question: "question"
        }
    }

    /// Whether libcurl checks the host's name, as it does after the handshake.
    var checksHost: Bool {
        switch rule {
        case .policy(let custom): custom.policy.validatesDomainName
        // A caller that accepted the certificate has seen which names are in it.
        case .key: false
        case .question: true
        }
    }

    /// What the caller has to be asked, once the server has shown its certificate.
    var question: EngineChallenge? {
        guard case .question = rule, let peer else { return nil }
        return EngineChallenge(
            kind: .serverTrust(
                chain: peer.certificates, isTrustedBySystem: peer.isTrustedBySystem, namesHost: peer.namesHost),
            scheme: origin.scheme, host: origin.host, port: origin.port)
    }

    /// Called once, during the handshake.
    func accepts(_ peer: PeerChain) -> Bool {
        self.peer = peer
        switch rule {
        case .question:
            return false
        case .key(let digest):
            return peer.certificates.first.flatMap(Certificates.keyDigest(of:)) == digest
        case .policy(let custom):
            return custom.policy.evaluate(
                ServerTrust(
                    host: host, certificates: peer.certificates.map { Data($0) },
                    isTrustedBySystem: peer.isTrustedBySystem, namesHost: peer.namesHost))
        }
    }
}

@available(*, unavailable)
extension TrustReview: Sendable {}

// File-scope and nonisolated: a closure made in an isolated place would trap on the loop's thread.
nonisolated func trustReviewCallback(_ peer: UnsafePointer<cc_peer>?, _ context: UnsafeMutableRawPointer?) -> Bool {
    guard let peer, let context else { return false }
    let chain = PeerChain(peer.pointee)
    return Unmanaged<TrustReview>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.accepts(chain) }
}
