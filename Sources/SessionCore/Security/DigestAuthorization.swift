import CCurl
import SessionSupport

/// The answer to a Digest challenge: of RFC 7616, and of RFC 2069 where a server knows no `qop`.
enum DigestAuthorization {
    /// A request, as far as it is signed.
    struct Action {
        var method: String
        /// The path and query as they are requested.
        var target: String
        var body: BodySpecification
    }

    /// What is signed: the request line, or the body too.
    private enum Protection: String {
        case request = "auth"
        case requestAndBody = "auth-int"
    }

    /// How the digests are made.
    private struct Algorithm {
        var digest: cc_digest_algorithm
        /// Whether the secret is made once for all requests that answer one offer.
        var isForSession: Bool

        init?(_ name: String) {
            let name = ByteText.lowercased(name)
            isForSession = name.hasSuffix("-sess")
            switch isForSession ? String(name.dropLast(5)) : name {
            case "md5": digest = CC_DIGEST_MD5
            case "sha-256": digest = CC_DIGEST_SHA256
            case "sha-512-256": digest = CC_DIGEST_SHA512_256
            default: return nil
            }
        }

        func hash(_ bytes: some Sequence<UInt8>) -> String? {
            (try? Digest.of(bytes, digest)).map { ByteText.hexadecimal($0) }
        }

        func hash(_ text: String) -> String? { hash(text.utf8) }
    }

    /// Whether a request can answer an offer.
    ///
    /// A digest over the body (`auth-int`) is made of bytes in memory alone: what a file or a stream holds is not known
    /// before it is sent.
    static func canAnswer(_ offer: AuthenticationOffer, with body: BodySpecification) -> Bool {
        guard offer.isDigest, offer.realm != nil, offer.parameters["nonce"] != nil, let algorithm = algorithm(offer)
        else { return false }
        // Nothing of the client's goes into an answer without `qop`, so there is no session.
        guard offer.parameters["qop"] != nil else { return !algorithm.isForSession }
        return protection(offer, body) != nil
    }

    /// The field's value; nil where the cryptography library refuses the algorithm.
    ///
    /// - Parameters:
    ///   - count: how often the server's nonce was used, this time included.
    ///   - clientNonce: see ``freshNonce()``.
    static func field(
        _ credentials: HTTPCredentials, _ action: Action, count: Int, clientNonce: String
    ) -> String? {
        let offer = credentials.offer
        guard let algorithm = algorithm(offer), let realm = offer.realm, let nonce = offer.parameters["nonce"],
            var secret = algorithm.hash("\(credentials.user):\(realm):\(credentials.password)")
        else { return nil }
        if algorithm.isForSession {
            guard let session = algorithm.hash("\(secret):\(nonce):\(clientNonce)") else { return nil }
            secret = session
        }
        let protection = protection(offer, action.body)
        guard protection != nil || offer.parameters["qop"] == nil,
            let signed = signed(action, protection, algorithm)
        else { return nil }
        let digits = String(count, radix: 16)
        let counter = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let use = protection.map { "\(counter):\(clientNonce):\($0.rawValue):" } ?? ""
        guard let response = algorithm.hash("\(secret):\(nonce):\(use)\(signed)"),
            var field = userFields(credentials, algorithm, realm)
        else { return nil }
        field += ", realm=\(quoted(realm)), nonce=\(quoted(nonce)), uri=\(quoted(action.target))"
        if let protection { field += ", qop=\(protection.rawValue), nc=\(counter), cnonce=\(quoted(clientNonce))" }
        field += ", response=\(quoted(response))"
        if let name = offer.parameters["algorithm"] { field += ", algorithm=\(name)" }
        if let opaque = offer.parameters["opaque"] { field += ", opaque=\(quoted(opaque))" }
        return "Digest " + field
    }

    /// A number of the client's own that nobody can guess.
    static func freshNonce() -> String {
        String(UInt64.random(in: 0...(.max)), radix: 16) + String(UInt64.random(in: 0...(.max)), radix: 16)
    }

    // MARK: - Parts

    /// The user's name: hashed where the server asks for that, encoded where it announces UTF-8 and the name needs it.
    private static func userFields(_ credentials: HTTPCredentials, _ algorithm: Algorithm, _ realm: String) -> String? {
        let user = credentials.user
        if credentials.offer.isTrue("userhash") {
            return algorithm.hash("\(user):\(realm)").map {
                ["userhash=true", "username=\(quoted($0))"].joined(separator: ", ")
            }
        }
        let isPlain = user.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        guard !isPlain, ByteText.lowercased(credentials.offer.parameters["charset"] ?? "") == "utf-8" else {
            return "username=\(quoted(user))"
        }
        return "username*=UTF-8''\(percentEncoded(user))"
    }

    /// Writes everything but letters, digits and the marks that need it nowhere as `%XX` (RFC 8187, 3.2.1).
    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain = ByteText.isLetter(byte) || ByteText.isDigit(byte) || "-._~".utf8.contains(byte)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + ByteText.hexadecimal([byte]).uppercased()
        }
    }

    /// The digest of what is asked for.
    private static func signed(_ action: Action, _ protection: Protection?, _ algorithm: Algorithm) -> String? {
        var text = "\(action.method):\(action.target)"
        if protection == .requestAndBody {
            guard let digest = bytes(of: action.body).flatMap({ algorithm.hash($0) }) else { return nil }
            text += ":\(digest)"
        }
        return algorithm.hash(text)
    }

    private static func bytes(of body: BodySpecification) -> [UInt8]? {
        switch body {
        case .none: []
        case .bytes(let bytes): bytes
        case .file, .descriptor, .pieces: nil
        }
    }

    /// The protection that is chosen; the request line alone, where the server lets choose: proxies may change bodies.
    private static func protection(_ offer: AuthenticationOffer, _ body: BodySpecification) -> Protection? {
        let names = (offer.parameters["qop"] ?? "").split(separator: ",").map {
            ByteText.lowercased(ByteText.trimmed($0))
        }
        if names.contains(Protection.request.rawValue) { return .request }
        return names.contains(Protection.requestAndBody.rawValue) && bytes(of: body) != nil ? .requestAndBody : nil
    }

    private static func algorithm(_ offer: AuthenticationOffer) -> Algorithm? {
        Algorithm(offer.parameters["algorithm"] ?? "md5")
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
