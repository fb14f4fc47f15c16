/// Takes secrets out of text before it reaches a line, a log or JSON.
///
/// It knows the places secrets have by convention: user names and passwords in URLs, query values whose name says that
/// they open something, and the header fields that carry credentials.
enum Redaction {
    private static let mark = "***"
    private static let secretWords = ["sig", "token", "key", "auth", "pass", "secret", "credential"]
    private static let secretNames: Set<String> = ["se", "sp", "sv"]
    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
    ]

    /// The URL without its password, user and the values of secret query names.
    static func url(_ text: String) -> String {
        // Most URLs have neither a user nor a query.
        guard text.utf8.contains(where: { $0 == 0x40 || $0 == 0x3F }) else { return text }
        return query(in: userInfo(in: text))
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

    private static func query(in text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let start = text.index(after: mark)
        let end = text[start...].firstIndex(of: "#") ?? text.endIndex
        let pairs = text[start..<end].split(separator: "&", omittingEmptySubsequences: false).map(redactedPair)
        return text[..<start] + pairs.joined(separator: "&") + text[end...]
    }

    private static func redactedPair(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
        let name = pair[..<equals]
        return isSecret(name: name.lowercased()) ? "\(name)=\(mark)" : String(pair)
    }

    private static func isSecret(name: String) -> Bool {
        secretNames.contains(name) || name.hasPrefix("x-amz-") || secretWords.contains { name.contains($0) }
    }
}
