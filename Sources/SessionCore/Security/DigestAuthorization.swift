import CCurl
import SessionSupport

/// The answer to a Digest challenge: of RFC 7616, and of RFC 2069 if the server has no `qop`.
enum DigestAuthorization {
    /// The signed parts of a request.
    struct Action {
        var method: String
        /// Path and query as they are requested.
        var target: String
        var body: BodySpecification
    }

    /// The extent of the signature: the request line, or also the body.
    private enum Protection: String {
        case request = "auth"
        case requestAndBody = "auth-int"
    }

    /// The digest of an offer.
    private struct Algorithm {
        var digest: cc_digest_algorithm
        /// True if all requests that answer one offer share one secret.
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

    /// Returns whether a request can answer an offer.
    ///
    /// A digest over the body (`auth-int`) needs bytes in memory: the contents of a file or a stream are unknown before
    /// they are sent.
    static func canAnswer(_ offer: AuthenticationOffer, with body: BodySpecification) -> Bool {
        guard offer.isDigest, offer.realm != nil, offer.parameters["nonce"] != nil, let algorithm = algorithm(offer)
        else { return false }
        // An answer without `qop` contains no client nonce, so it allows no session algorithm.
        guard offer.parameters["qop"] != nil else { return !algorithm.isForSession }
        return protection(offer, body) != nil
    }

    /// Returns the field's value; nil if the cryptography library refuses the algorithm.
    ///
    /// - Parameters:
    ///   - count: the uses of the server's nonce, including this one.
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

    /// Returns an unguessable client nonce.
    static func freshNonce() -> String {
        String(UInt64.random(in: 0...(.max)), radix: 16) + String(UInt64.random(in: 0...(.max)), radix: 16)
    }

    // MARK: - Parts

    /// Returns the user's name: hashed if the server asks for it, encoded if it announces UTF-8 and the name needs it.
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

    /// Encodes every byte but letters, digits and the marks `-._~` as `%XX` (RFC 8187, 3.2.1).
    private static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain = ByteText.isLetter(byte) || ByteText.isDigit(byte) || "-._~".utf8.contains(byte)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + ByteText.hexadecimal([byte]).uppercased()
        }
    }

    /// Returns the digest of the signed parts.
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

    /// Returns the chosen protection; the request line alone if the server allows both, because proxies may change
    /// bodies.
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
