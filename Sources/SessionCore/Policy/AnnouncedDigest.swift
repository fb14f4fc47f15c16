import SessionSupport

/// The digest that a server announces with a response, used to verify a download without a digest from the user.
///
/// `Repr-Digest` (RFC 9530) and the older `Digest` (RFC 3230) describe the full file as it is saved, so they are
/// trusted in a 200 and a 206. `Content-Digest` and `Content-MD5` describe the sent bytes: in a 206 only the range. No
/// digest is trusted with a content coding: intermediaries that encode a body seldom update these fields.
enum AnnouncedDigest {
    /// Returns the strongest digest that a response announces; nil if none can be trusted.
    static func checksum(of head: ResponseHead) -> Checksum? {
        guard head.statusCode == 200 || head.statusCode == 206, head.headers.contains(where: { names($0.name) }),
            !isCoded(head)
        else { return nil }
        func text(_ name: String) -> String { head.headers.values(named: name).joined(separator: ",") }
        if let known = dictionary(text("Repr-Digest")) ?? list(text("Digest")) { return known }
        return head.statusCode == 200 ? content(of: head) : nil
    }

    /// Returns the strongest digest of the bytes that a response sends, in a 206 of the range alone; nil if none
    /// can be trusted.
    static func content(of head: ResponseHead) -> Checksum? {
        guard head.statusCode == 200 || head.statusCode == 206, head.headers.contains(where: { names($0.name) }),
            !isCoded(head)
        else { return nil }
        func text(_ name: String) -> String { head.headers.values(named: name).joined(separator: ",") }
        return dictionary(text("Content-Digest")) ?? checksum(.md5, text("Content-MD5"))
    }

    /// Returns the digest by which a range can be checked before the file is complete; nil for none.
    ///
    /// - Parameter file: the digest of the complete file, which some servers send as the one of each range.
    static func range(of head: ResponseHead, file: Checksum?) -> Checksum? {
        guard head.statusCode == 206, let found = content(of: head), found != file, found != checksum(of: head) else {
            return nil
        }
        return found
    }

    /// Returns the strongest digest that the trailer fields of a response announce; nil if none can be trusted.
    static func checksum(of head: ResponseHead, trailers: HeaderFields) -> Checksum? {
        var head = head
        for field in trailers { head.headers.append(name: field.name, value: field.value) }
        return checksum(of: head)
    }

    /// Tests a field's name without a copy: most responses have no digest, and a list has thousands of responses.
    static func names(_ field: String) -> Bool {
        switch field.utf8.count {
        case 6, 11, 14:
            guard let last = field.utf8.last, last | 0x20 == UInt8(ascii: "t") || last == UInt8(ascii: "5") else {
                return false
            }
            return ["repr-digest", "digest", "content-digest", "content-md5"].contains(ByteText.lowercased(field))
        default: return false
        }
    }

    private static func isCoded(_ head: ResponseHead) -> Bool {
        head.headers.values(named: "Content-Encoding").contains { value in
            value.split(separator: ",").contains { ByteText.lowercased(ByteText.trimmed($0)) != "identity" }
        }
    }

    /// Reads a dictionary of byte sequences (RFC 9651, 3.2), as in RFC 9530; the last value of a key counts.
    private static func dictionary(_ text: String) -> Checksum? {
        strongest(of: text) { value in
            // Parameters may follow; none has a meaning.
            guard value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":") else { return nil }
            return value[value.index(after: value.startIndex)..<end]
        }
    }

    /// Reads a list of algorithms with values, as in RFC 3230.
    private static func list(_ text: String) -> Checksum? { strongest(of: text) { $0 } }

    private static func strongest(of text: String, value: (Substring) -> Substring?) -> Checksum? {
        var found: [Checksum.Algorithm: Checksum] = [:]
        for member in text.split(separator: ",") {
            let member = ByteText.trimmed(member)
            guard let equals = member.firstIndex(of: "="),
                let algorithm = algorithm(ByteText.lowercased(member[..<equals])),
                let encoded = value(member[member.index(after: equals)...])
            else { continue }
            found[algorithm] = checksum(algorithm, encoded)
        }
        return found[.sha512] ?? found[.sha256]
    }

    /// Weak algorithms are ignored in these fields: servers that offer them offer stronger ones too.
    private static func algorithm(_ name: String) -> Checksum.Algorithm? {
        switch name {
        case "sha-256": .sha256
        case "sha-512": .sha512
        default: nil
        }
    }

    private static func checksum(_ algorithm: Checksum.Algorithm, _ encoded: some StringProtocol) -> Checksum? {
        guard let digest = Base64.decode(encoded), digest.count == algorithm.byteCount else { return nil }
        return Checksum(algorithm: algorithm, digest: digest)
    }
}
