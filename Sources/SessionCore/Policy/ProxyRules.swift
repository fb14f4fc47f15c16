import SessionSupport

/// The choice of a request's proxy.
///
/// A pure function that reads exceptions as curl 7.88 does, and also a port after a host, and stars.
extension ProxySettings {
    /// Returns the proxy for a server; nil for a direct connection.
    func proxy(for origin: Origin) -> Proxy? {
        guard let proxy = origin.scheme == "https" ? https : http else { return nil }
        return exceptions.isEmpty || !Self.isExcepted(origin.host, port: origin.port, from: exceptions) ? proxy : nil
    }

    /// Returns the address of the proxy for a URL; nil for a direct connection.
    func endpoint(for url: String) -> String? { (try? Origin(url)).flatMap { proxy(for: $0)?.endpoint } }

    /// Returns whether a list of exceptions has the server.
    static func isExcepted(_ host: String, port: Int, from list: String) -> Bool {
        var name = ByteText.lowercased(host)
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        name = String(name.prefix { $0 != "%" })
        let address = NetworkAddress(name)
        if name.hasSuffix(".") { name.removeLast() }
        return list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains { text in
            let entry = ProxyException(ByteText.lowercased(text))
            guard entry.port == nil || entry.port == port else { return false }
            if entry.host.utf8.contains(UInt8(ascii: "*")) { return Self.matches(name[...], entry.host[...]) }
            if let address { return Self.isAddress(address, in: entry.host) }
            var suffix = entry.host[...]
            if suffix.hasPrefix(".") { suffix = suffix.dropFirst() }
            if suffix.hasSuffix(".") { suffix = suffix.dropLast() }
            return !suffix.isEmpty && (name == suffix || name.hasSuffix("." + suffix))
        }
    }

    /// Returns whether a name matches a pattern whose stars match any characters: `*.example.com`, `10.1.*`.
    private static func matches(_ name: Substring, _ form: Substring) -> Bool {
        let pieces = form.split(separator: "*", omittingEmptySubsequences: false)
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return name == form }
        guard name.utf8.count >= first.utf8.count + last.utf8.count, name.hasPrefix(first), name.hasSuffix(last) else {
            return false
        }
        var rest = name.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    private static func isAddress(_ address: NetworkAddress, in entry: String) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first,
            let network = NetworkAddress(String(first.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }))
        else { return false }
        guard parts.count == 2 else { return network == address }
        guard let bits = ByteText.decimal(parts[1]) else { return false }
        return address.isSame(as: network, in: Int(clamping: bits))
    }
}

/// An entry of the list of exceptions: a host, with a port if it is limited to one.
private struct ProxyException {
    var host: String
    var port: Int?

    init(_ text: String) {
        host = text
        // An entry with several colons outside of brackets is an IPv6 address.
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
        guard let end, let colon = text[end...].firstIndex(of: ":"), text[end...].lastIndex(of: ":") == colon,
            let number = ByteText.port(text[text.index(after: colon)...])
        else { return }
        (host, port) = (String(text[..<colon]), number)
    }
}

/// The bytes of an IPv4 or IPv6 address.
struct NetworkAddress: Equatable, Sendable {
    /// Four or sixteen bytes.
    let bytes: [UInt8]

    /// Reads an address without brackets; nil for any other text.
    init?(_ text: String) {
        guard let bytes = text.contains(":") ? Self.sixteen(text) : Self.four(text[...]) else { return nil }
        self.bytes = bytes
    }

    /// Returns whether two addresses of one family share their first bits.
    func isSame(as other: NetworkAddress, in bits: Int) -> Bool {
        guard bytes.count == other.bytes.count, bits >= 0, bits <= bytes.count * 8 else { return false }
        return zip(bytes, other.bytes).enumerated().allSatisfy { index, pair in
            let wanted = min(max(bits - index * 8, 0), 8)
            return (pair.0 ^ pair.1) >> UInt8(8 - wanted) == 0 || wanted == 0
        }
    }

    private static func four(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.count <= 3 ? ByteText.decimal($0).flatMap { UInt8(exactly: $0) } : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func sixteen(_ text: String) -> [UInt8]? {
        let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map { groups($0) }
        guard let head = halves.first ?? nil else { return nil }
        if halves.count == 1 { return head.count == 16 ? head : nil }
        guard let tail = halves[1], head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Reads groups of up to four digits; the last group may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains("."), let last = four(part) {
                bytes += last
                continue
            }
            guard (1...4).contains(part.utf8.count), let value = UInt16(part, radix: 16), part.first != "+" else {
                return nil
            }
            bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        return bytes
    }
}
