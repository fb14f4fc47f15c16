/// Removes secrets from text before it reaches a screen, a line, a log, JSON or the disk.
///
/// It knows the places that secrets have by convention: user names and passwords in URLs, values of queries and
/// fragments whose name says that they open something, and the header fields that carry credentials. It works on the
/// text alone and never fails, because a URL that cannot be parsed may hold secrets too.
package enum Redaction {
    /// What stands in place of a secret.
    package static let mask = "***"

    // Lower-case bytes: a name is compared with all of them, and searching strings took a third of a key's time.
    private static let secretWords = bytes(
        "sig", "token", "key", "auth", "pass", "secret", "credential", "session", "sessid")
    private static let secretNames = bytes("se", "sp", "sv", "pw", "pwd", "code", "jwt", "sid")
    private static let secretPrefixes = bytes("x-amz-", "x-goog-")
    /// The fields whose names hold none of the words above.
    private static let secretFields = bytes("cookie", "set-cookie")

    private static func bytes(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }

    /// What becomes of the user name and the password of a URL.
    package enum UserInfo {
        /// A mask shows that there was one: for people.
        case masked
        /// The secret is removed whole, so that the text is a URL of the same resource: for what is stored.
        case removed
    }

    /// The URL without its user name and password, and without the values of secret names in query and fragment.
    package static func url(_ text: String, userInfo: UserInfo = .masked) -> String {
        // Most URLs have neither a user nor a query, nor another URL in them.
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3F || $0 == 0x23 || $0 == 0x25 }) else { return text }
        return NestedText.redacted(withoutUserInfo(text, userInfo))
    }

    /// A redacted URL that was edited, with the secrets of the URL that it was made from in place of their masks.
    ///
    /// Nil where it is not sure which secret a mask stands for, and where the secrets would go to another server.
    package static func restored(_ edited: String, from original: String) -> String? {
        let (new, old) = (URLScan(edited), URLScan(original))
        func text(_ part: Range<String.Index>?, of whole: String) -> Substring? { part.map { whole[$0] } }
        func isSame(_ part: KeyPath<URLScan, Range<String.Index>?>) -> Bool {
            let left = text(new[keyPath: part], of: edited).map { ByteText.lowercased(String($0)) }
            let right = text(old[keyPath: part], of: original).map { ByteText.lowercased(String($0)) }
            return left == right
        }
        guard new.host != nil, isSame(\.scheme), isSame(\.host), isSame(\.port) else { return nil }
        var result = edited
        // From the end to the front, so that the places before stay where they are.
        let parameters = secretValues(in: original)
        for masked in secretValues(in: edited).reversed() where masked.value == mask {
            let known = parameters.filter { $0.name == masked.name }
            guard let secret = known.first, known.count == 1 else { return nil }
            result.replaceSubrange(masked.range, with: secret.value)
        }
        if let masked = new.userInfo, edited[masked] == mask {
            guard let secret = text(old.userInfo, of: original) else { return nil }
            result.replaceSubrange(masked, with: secret)
        }
        return result.contains(mask) ? nil : result
    }

    /// The parameters with secret names in query and fragment, and where their values stand.
    private static func secretValues(
        in text: String
    ) -> [(name: Substring, value: Substring, range: Range<String.Index>)] {
        guard let start = text.utf8.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) else { return [] }
        return text[start...].split(whereSeparator: { "?#&;".contains($0) }).compactMap { part in
            guard let equals = part.firstIndex(of: "="), hidesParameter(String(part[..<equals])) else { return nil }
            let value = part[part.index(after: equals)...]
            return (part[..<equals], value, value.startIndex..<value.endIndex)
        }
    }

    /// The value of a header field, or a mask in its place.
    package static func header(name: String, value: String) -> String {
        hidesField(name) ? mask : value
    }

    /// Whether a header field of this name carries a secret.
    package static func hidesField(_ name: String) -> Bool {
        let plain = name.utf8.map(ByteText.lowercased)
        return secretFields.contains(plain) || hidesParameter(name)
    }

    /// Whether a body has a member whose value is a secret by its name, as a form writes it (`password=x`) or JSON
    /// (`"password": "x"`).
    package static func hidesMember(of body: [UInt8]) -> Bool {
        var name: [UInt8] = []
        var isOver = false
        for byte in body {
            switch byte {
            case UInt8(ascii: "="), UInt8(ascii: ":"):
                if !name.isEmpty, hidesParameter(String(decoding: name, as: UTF8.self)) { return true }
                name = []
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "%"):
                if isOver { name = [] }
                name.append(byte)
                isOver = false
            // The name may end here, in front of blanks and a colon.
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "'"): isOver = true
            default: name = []
            }
        }
        return false
    }

    /// Whether a body is text with such a member; other bytes look like one by chance.
    package static func hidesBody(_ body: [UInt8]) -> Bool {
        body.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } && hidesMember(of: body)
    }

    /// Whether a query parameter of this name carries a secret, also when its name is percent-encoded.
    package static func hidesParameter(_ name: String) -> Bool {
        let plain = ByteText.percentDecoded(name).map(ByteText.lowercased)
        return secretNames.contains(plain) || secretPrefixes.contains { plain.starts(with: $0) }
            || secretWords.contains { holds($0, in: plain) }
    }

    private static func holds(_ word: [UInt8], in name: [UInt8]) -> Bool {
        guard let first = word.first, name.count >= word.count else { return false }
        for start in 0...name.count - word.count where name[start] == first {
            if name[start...].starts(with: word) { return true }
        }
        return false
    }

    private static func withoutUserInfo(_ text: String, _ userInfo: UserInfo) -> String {
        guard let secret = userInfoRange(in: text) else { return text }
        switch userInfo {
        case .masked: return String(text[..<secret.lowerBound]) + mask + text[secret.upperBound...]
        case .removed: return String(text[..<secret.lowerBound]) + text[text.utf8.index(after: secret.upperBound)...]
        }
    }

    /// Where a user name and a password stand; also in what was typed without a scheme, and before a backslash, which
    /// some programs take for a slash.
    private static func userInfoRange(in text: String) -> Range<String.Index>? {
        let scan = URLScan(text)
        if let userInfo = scan.userInfo { return userInfo }
        guard scan.host == nil else { return nil }
        let start = scan.path.lowerBound
        let authority = text.utf8[scan.path].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }
}
