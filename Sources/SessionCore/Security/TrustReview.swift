import CCurl
import Foundation
import SessionSupport

/// Judges the server of one attempt during the handshake, by a rule that was fixed when the attempt started.
///
/// A class because libcurl's handshake reaches it through a pointer. Confined to the transfer loop.
final class TrustReview {
    /// The decision maker for the chain.
    enum Rule {
        case policy(TrustSettings.Custom)
        /// The caller's answer about the chain decides. Without an answer the chain is recorded, and the connection
        /// refused.
        case caller(TrustMemory, TrustSettings.Rules)
    }

    /// A question that the caller must answer before the connection can be made: about the server's chain, or for a
    /// client certificate.
    struct Question: Sendable, Equatable {
        var challenge: EngineChallenge
        var subject: TrustMemory.Subject
        /// The policy's objection to the chain, in words; nil for none.
        var problem: String?
    }

    /// Separates connections: a folder of authorities that libcurl compares by name and that contains nothing.
    static let nowhere = "/dev/null/"

    let origin: Origin
    private let rule: Rule
    /// The server's chain; nil until the handshake, and on a reused connection.
    private(set) var peer: PeerChain?
    /// The question for the caller, set once the server sent a chain without a verdict.
    private(set) var question: Question?

    init(_ rule: Rule, origin: Origin) {
        self.rule = rule
        self.origin = origin
    }

    var host: String { origin.host }

    /// Only attempts with the same key share connections.
    var poolKey: String {
        switch rule {
        case .policy(let custom): Self.nowhere + custom.poolKey
        case .caller(_, let rules): Self.nowhere + rules.poolKey
        }
    }

    /// True if libcurl checks the host's name too, which it does after the handshake.
    var checksHost: Bool {
        switch rule {
        case .policy(let custom): custom.policy.validatesDomainName
        // A caller that accepted the chain has seen its names; for any other chain the name is checked here.
        case .caller: false
        }
    }

    /// Called once, during the handshake.
    func accepts(_ peer: PeerChain) -> Bool {
        self.peer = peer
        switch rule {
        case .policy(let custom): return custom.policy.evaluate(trust(peer))
        case .caller(let memory, let rules):
            let subject = TrustMemory.Subject(origin: origin, chain: peer.certificates, rules: rules.poolKey)
            switch memory.verdict(about: subject) {
            case .accepted: return true
            // `.shows` belongs to another subject.
            case .policy, .shows: return policy.evaluate(trust(peer))
            case nil:
                question = Question(challenge: challenge(peer), subject: subject, problem: problem)
                return false
            }
        }
    }

    // MARK: - Client certificate

    /// The subject of the caller's answer about a client certificate; nil if the caller is not asked.
    var certificateSubject: TrustMemory.Subject? {
        switch rule {
        case .policy: nil
        case .caller(_, let rules): TrustMemory.Subject(certificateFor: origin, rules: rules.poolKey)
        }
    }

    /// The client certificate from the caller; nil without one.
    var givenCertificate: ClientCertificate? {
        guard case .caller(let memory, _) = rule, let certificateSubject,
            case .shows(let certificate) = memory.verdict(about: certificateSubject)
        else { return nil }
        return certificate
    }

    /// Called once, when the server demands a certificate and none is set; true continues without one.
    func goesOnWithoutCertificate(acceptedIssuers: [String]) -> Bool {
        guard case .caller(let memory, _) = rule, let subject = certificateSubject else { return true }
        if memory.verdict(about: subject) == .shows(nil) { return true }
        let challenge = EngineChallenge(
            kind: .clientCertificate(acceptedIssuers: acceptedIssuers), scheme: origin.scheme, host: origin.host,
            port: origin.port)
        question = Question(challenge: challenge, subject: subject)
        return false
    }

    // MARK: - Faults

    /// The policy's objection to the server's chain, in words; nil for none, and before a chain was sent.
    ///
    /// Among several faults it is the one to correct first; pins can replace the trust in an unknown authority.
    var problem: String? {
        guard let peer, !policy.evaluate(trust(peer)) else { return nil }
        let isPinned = policy.pinningMode != .none
        // Such a policy refuses every server.
        if !isPinned, policy.allowsInvalidCertificates {
            let need = policy.pinnedCertificates.isEmpty ? TrustReasons.needsPins : TrustReasons.needsPinningMode
            return peer.chainProblem.map { TrustReasons.lacks($0, need) } ?? need
        }
        if !isPinned || !policy.allowsInvalidCertificates, let problem = peer.chainProblem { return problem }
        if policy.validatesDomainName, !peer.namesHost { return peer.nameProblem }
        return isPinned ? policy.pinProblem(of: peer.certificates) : nil
    }

    private var policy: SecurityPolicy {
        switch rule {
        case .policy(let custom): custom.policy
        case .caller(_, let rules): rules.custom?.policy ?? .default
        }
    }

    private func challenge(_ peer: PeerChain) -> EngineChallenge {
        EngineChallenge(
            kind: .serverTrust(
                chain: peer.certificates, isTrustedBySystem: peer.isTrustedBySystem, namesHost: peer.namesHost),
            scheme: origin.scheme, host: origin.host, port: origin.port)
    }

    private func trust(_ peer: PeerChain) -> ServerTrust {
        ServerTrust(
            host: host, certificates: peer.certificates.map { Data($0) },
            isTrustedBySystem: peer.isTrustedBySystem, namesHost: peer.namesHost)
    }
}

@available(*, unavailable)
extension TrustReview: Sendable {}

// File-scope and nonisolated: a closure made in an isolated context would trap on the loop's thread.
nonisolated func trustReviewCallback(_ peer: UnsafePointer<cc_peer>?, _ context: UnsafeMutableRawPointer?) -> Bool {
    guard let peer, let context else { return false }
    let chain = PeerChain(peer.pointee)
    return Unmanaged<TrustReview>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.accepts(chain) }
}

nonisolated func certificateRequestCallback(
    _ names: UnsafePointer<CChar>?, _ length: Int, _ context: UnsafeMutableRawPointer?
) -> Bool {
    guard let context else { return false }
    let text = String(decoding: UnsafeRawBufferPointer(start: names, count: names == nil ? 0 : length), as: UTF8.self)
    let issuers = text.split(separator: "\n").map(String.init)
    return Unmanaged<TrustReview>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.goesOnWithoutCertificate(acceptedIssuers: issuers)
    }
}

/// A server's certificate chain and its verification.
struct PeerChain: Sendable, Equatable {
    /// DER, the server's own certificate first.
    var certificates: [[UInt8]]
    /// True if the chain leads to an authority that the system trusts and is valid now.
    var isTrustedBySystem: Bool
    /// True if the first certificate names the host.
    var namesHost: Bool
    /// True if the certificate has any host name in subjectAltName.
    private let namesAnyHost: Bool
    /// OpenSSL's verification result.
    private let verification: Int

    /// The fault of a first certificate that does not name the host.
    var nameProblem: String {
        namesAnyHost ? TrustReasons.otherHost : TrustReasons.namesNoHost
    }

    /// The fault found by the verification, in words; it ignores the host's name.
    var chainProblem: String? { CertificateProblem.words(verification) }

    init(_ peer: cc_peer) {
        let lengths = UnsafeBufferPointer(start: peer.certificates.lengths, count: peer.certificates.count)
        var rest = UnsafeBufferPointer(start: peer.certificates.bytes, count: lengths.reduce(0, +))[...]
        certificates = lengths.map { length in
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        isTrustedBySystem = peer.is_trusted
        namesHost = peer.names_host
        namesAnyHost = peer.names_a_host
        verification = peer.verification
    }
}
