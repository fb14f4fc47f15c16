/// Takes secrets out of text before it reaches a line, a log or JSON.
///
/// It knows the places secrets have by convention: user names and passwords in URLs, values of queries and fragments
/// whose name says that they open something, and the header fields that carry credentials.
enum Redaction {
    private static let mark = "***"
    // As the library has them for what it stores and says.
    private static let secretWords = ["sig", "token", "key", "auth", "pass", "secret", "credential", "session"]
    private static let secretNames: Set<String> = ["se", "sp", "sv", "pw", "pwd", "code", "jwt"]
    private static let secretPrefixes = ["x-amz-", "x-goog-"]
    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
    ]

    /// The URL without its password, user and the values of secret names in query and fragment.
    static func url(_ text: String) -> String {
        // Most URLs have neither a user nor a query.
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3F || $0 == 0x23 }) else { return text }
        return parameters(in: userInfo(in: text))
    }

    /// The value of a header field, or a mark in its place.
    static func header(name: String, value: String) -> String {
        hides(name: name) ? mark : value
    }

    /// Whether a header field of this name carries a secret.
    static func hides(name: String) -> Bool {
        let lowered = name.lowercased()
        return secretHeaders.contains(lowered) || isSecret(name: lowered)
    }

    private static func userInfo(in text: String) -> String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let authority = text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<start] + mark + text[at...]
    }

    private static func parameters(in text: String) -> String {
        guard let start = text.utf8.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) else { return text }
        var result: [UInt8] = []
        var name: [UInt8] = []
        var isMasking = false
        for byte in text.utf8[start...] {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ";"):
                result.append(byte)
                name = []
                isMasking = false
            case UInt8(ascii: "=") where !isMasking && isSecret(name: decoded(name).lowercased()):
                result.append(byte)
                result += mark.utf8
                isMasking = true
            default:
                name.append(byte)
                if !isMasking { result.append(byte) }
            }
        }
        return text[..<start] + String(decoding: result, as: UTF8.self)
    }

    /// A name without the escapes that could hide what it is.
    private static func decoded(_ name: [UInt8]) -> String {
        var result: [UInt8] = []
        var rest = name[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSecret(name: String) -> Bool {
        secretNames.contains(name) || secretPrefixes.contains { name.hasPrefix($0) }
            || secretWords.contains { name.contains($0) }
    }
}
