import SessionSupport

/// Which proxy a request goes through.
///
/// A pure function, which reads exceptions as curl 7.88 does, and beside them a port behind a host and stars.
extension ProxySettings {
    /// The proxy for a server; nil where it is reached without one.
    func proxy(for origin: Origin) -> Proxy? {
        guard let proxy = origin.scheme == "https" ? https : http else { return nil }
        return exceptions.isEmpty || !Self.isExcepted(origin.host, port: origin.port, from: exceptions) ? proxy : nil
    }

    /// Whether a server is one of a list's.
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

    /// Whether a name is of a form in which a star stands for any characters, such as `*.example.com` and `10.1.*`.
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

/// One entry of a list of exceptions: a host, and a port where only that one is meant.
private struct ProxyException {
    var host: String
    var port: Int?

    init(_ text: String) {
        host = text
        // More than one colon outside of brackets is an address of IPv6.
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
        guard let end, let colon = text[end...].firstIndex(of: ":"), text[end...].lastIndex(of: ":") == colon,
            let number = ByteText.decimal(text[text.index(after: colon)...]), (1...65_535).contains(number)
        else { return }
        (host, port) = (String(text[..<colon]), Int(number))
    }
}

/// The bytes of an IPv4 or IPv6 address.
struct NetworkAddress: Equatable, Sendable {
    /// Four or sixteen.
    let bytes: [UInt8]

    /// The address in a text without brackets; nil for anything else.
    init?(_ text: String) {
        guard let bytes = text.contains(":") ? Self.sixteen(text) : Self.four(text[...]) else { return nil }
        self.bytes = bytes
    }

    /// Whether another address of the same kind has the same first bits.
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

    /// The bytes of groups of up to four digits, the last of which may be an IPv4 address.
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
