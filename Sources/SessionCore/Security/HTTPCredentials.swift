import SessionSupport

/// A name and a password for what one server offered, or a ticket for it in the place of the password.
struct HTTPCredentials: Sendable, Equatable {
    var offer: AuthenticationOffer
    var user: String
    var password: String

    /// The value of the `Authorization` field for a request; nil where these credentials cannot be written down.
    ///
    /// - Parameters:
    ///   - count: how often they were used, this time included.
    ///   - clientNonce: what they were used with since the server has offered that.
    func field(for request: TransferRequest, count: Int, clientNonce: String) -> String? {
        // A ticket is shown once: whoever sees it again takes it for a stolen one.
        if offer.isNegotiate { return count == 1 ? "Negotiate " + password : nil }
        guard offer.isDigest else { return basicField }
        guard let url = try? ParsedURL(request.url) else { return nil }
        let action = DigestAuthorization.Action(method: request.method, target: url.target, body: request.body)
        return field(for: action, count: count, clientNonce: clientNonce)
    }

    /// The same for what is asked of a proxy.
    func field(for action: DigestAuthorization.Action, count: Int, clientNonce: String) -> String? {
        guard offer.isDigest else { return basicField }
        let field = DigestAuthorization.field(self, action, count: count, clientNonce: clientNonce)
        return field.flatMap { (try? HeaderValidator.validate(name: "Authorization", value: $0)) == nil ? nil : $0 }
    }

    private var basicField: String? {
        // A colon in the name would move part of it into the password (RFC 7617, 2).
        guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}

/// Which credentials go to which server: never to another one than they were given for.
struct OriginCredentials: Sendable {
    /// Refusals after which nobody is asked any more: a caller that always answers would try for ever.
    static let refusalLimit = 3
    /// How often in a row a server may call what it has just offered stale.
    private static let renewalLimit = 3

    private struct Entry: Sendable {
        var credentials: HTTPCredentials?
        /// The same for all requests that answer one offer, as the session algorithms want it (RFC 7616, 3.4.2).
        var clientNonce = ""
        var uses = 0
        var refusals = 0
        var renewals = 0
        /// Where the request's own name and password stood that were given to it; nil until they were.
        var source: Source?
    }

    /// A place where a request has a name and a password.
    enum Source: Sendable {
        /// They are for the request's server alone.
        case options
        case url
    }

    private var entries: [Origin: Entry] = [:]

    /// Whether nothing may be shown to anybody.
    var isEmpty: Bool { entries.isEmpty }

    /// How often a server refused what was given.
    func refusals(by origin: Origin) -> Int { entries[origin]?.refusals ?? 0 }

    /// Where the name and the password stood with which the request has answered a server by itself; nil where it has not.
    func answerSource(for origin: Origin) -> Source? { entries[origin]?.source }

    /// Records that a server asks; if it was shown credentials, it has refused them.
    mutating func recordChallenge(from origin: Origin) {
        guard var entry = entries[origin], entry.credentials != nil else { return }
        entry.refusals += 1
        entry.credentials = nil
        entries[origin] = entry
    }

    /// Stores credentials, which are shown to one server from now on.
    mutating func give(_ credentials: HTTPCredentials, to origin: Origin, from source: Source? = nil) {
        entries[origin, default: Entry()].credentials = credentials
        if let source { entries[origin]?.source = source }
        entries[origin, default: Entry()].clientNonce = DigestAuthorization.freshNonce()
        entries[origin, default: Entry()].uses = 0
    }

    /// Whether the latest request has shown a server a ticket.
    func hasShownTicket(to origin: Origin) -> Bool {
        guard let entry = entries[origin], entry.credentials?.offer.isNegotiate == true else { return false }
        return entry.uses == 1
    }

    /// Takes a new number from a server that calls the one before stale, which is no refusal (RFC 7616, 3.3); false where
    /// it offers none, or nothing but new ones.
    mutating func renew(from offers: [AuthenticationOffer], _ origin: Origin) -> Bool {
        guard var entry = entries[origin], let known = entry.credentials, known.offer.isDigest, entry.uses > 0,
            let offer = offers.first(where: { $0.isDigest && $0.isStale && $0.realm == known.offer.realm })
        else { return false }
        entry.renewals = entry.uses > 1 ? 1 : entry.renewals + 1
        guard entry.renewals <= Self.renewalLimit else { return false }
        entries[origin] = entry
        give(HTTPCredentials(offer: offer, user: known.user, password: known.password), to: origin)
        return true
    }

    /// The `Authorization` field of a request; nil when its server was given nothing.
    mutating func field(for request: TransferRequest) -> String? {
        guard !isEmpty, let origin = try? Origin(request.url), var entry = entries[origin],
            let credentials = entry.credentials
        else { return nil }
        entry.uses += 1
        entries[origin] = entry
        return credentials.field(for: request, count: entry.uses, clientNonce: entry.clientNonce)
    }
}
