import SessionSupport

/// What a session shows to the proxies that have asked for it: never to another one than it was given for, and never for
/// requests that name the proxy with another name and password.
struct ProxyCredentials: Sendable, Equatable {
    /// What one attempt shows.
    struct Shown: Sendable, Equatable {
        /// The value of `Proxy-Authorization`.
        var field: String
        /// Tells the credentials from those given before and after them.
        var number: Int
        /// Tells their connections from those of others.
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

    /// How often in a row a proxy may call what it has just offered stale.
    private static let renewalLimit = 3

    /// A proxy as requests name it: others with another name and password of their own show something else.
    private struct Key: Hashable {
        let place: String
        let user: String?
        let password: String?

        init(_ proxy: Proxy) { (place, user, password) = (proxy.place, proxy.user, proxy.password) }
    }

    private var entries: [Key: Entry] = [:]
    private var latestNumber = 0

    /// Whether no proxy is shown anything.
    var isEmpty: Bool { entries.isEmpty }

    /// Stores credentials, which are shown to one proxy from now on.
    mutating func give(_ credentials: HTTPCredentials, to proxy: Proxy) {
        latestNumber += 1
        let secret = "\(credentials.user):\(credentials.password)"
        let digest = (try? Digest.of(secret.utf8, .sha256)).map { ByteText.hexadecimal($0) }
        entries[Key(proxy)] = Entry(
            credentials: credentials, number: latestNumber, poolKey: "proxy-" + (digest ?? String(latestNumber)))
    }

    /// What a proxy is shown for a request; nil when it was given nothing.
    mutating func shown(to proxy: Proxy, for action: DigestAuthorization.Action) -> Shown? {
        guard var entry = entries[Key(proxy)] else { return nil }
        entry.uses += 1
        entries[Key(proxy)] = entry
        let field = entry.credentials.field(for: action, count: entry.uses, clientNonce: entry.clientNonce)
        return field.map { Shown(field: $0, number: entry.number, poolKey: entry.poolKey) }
    }

    /// Whether a proxy was given other credentials than those that it has refused.
    func hasOthers(than shown: Shown?, for proxy: Proxy) -> Bool {
        entries[Key(proxy)].map { $0.number != shown?.number } ?? false
    }

    /// Forgets what a proxy has refused.
    mutating func forget(_ shown: Shown?, of proxy: Proxy) {
        if let shown, entries[Key(proxy)]?.number == shown.number { entries[Key(proxy)] = nil }
    }

    /// Takes a new number from a proxy that calls the one before stale, which is no refusal (RFC 7616, 3.3); false where it
    /// offers none, or nothing but new ones.
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
