/// Where the parts of a URL stand in its text (RFC 3986, 3), found in one pass and without a copy.
///
/// It judges nothing: whether the parts are valid is the question of the parser that connects. Where that one takes a
/// text, both find the same parts.
package struct URLScan {
    /// The letters before the colon; nil for a text that begins in another way.
    package private(set) var scheme: Range<String.Index>?
    /// What stands before the `@`; nil without one.
    package private(set) var userInfo: Range<String.Index>?
    /// The host, with the brackets of an IPv6 address; nil without slashes that introduce one.
    package private(set) var host: Range<String.Index>?
    /// The digits after the host's colon; nil without a colon.
    package private(set) var port: Range<String.Index>?
    /// The path, from the slash after the authority to the query or fragment; may be empty.
    package private(set) var path: Range<String.Index>
    /// What stands between `?` and `#`; nil without a question mark.
    package private(set) var query: Range<String.Index>?
    /// What follows `#`; nil without one.
    package private(set) var fragment: Range<String.Index>?

    package init(_ text: String) {
        let bytes = text.utf8
        var end = bytes.endIndex
        if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
            fragment = bytes.index(after: hash)..<end
            end = hash
        }
        if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
            query = bytes.index(after: mark)..<end
            end = mark
        }
        scheme = Self.scheme(of: bytes[..<end])
        let afterScheme = scheme.map { bytes.index(after: $0.upperBound) } ?? bytes.startIndex
        let slashes = bytes[afterScheme..<end].prefix { $0 == UInt8(ascii: "/") }
        // libcurl takes one slash or three for the two that are meant, after a scheme.
        guard scheme != nil ? !slashes.isEmpty : slashes.count == 2 else {
            path = afterScheme..<end
            return
        }
        let authority = bytes[slashes.endIndex..<end].prefix { $0 != UInt8(ascii: "/") }
        path = authority.endIndex..<end
        readAuthority(authority)
    }

    private mutating func readAuthority(_ authority: Substring.UTF8View) {
        var rest = authority
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = rest.startIndex..<at
            rest = rest[rest.index(after: at)...]
        }
        // Colons of an IPv6 address stand between its brackets.
        let bracket = rest.first == UInt8(ascii: "[") ? rest.firstIndex(of: UInt8(ascii: "]")) : nil
        guard let colon = rest[(bracket ?? rest.startIndex)...].firstIndex(of: UInt8(ascii: ":")) else {
            host = rest.startIndex..<rest.endIndex
            return
        }
        host = rest.startIndex..<colon
        port = rest.index(after: colon)..<rest.endIndex
    }

    private static func scheme(of bytes: Substring.UTF8View) -> Range<String.Index>? {
        guard let first = bytes.first, ByteText.isLetter(first) else { return nil }
        let name = bytes.prefix { ByteText.isLetter($0) || ByteText.isDigit($0) || "+-.".utf8.contains($0) }
        guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ":") else { return nil }
        return name.startIndex..<name.endIndex
    }
}
