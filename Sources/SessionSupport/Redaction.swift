/// Removes secrets from text before it reaches a screen, a line, a log, JSON or the disk.
///
/// It knows the places that secrets have by convention: user names and passwords in URLs, values of queries and
/// fragments whose name says that they open something, and the header fields that carry credentials. In what people see,
/// long random values are hidden whatever their names are. It works on the text alone and never fails, because a URL
/// that cannot be parsed may hold secrets too.
package enum Redaction {
    /// What stands in place of a secret.
    package static let mask = "***"

    /// What becomes of the user name and the password of a URL.
    package enum UserInfo {
        /// A mask shows that there was one: for people, who do not see random values either.
        case masked
        /// The secret is removed whole, so that the text is a URL of the same resource: for what is stored. Random values
        /// stay where their names do not say that they are secrets, because most name a file.
        case removed
    }

    /// The URL without its user name and password, and without the secrets among the parameters of path, query and
    /// fragment.
    package static func url(_ text: String, userInfo: UserInfo = .masked) -> String {
        // Most URLs have neither a user nor a parameter, nor another URL in them.
        guard hasSign(text) else { return text }
        return NestedText.redacted(withoutUserInfo(text, userInfo), byShape: userInfo == .masked)
    }

    /// Whether a text has one of `@?#%=`.
    private static func hasSign(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices {
            switch bytes[index] {
            case 0x40, 0x3F, 0x23, 0x25, 0x3D: return true
            default: continue
            }
        }
        return false
    }

    /// A redacted URL that was edited, with the secrets of the URL that it was made from in place of their masks.
    ///
    /// Nil where it is not sure which secret a mask stands for, and where the secrets would go to another server.
    package static func restored(_ edited: String, from original: String) -> String? {
        let (new, old) = (URLScan(edited), URLScan(original))
        func text(_ part: Range<String.Index>?, of whole: String) -> Substring? { part.map { whole[$0] } }
        guard URLScan.haveSameServer(edited, original) else { return nil }
        var result = edited
        // From the end to the front, so that the places before stay where they are.
        let parameters = Self.parameters(in: original)
        for masked in Self.parameters(in: edited).reversed() where masked.value == mask {
            let known = parameters.filter { $0.name == masked.name && (!$0.name.isEmpty || $0.isRandom) }
            guard let secret = known.first, known.count == 1 else { return nil }
            result.replaceSubrange(masked.range, with: secret.value)
        }
        if let masked = new.userInfo, edited[masked] == mask {
            guard let secret = text(old.userInfo, of: original) else { return nil }
            result.replaceSubrange(masked, with: secret)
        }
        return result.contains(mask) ? nil : result
    }

    /// A parameter of path, query or fragment; a value without a name has an empty one.
    private struct Parameter {
        var name: Substring
        var value: Substring
        /// Whether it is the whole or the first one of the fragment.
        var isFragment = false
        var range: Range<String.Index> { value.startIndex..<value.endIndex }
        var isRandom: Bool { SecretShape.isRandom(ByteText.percentDecoded(value), isFragment: isFragment) }
    }

    private static func parameters(in text: String) -> [Parameter] {
        let path = URLScan(text).path
        let inPath = text[path].split { "/;".contains($0) }.filter { $0.contains("=") }
        return (inPath + text[path.upperBound...].split { "?#&;".contains($0) }).map { part in
            guard let equals = part.firstIndex(of: "=") else {
                return Parameter(name: "", value: part, isFragment: text[..<part.startIndex].hasSuffix("#"))
            }
            return Parameter(name: part[..<equals], value: part[part.index(after: equals)...])
        }
    }

    /// The value of a header field, or a mask in its place; of URLs in it their secrets are masked.
    package static func header(name: String, value: String) -> String {
        let plain = ByteText.lowercased(name)
        if challengeFields.contains(plain) { return SecretShape.masked(value, mask: mask) }
        if hidesField(name) { return mask }
        return urlFields.contains(plain) || value.contains("://") ? urls(in: value) : value
    }

    /// The fields that say how to prove who one is; of their values only what is random could open something.
    private static let challengeFields: Set<String> = ["www-authenticate", "proxy-authenticate"]
    /// The fields whose values are URLs, with or without a host.
    private static let urlFields: Set<String> = ["location", "content-location", "referer", "refresh", "link"]

    private static func urls(in value: String) -> String {
        let ends = "<>\"', "
        var result = ""
        var rest = value[...]
        while !rest.isEmpty {
            let word = rest.prefix { !ends.contains($0) }
            // `Refresh` has a name in front of its URL.
            let scheme = word.firstRange(of: "://")?.lowerBound ?? word.startIndex
            let start = word[..<scheme].lastIndex(of: "=").map { word.index(after: $0) } ?? word.startIndex
            result += word[..<start] + url(String(word[start...]))
            rest = rest[word.endIndex...]
            if let end = rest.popFirst() { result.append(end) }
        }
        return result
    }

    /// Whether a header field of this name carries a secret.
    package static func hidesField(_ name: String) -> Bool {
        SecretName.hidesField(name) && !challengeFields.contains(ByteText.lowercased(name))
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
    package static func hidesParameter(_ name: String) -> Bool { SecretName.hidesParameter(name) }

    /// Whether a parameter carries a secret: by its name, and for people by the shape of its value too.
    package static func hidesParameter(_ name: String, value: some StringProtocol, userInfo: UserInfo) -> Bool {
        let bytes = Array(value.utf8)
        return SecretName.hidesParameter(name, value: bytes) || userInfo == .masked && SecretShape.isRandom(bytes)
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
