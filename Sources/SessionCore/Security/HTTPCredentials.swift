import SessionSupport

/// A name and a password for a server's offer, or a ticket instead of the password.
struct HTTPCredentials: Sendable, Equatable {
    var offer: AuthenticationOffer
    var user: String
    var password: String

    /// Returns the `Authorization` field's value for a request; nil if these credentials cannot be encoded.
    ///
    /// - Parameters:
    ///   - count: the uses so far, including this one.
    ///   - clientNonce: the client nonce used since the server made its offer.
    func field(for request: TransferRequest, count: Int, clientNonce: String) -> String? {
        // A ticket is sent only once: a server treats a repeated one as stolen.
        if offer.isNegotiate { return count == 1 ? "Negotiate " + password : nil }
        guard offer.isDigest else { return basicField }
        guard let url = try? ParsedURL(request.url) else { return nil }
        let action = DigestAuthorization.Action(method: request.method, target: url.target, body: request.body)
        return field(for: action, count: count, clientNonce: clientNonce)
    }

    /// Returns the field's value for a request to a proxy.
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

/// The credentials of each server; they never go to another server.
struct OriginCredentials: Sendable, Equatable {
    /// Refusals after which the caller is no longer asked: one that always answers would loop for ever.
    static let refusalLimit = 3
    /// Consecutive times that a server may call its own new offer stale.
    private static let renewalLimit = 3

    private struct Entry: Sendable, Equatable {
        var credentials: HTTPCredentials?
        /// Constant for all requests that answer one offer, as the session algorithms demand (RFC 7616, 3.4.2).
        var clientNonce = ""
        var uses = 0
        var refusals = 0
        var renewals = 0
        /// The origin of the request's own credentials; nil until they were given.
        var source: Source?
    }

    /// The part of a request that has a name and a password.
    enum Source: Sendable {
        /// They are for the request's server alone.
        case options
        case url
    }

    private var entries: [Origin: Entry] = [:]

    /// True if no credentials were given for any server.
    var isEmpty: Bool { entries.isEmpty }

    /// Returns how often a server refused credentials.
    func refusals(by origin: Origin) -> Int { entries[origin]?.refusals ?? 0 }

    /// Returns the source of the request's own credentials that were sent to a server; nil for none.
    func answerSource(for origin: Origin) -> Source? { entries[origin]?.source }

    /// Records a server's challenge; if it was sent credentials, it has refused them.
    mutating func recordChallenge(from origin: Origin) {
        guard var entry = entries[origin], entry.credentials != nil else { return }
        entry.refusals += 1
        entry.credentials = nil
        entries[origin] = entry
    }

    /// Stores credentials for one server.
    mutating func give(_ credentials: HTTPCredentials, to origin: Origin, from source: Source? = nil) {
        entries[origin, default: Entry()].credentials = credentials
        if let source { entries[origin]?.source = source }
        entries[origin, default: Entry()].clientNonce = DigestAuthorization.freshNonce()
        entries[origin, default: Entry()].uses = 0
    }

    /// Returns whether the latest request sent a ticket to a server.
    func hasShownTicket(to origin: Origin) -> Bool {
        guard let entry = entries[origin], entry.credentials?.offer.isNegotiate == true else { return false }
        return entry.uses == 1
    }

    /// Takes a new nonce from a server that calls the previous one stale, which is not a refusal (RFC 7616, 3.3); false
    /// if it offers none, or too many new ones in a row.
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

    /// Returns the `Authorization` field of a request; nil without credentials for its server.
    mutating func field(for request: TransferRequest) -> String? {
        guard !isEmpty, let origin = try? Origin(request.url), var entry = entries[origin],
            let credentials = entry.credentials
        else { return nil }
        entry.uses += 1
        entries[origin] = entry
        return credentials.field(for: request, count: entry.uses, clientNonce: entry.clientNonce)
    }
}
