import SessionSupport

/// A name and a password for what one server offered.
struct HTTPCredentials: Sendable, Equatable {
    var offer: AuthenticationOffer
    var user: String
    var password: String

    /// The value of the `Authorization` field for a request; nil where these credentials cannot be written down.
    ///
    /// - Parameter count: how often they were used, this time included.
    func field(for request: TransferRequest, count: Int) -> String? {
        if DigestAuthorization.canAnswer(offer) {
            guard let url = try? ParsedURL(request.url) else { return nil }
            let target = url.path + (url.query.map { "?" + $0 } ?? "")
            let clientNonce =
                String(UInt64.random(in: 0...(.max)), radix: 16)
                + String(UInt64.random(in: 0...(.max)), radix: 16)
            let field = DigestAuthorization.field(
                self, method: request.method, target: target, count: count, clientNonce: clientNonce)
            return field.flatMap { (try? HeaderValidator.validate(name: "Authorization", value: $0)) == nil ? nil : $0 }
        }
        // A colon in the name would move part of it into the password (RFC 7617, 2).
        guard !user.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}

/// Which credentials go to which server: never to another one than they were given for.
struct OriginCredentials: Sendable {
    /// Refusals after which nobody is asked any more: a caller that always answers would try for ever.
    static let refusalLimit = 3

    private struct Entry: Sendable {
        var credentials: HTTPCredentials?
        var uses = 0
        var refusals = 0
    }

    private var entries: [Origin: Entry] = [:]
    /// Whether what the request's options have was given to a server that asked.
    var hasAnswered = false

    /// Whether nothing may be shown to anybody.
    var isEmpty: Bool { entries.isEmpty }

    /// How often a server refused what was given.
    func refusals(by origin: Origin) -> Int { entries[origin]?.refusals ?? 0 }

    /// Records that a server asks; if it was shown credentials, it has refused them.
    mutating func recordChallenge(from origin: Origin) {
        guard var entry = entries[origin], entry.credentials != nil else { return }
        entry.refusals += 1
        entry.credentials = nil
        entries[origin] = entry
    }

    /// Stores credentials, which are shown to one server from now on.
    mutating func give(_ credentials: HTTPCredentials, to origin: Origin) {
        entries[origin, default: Entry()].credentials = credentials
        entries[origin, default: Entry()].uses = 0
    }

    /// The `Authorization` field of a request; nil when its server was given nothing.
    mutating func field(for request: TransferRequest) -> String? {
        guard !isEmpty, let origin = try? Origin(request.url), var entry = entries[origin],
            let credentials = entry.credentials
        else { return nil }
        entry.uses += 1
        entries[origin] = entry
        return credentials.field(for: request, count: entry.uses)
    }
}

/// The answer to a Digest challenge (RFC 7616), for `qop=auth` and the algorithms MD5 and SHA-256.
enum DigestAuthorization {
    /// Whether an offer is one of those.
    static func canAnswer(_ offer: AuthenticationOffer) -> Bool {
        guard ByteText.lowercased(offer.scheme) == "digest", offer.realm != nil, offer.parameters["nonce"] != nil,
            algorithm(offer) != nil
        else { return false }
        guard let protections = offer.parameters["qop"] else { return false }
        return protections.split(separator: ",").contains { ByteText.lowercased(ByteText.trimmed($0)) == "auth" }
    }

    /// The field's value; nil where the cryptography library refuses the algorithm.
    ///
    /// - Parameters:
    ///   - target: the path and query as they are requested.
    ///   - count: how often the server's nonce was used, this time included.
    ///   - clientNonce: fresh and unguessable.
    static func field(
        _ credentials: HTTPCredentials, method: String, target: String, count: Int, clientNonce: String
    ) -> String? {
        let offer = credentials.offer
        guard let algorithm = algorithm(offer), let realm = offer.realm, let nonce = offer.parameters["nonce"],
            let secret = hash("\(credentials.user):\(realm):\(credentials.password)", algorithm),
            let action = hash("\(method):\(target)", algorithm)
        else { return nil }
        let digits = String(count, radix: 16)
        let counter = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        guard let response = hash("\(secret):\(nonce):\(counter):\(clientNonce):auth:\(action)", algorithm) else {
            return nil
        }
        var field = "Digest username=\(quoted(credentials.user)), realm=\(quoted(realm)), nonce=\(quoted(nonce))"
        field += ", uri=\(quoted(target)), qop=auth, nc=\(counter), cnonce=\(quoted(clientNonce))"
        field += ", response=\(quoted(response))"
        if let name = offer.parameters["algorithm"] { field += ", algorithm=\(name)" }
        if let opaque = offer.parameters["opaque"] { field += ", opaque=\(quoted(opaque))" }
        return field
    }

    private static func algorithm(_ offer: AuthenticationOffer) -> Checksum.Algorithm? {
        switch ByteText.lowercased(offer.parameters["algorithm"] ?? "md5") {
        case "md5": .md5
        case "sha-256": .sha256
        default: nil
        }
    }

    private static func hash(_ text: String, _ algorithm: Checksum.Algorithm) -> String? {
        (try? Digest.of(text.utf8, algorithm)).map { ByteText.hexadecimal($0) }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { result.append("\\") }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
