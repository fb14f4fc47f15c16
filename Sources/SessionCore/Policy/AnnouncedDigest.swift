import SessionSupport

/// The digest that a server announces with an answer, by which a download is compared that nobody has given another for.
///
/// Trusted is what is said of the whole file as it is saved: `Repr-Digest` (RFC 9530) and the older `Digest` (RFC 3230) of
/// a whole answer or of a part of it, and `Content-Digest` and `Content-MD5`, which are of the bytes that are sent, of a
/// whole answer alone. Nothing is, where the answer is coded: what in between codes bodies seldom changes these fields.
enum AnnouncedDigest {
    /// The strongest digest that an answer announces; nil where it announces none that can be trusted.
    static func checksum(of head: ResponseHead) -> Checksum? {
        guard head.statusCode == 200 || head.statusCode == 206, head.headers.contains(where: { names($0.name) }),
            !isCoded(head)
        else { return nil }
        func text(_ name: String) -> String { head.headers.values(named: name).joined(separator: ",") }
        if let known = dictionary(text("Repr-Digest")) ?? list(text("Digest")) { return known }
        guard head.statusCode == 200 else { return nil }
        return dictionary(text("Content-Digest")) ?? checksum(.md5, text("Content-MD5"))
    }

    /// Whether a field is one of those, told without a copy: most answers have none, and a list has thousands.
    private static func names(_ field: String) -> Bool {
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

    /// A dictionary of byte sequences (RFC 9651, 3.2), as RFC 9530 has it; the last of a key counts.
    private static func dictionary(_ text: String) -> Checksum? {
        strongest(of: text) { value in
            // Parameters may follow; none has a meaning.
            guard value.hasPrefix(":"), let end = value.dropFirst().firstIndex(of: ":") else { return nil }
            return value[value.index(after: value.startIndex)..<end]
        }
    }

    /// A list of algorithms with values, as RFC 3230 has it.
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

    /// Weak ones are not trusted under these names: whoever has them has better ones too.
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
