/// Removes secrets from text before it reaches a screen, a line, a log, JSON or the disk.
///
/// It knows the usual positions of secrets: user names and passwords in URLs, query and fragment values with a secret's
/// name, and the header fields that carry credentials. In displayed text, long random values are hidden whatever their
/// names. It works on the text alone and never fails, because an invalid URL may contain secrets too.
package enum Redaction {
    /// Replaces a secret.
    package static let mask = "***"

    /// The treatment of a URL's user info.
    package enum UserInfo {
        /// A mask shows its presence: for display, which also hides random values.
        case masked
        /// It is removed completely, so that the text is a URL of the same resource: for storage. Random values stay
        /// unless their names mark them as secrets, because most name a file.
        case removed
    }

    /// Returns the URL without its user info, and without secrets in the parameters of path, query and fragment.
    package static func url(_ text: String, userInfo: UserInfo = .masked) -> String {
        let text = SecretValues.masked(text)
        // Most URLs have no user info, no parameter and no inner URL.
        guard hasSign(text) else { return text }
        return NestedText.redacted(withoutUserInfo(text, userInfo), byShape: userInfo == .masked)
    }

    /// Returns whether a text contains one of `@?#%=`.
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

    /// Replaces the masks in an edited URL by the secrets of the original one.
    ///
    /// Nil if a mask is ambiguous, or if the secrets would go to another server.
    package static func restored(_ edited: String, from original: String) -> String? {
        let (new, old) = (URLScan(edited), URLScan(original))
        func text(_ part: Range<String.Index>?, of full: String) -> Substring? { part.map { full[$0] } }
        guard URLScan.haveSameServer(edited, original) else { return nil }
        var result = edited
        // Replacing from the end keeps the earlier ranges valid.
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

    /// A parameter of path, query or fragment; a value without a name has an empty name.
    private struct Parameter {
        var name: Substring
        var value: Substring
        /// True for the first or only parameter of the fragment.
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

    /// Returns a header field's value, or a mask; in a value with URLs only their secrets are masked.
    package static func header(name: String, value: String) -> String {
        let plain = ByteText.lowercased(name)
        if challengeFields.contains(plain) { return SecretShape.masked(value, mask: mask) }
        if hidesField(name) { return mask }
        return urlFields.contains(plain) || value.contains("://") ? urls(in: value) : SecretValues.masked(value)
    }

    /// The fields that ask for authentication; only random words in their values could be secrets.
    private static let challengeFields: Set<String> = ["www-authenticate", "proxy-authenticate"]
    /// The fields whose values are URLs, with or without a host.
    private static let urlFields: Set<String> = ["location", "content-location", "referer", "refresh", "link"]

    private static func urls(in value: String) -> String {
        let ends = "<>\"', "
        var result = ""
        var rest = value[...]
        while !rest.isEmpty {
            let word = rest.prefix { !ends.contains($0) }
            // `Refresh` has a name before its URL.
            let scheme = word.firstRange(of: "://")?.lowerBound ?? word.startIndex
            let start = word[..<scheme].lastIndex(of: "=").map { word.index(after: $0) } ?? word.startIndex
            result += word[..<start] + url(String(word[start...]))
            rest = rest[word.endIndex...]
            if let end = rest.popFirst() { result.append(end) }
        }
        return result
    }

    /// Returns whether a header field of this name carries a secret.
    package static func hidesField(_ name: String) -> Bool {
        SecretName.hidesField(name) && !challengeFields.contains(ByteText.lowercased(name))
    }

    /// Returns whether a body has a member whose name marks a secret, in a form (`password=x`) or in JSON (`"password":
    /// "x"`).
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
            // The name may end here, before blanks and a colon.
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "'"): isOver = true
            default: name = []
            }
        }
        return false
    }

    /// Masks the random words in a sentence of another program, and the known secrets of this one.
    package static func sentence(_ text: String) -> String {
        SecretShape.masked(SecretValues.masked(text), mask: mask)
    }

    /// Returns whether a body is text with such a member; binary data can look like one by chance.
    package static func hidesBody(_ body: [UInt8]) -> Bool {
        body.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } && hidesMember(of: body)
    }

    /// Returns whether a query parameter of this name carries a secret, even with a percent-encoded name.
    package static func hidesParameter(_ name: String) -> Bool { SecretName.hidesParameter(name) }

    /// Returns whether a parameter carries a secret: by its name, and for display also by its value's shape.
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

    /// Returns the range of the user info, also in text without a scheme, and before a backslash, which some programs
    /// treat as a slash.
    private static func userInfoRange(in text: String) -> Range<String.Index>? {
        let scan = URLScan(text)
        if let userInfo = scan.userInfo { return userInfo }
        guard scan.host == nil else { return nil }
        let start = scan.path.lowerBound
        let authority = text.utf8[scan.path].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
        return authority.lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
    }
}
