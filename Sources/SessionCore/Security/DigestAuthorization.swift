import Support

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
