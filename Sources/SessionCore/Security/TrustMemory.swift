import SessionSupport

/// The callers' answers about servers' certificates, and the client certificates they have given, so that a session
/// asks about each chain, and for each certificate, once.
///
/// A question breaks off the handshake, because the user may take long to answer. So an answer counts for every
/// connection to the same origin with the same chain, policy and closures, and transfers that meet the same chain
/// during a question wait for its answer. A class because the handshakes of all transfers read it. Confined to the
/// transfer loop.
final class TrustMemory {
    /// The subject of an answer.
    struct Subject: Sendable, Hashable {
        var origin: Origin
        /// The digest of the chain; empty for a client certificate.
        var chain: [UInt8]
        /// The policy and the closures that were asked.
        var rules: String

        init(origin: Origin, chain: [[UInt8]], rules: String) {
            self.origin = origin
            self.rules = rules
            // The chain is unambiguous because certificates encode their own length; without a digest, the chain itself
            // is the key.
            self.chain = (try? Digest.of(chain.joined(), .sha256)) ?? Array(chain.joined())
        }

        /// The client certificate for a server.
        init(certificateFor origin: Origin, rules: String) { (self.origin, chain, self.rules) = (origin, [], rules) }
    }

    /// The next step of a transfer that met a chain.
    enum Turn: Sendable, Equatable {
        /// An answer exists.
        case goOn
        case ask
        /// Another transfer asks; this one is returned when the answer arrives.
        case wait
    }

    /// The most remembered chains, more than a session meets; beyond it all are forgotten and asked about again.
    private static let limit = 1024

    private var verdicts: [Subject: TrustVerdict] = [:]
    /// The transfers that met a chain without a verdict, in order; the first one asks.
    private var askers: [Subject: [TransferID]] = [:]

    /// Returns the verdict about a chain; nil if it was not asked for.
    func verdict(about subject: Subject) -> TrustVerdict? { verdicts[subject] }

    /// Registers a transfer that has met a chain, and returns its next step.
    func meet(_ subject: Subject, _ id: TransferID) -> Turn {
        if verdicts[subject] != nil { return .goOn }
        askers[subject, default: []].append(id)
        return askers[subject]?.first == id ? .ask : .wait
    }

    /// Stores a verdict, which later handshakes read.
    ///
    /// Returns the transfers that have waited for it.
    func remember(_ verdict: TrustVerdict, about subject: Subject) -> [TransferID] {
        if verdicts.count >= Self.limit { verdicts.removeAll() }
        verdicts[subject] = verdict
        return askers.removeValue(forKey: subject) ?? []
    }

    /// Forgets a verdict without effect, so that the next transfer asks again.
    func forget(_ subject: Subject) { verdicts[subject] = nil }

    /// Removes a transfer that no longer waits for an answer, or got one for itself only.
    ///
    /// Returns the next transfer that has to ask, unless another one asks already.
    func leave(_ subject: Subject, _ id: TransferID) -> TransferID? {
        guard var rest = askers[subject], let index = rest.firstIndex(of: id) else { return nil }
        rest.remove(at: index)
        askers[subject] = rest.isEmpty ? nil : rest
        return index == 0 ? rest.first : nil
    }
}

@available(*, unavailable)
extension TrustMemory: Sendable {}

/// A caller's decision about a server's chain.
enum TrustVerdict: Sendable, Equatable {
    /// Accepts the server, whatever the chain's faults.
    case accepted
    /// Leaves the decision to the security policy.
    case policy
    /// The client certificate for the server; nil sends none.
    case shows(ClientCertificate?)
}

extension ClientCertificate.Source {
    /// Identifies the certificate without revealing its secrets.
    var poolKey: String {
        switch self {
        case .file(let path): path
        // Without a digest, a connection with the same certificate is not reused.
        case .bytes(let bytes):
            (try? Digest.of(bytes, .sha256)).map { "bytes-" + ByteText.hexadecimal($0) } ?? "bytes-\(bytes.hashValue)"
        }
    }
}
