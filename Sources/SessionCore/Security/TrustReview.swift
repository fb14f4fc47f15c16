import CCurl
import Foundation
import SessionSupport

/// Judges the server of one attempt while the connection is made, by a rule that was fixed when the attempt started.
///
/// A class because libcurl's handshake reaches it through a pointer. Confined to the transfer loop.
final class TrustReview {
    /// The part of the program that decides about the chain.
    enum Rule {
        case policy(TrustSettings.Custom)
        /// What the caller has said about the chain. One that it was not asked about is recorded, and the connection refused.
        case caller(TrustMemory, TrustSettings.Rules)
    }

    /// What the caller has to be asked before the connection can be made: about the server's chain, or for a certificate of
    /// this side.
    struct Question: Sendable, Equatable {
        var challenge: EngineChallenge
        var subject: TrustMemory.Subject
        /// What the policy finds wrong with the chain, in words; nil when nothing is.
        var problem: String?
    }

    /// Tells connections apart, as a folder of authorities that libcurl compares and never finds anything in.
    static let nowhere = "/dev/null/"

    let origin: Origin
    private let rule: Rule
    /// What the server showed; nil until it has, and on a connection that was made before.
    private(set) var peer: PeerChain?
    /// What the caller has to be asked, once the server has shown a chain that nobody has judged.
    private(set) var question: Question?

    init(_ rule: Rule, origin: Origin) {
        self.rule = rule
        self.origin = origin
    }

    var host: String { origin.host }

    /// Connections are shared only among attempts of the same key.
    var poolKey: String {
        switch rule {
        case .policy(let custom): Self.nowhere + custom.poolKey
        case .caller(_, let rules): Self.nowhere + rules.poolKey
        }
    }

    /// Whether libcurl checks the host's name too, as it does after the handshake.
    var checksHost: Bool {
        switch rule {
        case .policy(let custom): custom.policy.validatesDomainName
        // A caller that accepted the chain has seen which names are in it; for any other the name is checked here.
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
            // The second one is about another subject.
            case .policy, .shows: return policy.evaluate(trust(peer))
            case nil:
                question = Question(challenge: challenge(peer), subject: subject, problem: problem)
                return false
            }
        }
    }

    // MARK: - The certificate of this side

    /// What the caller's answer about a certificate of this side counts for; nil where nobody is asked.
    var certificateSubject: TrustMemory.Subject? {
        switch rule {
        case .policy: nil
        case .caller(_, let rules): TrustMemory.Subject(certificateFor: origin, rules: rules.poolKey)
        }
    }

    /// What the caller has given to show to the server; nil while it has not.
    var givenCertificate: ClientCertificate? {
        guard case .caller(let memory, _) = rule, let certificateSubject,
            case .shows(let certificate) = memory.verdict(about: certificateSubject)
        else { return nil }
        return certificate
    }

    /// Called once, when the server has asked for a certificate and none is set; true goes on without one.
    func goesOnWithoutCertificate(acceptedIssuers: [String]) -> Bool {
        guard case .caller(let memory, _) = rule, let subject = certificateSubject else { return true }
        if memory.verdict(about: subject) == .shows(nil) { return true }
        let challenge = EngineChallenge(
            kind: .clientCertificate(acceptedIssuers: acceptedIssuers), scheme: origin.scheme, host: origin.host,
            port: origin.port)
        question = Question(challenge: challenge, subject: subject)
        return false
    }

    // MARK: - What is wrong

    /// What the policy finds wrong with the server's chain, in words; nil when nothing is, and before a chain was
    /// shown.
    ///
    /// Of several faults it is the one that would have to go first; pins can make up for a chain that nobody vouches
    /// for.
    var problem: String? {
        guard let peer, !policy.evaluate(trust(peer)) else { return nil }
        let isPinned = policy.pinningMode != .none
        if !isPinned || !policy.allowsInvalidCertificates, let problem = peer.chainProblem { return problem }
        if policy.validatesDomainName, !peer.namesHost { return peer.nameProblem }
        return isPinned ? TrustReasons.notPinned : nil
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

// File-scope and nonisolated: a closure made in an isolated place would trap on the loop's thread.
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

/// What a server showed during the handshake.
struct PeerChain: Sendable, Equatable {
    /// The chain in DER, the server's own certificate first.
    var certificates: [[UInt8]]
    /// Whether the chain leads to an authority that the system trusts and is valid now.
    var isTrustedBySystem: Bool
    /// Whether the first certificate names the host.
    var namesHost: Bool
    /// Whether it names any host where such names belong.
    private let namesAnyHost: Bool
    /// OpenSSL's result of the verification.
    private let verification: Int

    /// What is wrong with a first certificate that does not name the host.
    var nameProblem: String {
        namesAnyHost ? TrustReasons.otherHost : TrustReasons.namesNoHost
    }

    /// What the verification has found wrong with it, in words; the name is not looked at.
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
