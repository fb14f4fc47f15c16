import SessionSupport

/// The session's credentials for proxies that have demanded them; they never go to another proxy, or with requests that
/// name the proxy with other credentials.
struct ProxyCredentials: Sendable, Equatable {
    /// The credentials of one attempt.
    struct Shown: Sendable, Equatable {
        /// The value of `Proxy-Authorization`.
        var field: String
        /// Tells the credentials from earlier and later ones.
        var number: Int
        /// Separates their connections from other ones.
        var poolKey: String
    }

    private struct Entry: Sendable, Equatable {
        var credentials: HTTPCredentials
        var number: Int
        var clientNonce = DigestAuthorization.freshNonce()
        var poolKey: String
        var uses = 0
        var renewals = 0
    }

    /// Consecutive times that a proxy may call its own new offer stale.
    private static let renewalLimit = 3

    /// A proxy as requests name it: a different name or password in the request makes another key.
    private struct Key: Hashable {
        let endpoint: String
        let user: String?
        let password: String?

        init(_ proxy: Proxy) { (endpoint, user, password) = (proxy.endpoint, proxy.user, proxy.password) }
    }

    private var entries: [Key: Entry] = [:]
    private var latestNumber = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Stores credentials for one proxy.
    mutating func give(_ credentials: HTTPCredentials, to proxy: Proxy) {
        latestNumber += 1
        let secret = "\(credentials.user):\(credentials.password)"
        let digest = (try? Digest.of(secret.utf8, .sha256)).map { ByteText.hexadecimal($0) }
        entries[Key(proxy)] = Entry(
            credentials: credentials, number: latestNumber, poolKey: "proxy-" + (digest ?? String(latestNumber)))
    }

    /// Returns a proxy's credentials for a request; nil for none.
    mutating func shown(to proxy: Proxy, for action: DigestAuthorization.Action) -> Shown? {
        guard var entry = entries[Key(proxy)] else { return nil }
        entry.uses += 1
        entries[Key(proxy)] = entry
        let field = entry.credentials.field(for: action, count: entry.uses, clientNonce: entry.clientNonce)
        return field.map { Shown(field: $0, number: entry.number, poolKey: entry.poolKey) }
    }

    /// Returns whether a proxy has other credentials than the refused ones.
    func hasOthers(than shown: Shown?, for proxy: Proxy) -> Bool {
        entries[Key(proxy)].map { $0.number != shown?.number } ?? false
    }

    /// Removes credentials that a proxy has refused.
    mutating func forget(_ shown: Shown?, of proxy: Proxy) {
        if let shown, entries[Key(proxy)]?.number == shown.number { entries[Key(proxy)] = nil }
    }

    /// Takes a new nonce from a proxy that calls the previous one stale, which is not a refusal (RFC 7616, 3.3); false
    /// if it offers none, or too many new ones in a row.
    mutating func renew(from offers: [AuthenticationOffer], _ proxy: Proxy, _ shown: Shown?) -> Bool {
        guard let shown, let entry = entries[Key(proxy)], entry.number == shown.number,
            let offer = offers.first(where: { $0.isDigest && $0.isStale && $0.realm == entry.credentials.offer.realm })
        else { return false }
        let renewals = entry.uses > 1 ? 1 : entry.renewals + 1
        guard renewals <= Self.renewalLimit else { return false }
        give(
            HTTPCredentials(offer: offer, user: entry.credentials.user, password: entry.credentials.password),
            to: proxy)
        entries[Key(proxy)]?.renewals = renewals
        return true
    }
}
