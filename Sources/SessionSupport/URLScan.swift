import Glibc

/// The ranges of a URL's parts in its text (RFC 3986, 3), found in one pass and without a copy.
///
/// It does not validate: libcurl's parser does that. For a valid URL both find the same parts.
package struct URLScan {
    private let bytes: String.UTF8View
    private let offsets: Offsets

    package init(_ text: String) {
        bytes = text.utf8
        offsets = Offsets(text.utf8Span.span)
    }

    /// The text before the colon; nil if the URL starts without a scheme.
    package var scheme: Range<String.Index>? { offsets.scheme.map(range) }
    /// The text before the `@`; nil without one.
    package var userInfo: Range<String.Index>? { offsets.userInfo.map(range) }
    /// The host, with the brackets of an IPv6 address; nil without an authority.
    package var host: Range<String.Index>? { offsets.host.map(range) }
    /// The digits after the host's colon; nil without a colon.
    package var port: Range<String.Index>? { offsets.port.map(range) }
    /// The path, from the slash after the authority to the query or fragment; may be empty.
    package var path: Range<String.Index> { range(offsets.path) }
    /// The text after the last slash of the path; may be empty.
    package var lastComponent: Range<String.Index> { range(offsets.lastComponent) }
    /// The text between `?` and `#`; nil without a question mark.
    package var query: Range<String.Index>? { offsets.query.map(range) }
    /// The text after `#`; nil without one.
    package var fragment: Range<String.Index>? { offsets.fragment.map(range) }
    /// True if a non-empty host follows a scheme and exactly the two slashes of RFC 3986, 3.
    package var namesHost: Bool { offsets.slashes == 2 && offsets.scheme != nil && offsets.host?.isEmpty == false }
    /// True if it starts with a scheme and two slashes, whatever they name.
    package var beginsWithScheme: Bool { offsets.scheme != nil && offsets.slashes >= 2 }
    /// True if it starts with `http` or `https`, and a host.
    package var isWebAddress: Bool { isWeb && namesHost }
    /// True if a request for it is possible: `http` or `https`, not too long, and without a byte that would end its
    /// line.
    package var isRequestable: Bool { isWeb && bytes.count <= 64 << 10 && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F } }
    /// True for the scheme `https`, in any case.
    package var isEncrypted: Bool { hasScheme("https") }
    /// True for the scheme `http` or `https`, in any case.
    package var isWeb: Bool { hasScheme("http") || hasScheme("https") }

    /// Returns whether two URLs have the same scheme, host and port as written.
    package static func haveSameServer(_ left: String, _ right: String) -> Bool {
        let (leftScan, rightScan) = (URLScan(left), URLScan(right))
        func isSame(_ part: KeyPath<URLScan, Range<String.Index>?>) -> Bool {
            let leftover = leftScan[keyPath: part].map { ByteText.lowercased(left[$0]) }
            return leftover == rightScan[keyPath: part].map { ByteText.lowercased(right[$0]) }
        }
        return leftScan.host != nil && isSame(\.scheme) && isSame(\.host) && isSame(\.port)
    }

    private func hasScheme(_ name: StaticString) -> Bool {
        guard let scheme, offsets.scheme?.count == name.utf8CodeUnitCount else { return false }
        return zip(bytes[scheme], 0..<name.utf8CodeUnitCount).allSatisfy { $0 | 0x20 == name.utf8Start[$1] }
    }

    private func range(_ offsets: Range<Int>) -> Range<String.Index> {
        let start = bytes.index(bytes.startIndex, offsetBy: offsets.lowerBound)
        return start..<bytes.index(start, offsetBy: offsets.count)
    }
}

