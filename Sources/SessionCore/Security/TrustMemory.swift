import SessionSupport

/// What callers have said about servers' certificates, and which ones of this side they have given, so that a session asks
/// about a chain, or for a certificate, once.
///
/// To ask, a handshake has to be broken off, because the answer may take as long as a person does. So an answer holds
/// for every connection to the same origin that shows the same chain, under the same policy and the same closures; and
/// transfers that meet the same chain while somebody is being asked wait for that answer. A class because the
/// handshakes of all transfers read it. Confined to the transfer loop.
final class TrustMemory {
    /// What an answer is about.
    struct Subject: Sendable, Hashable {
        var origin: Origin
        /// The digest of the chain; empty where the certificate of this side is the subject.
        var chain: [UInt8]
        /// The policy and the closures that were asked.
        var rules: String

        init(origin: Origin, chain: [[UInt8]], rules: String) {
            self.origin = origin
            self.rules = rules
            // Certificates say where they end. Without a digest the chain itself does the same, only longer.
            self.chain = (try? Digest.of(chain.joined(), .sha256)) ?? Array(chain.joined())
        }

        /// The certificate that a server is shown.
        init(certificateFor origin: Origin, rules: String) { (self.origin, chain, self.rules) = (origin, [], rules) }
    }

    /// What a transfer that met a chain does.
    enum Turn: Sendable, Equatable {
        /// Somebody has answered.
        case goOn
        case ask
        /// Another transfer asks; this one is named when that is over.
        case wait
    }

    /// The most chains that are remembered, more than a session meets; beyond it all are asked about again.
    private static let limit = 1024

    private var verdicts: [Subject: TrustVerdict] = [:]
    /// The transfers that meet a chain which nobody has judged yet, in order; the first one asks.
    private var askers: [Subject: [TransferID]] = [:]

    /// The verdict about a chain; nil when nobody was asked.
    func verdict(about subject: Subject) -> TrustVerdict? { verdicts[subject] }

    /// Enters a transfer that has met a chain, and tells what it does.
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

    /// Forgets a verdict that has led nowhere, so that the next transfer asks again.
    func forget(_ subject: Subject) { verdicts[subject] = nil }

    /// A transfer does not wait for an answer any more, or got one that is its own affair.
    ///
    /// Returns the transfer whose turn it is to ask now, if it is another's.
    func leave(_ subject: Subject, _ id: TransferID) -> TransferID? {
        guard var rest = askers[subject], let place = rest.firstIndex(of: id) else { return nil }
        rest.remove(at: place)
        askers[subject] = rest.isEmpty ? nil : rest
        return place == 0 ? rest.first : nil
    }
}

@available(*, unavailable)
extension TrustMemory: Sendable {}

/// What a caller decided about the chain that a server showed.
enum TrustVerdict: Sendable, Equatable {
    /// The server is accepted, whatever is wrong with the chain.
    case accepted
    /// The security policy decides.
    case policy
    /// The server is shown this, or nothing.
    case shows(ClientCertificate?)
}

extension ClientCertificate.Source {
    /// Tells it from others, without its secrets.
    var poolKey: String {
        switch self {
        case .file(let path): path
        // Without the digest a connection of the same certificate would not be found again.
        case .bytes(let bytes):
            (try? Digest.of(bytes, .sha256)).map { "bytes-" + ByteText.hexadecimal($0) } ?? "bytes-\(bytes.hashValue)"
        }
    }
}