/// A URL as people type it, which gets the scheme `https` where it names none.
package enum TypedURL: Equatable, Sendable {
    /// A URL of `http` or `https`; its authority is not checked.
    case url(String)
    /// A URL of another scheme, which is named.
    case otherScheme(String)
    /// Text with a colon that ends neither a scheme nor a host.
    case invalid

    package init(_ text: String) {
        let scan = URLScan(text)
        guard let scheme = scan.scheme else {
            self = .url("https://" + text)
            return
        }
        guard !text[scheme.upperBound...].hasPrefix("://") else {
            self = scan.isWeb ? .url(text) : .otherScheme(String(text[scheme]))
            return
        }
        // "host:8080/path" has no scheme; "mailto:x" has another one.
        let port = text[scan.path].prefix { $0 != "/" }
        let isPort = !port.isEmpty && port.utf8.allSatisfy(ByteText.isDigit)
        self = scan.host == nil && (isPort || port.contains("@")) ? .url("https://" + text) : .invalid
    }
}

/// The parts as byte offsets.
///
/// Read from memory, because a search through a string's indices took 6,000 instructions per URL; see PERFORMANCE.md.
private struct Offsets {
    var scheme: Range<Int>?
    var userInfo: Range<Int>?
    var host: Range<Int>?
    var port: Range<Int>?
    var path: Range<Int>
    var query: Range<Int>?
    var fragment: Range<Int>?
    var lastComponent: Range<Int>
    /// The slashes before the authority; 0 without one.
    var slashes = 0

    init(_ bytes: Span<UInt8>) {
        var end = bytes.count
        if let hash = bytes.first(UInt8(ascii: "#"), in: 0..<end) {
            fragment = hash + 1..<end
            end = hash
        }
        if let mark = bytes.first(UInt8(ascii: "?"), in: 0..<end) {
            query = mark + 1..<end
            end = mark
        }
        scheme = Self.scheme(of: bytes, before: end)
        let afterScheme = scheme.map { $0.upperBound + 1 } ?? 0
        var start = afterScheme
        while start < end, bytes[start] == UInt8(ascii: "/") { start += 1 }
        path = afterScheme..<end
        // After a scheme, libcurl accepts one or three slashes instead of two.
        let hasAuthority = scheme != nil ? start > afterScheme : start - afterScheme == 2
        if hasAuthority {
            slashes = start - afterScheme
            path = (bytes.first(UInt8(ascii: "/"), in: start..<end) ?? end)..<end
        }
        lastComponent = (bytes.last(UInt8(ascii: "/"), in: path).map { $0 + 1 } ?? path.lowerBound)..<end
        if hasAuthority { readAuthority(bytes, start..<path.lowerBound) }
    }

    private mutating func readAuthority(_ bytes: Span<UInt8>, _ authority: Range<Int>) {
        var rest = authority
        if let at = bytes.last(UInt8(ascii: "@"), in: rest) {
            userInfo = rest.lowerBound..<at
            rest = at + 1..<rest.upperBound
        }
        // The colons of an IPv6 address are inside its brackets.
        let isBracketed = !rest.isEmpty && bytes[rest.lowerBound] == UInt8(ascii: "[")
        let bracket = isBracketed ? bytes.first(UInt8(ascii: "]"), in: rest) : nil
        guard let colon = bytes.first(UInt8(ascii: ":"), in: (bracket ?? rest.lowerBound)..<rest.upperBound) else {
            host = rest
            return
        }
        host = rest.lowerBound..<colon
        port = colon + 1..<rest.upperBound
    }

    private static func scheme(of bytes: Span<UInt8>, before end: Int) -> Range<Int>? {
        guard end > 0, ByteText.isLetter(bytes[0]) else { return nil }
        for index in 1..<max(end, 1) {
            let byte = bytes[index]
            if byte == UInt8(ascii: ":") { return 0..<index }
            guard ByteText.isLetter(byte) || ByteText.isDigit(byte) || isMark(byte) else { return nil }
        }
        return nil
    }

    /// Returns whether a byte is a mark that a scheme may have (RFC 3986, 3.1).
    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}

extension Span<UInt8> {
    fileprivate func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, !range.isEmpty else { return nil }
            return memchr(base + range.lowerBound, Int32(byte), range.count).map { UnsafeRawPointer($0) - base }
        }
    }

    fileprivate func last(_ byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range.reversed() where self[index] == byte { return index }
        return nil
    }
}
