import SessionSupport

/// Which proxy a request goes through.
///
/// A pure function, which reads exceptions as curl 7.88 does.
extension ProxySettings {
    /// The proxy for a server; nil where it is reached without one.
    func proxy(for origin: Origin) -> Proxy? {
        guard let proxy = origin.scheme == "https" ? https : http else { return nil }
        return exceptions.isEmpty || !Self.isExcepted(origin.host, from: exceptions) ? proxy : nil
    }

    /// Whether a host is one of a list's.
    static func isExcepted(_ host: String, from list: String) -> Bool {
        if ByteText.trimmed(list[...]) == "*" { return true }
        var name = ByteText.lowercased(host)
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        let address = NetworkAddress(name)
        if name.hasSuffix(".") { name.removeLast() }
        return list.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains { entry in
            if let address { return Self.isAddress(address, in: ByteText.lowercased(entry)) }
            var suffix = ByteText.lowercased(entry)[...]
            if suffix.hasPrefix(".") { suffix = suffix.dropFirst() }
            if suffix.hasSuffix(".") { suffix = suffix.dropLast() }
            return !suffix.isEmpty && (name == suffix || name.hasSuffix("." + suffix))
        }
    }

    private static func isAddress(_ address: NetworkAddress, in entry: String) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first,
            let network = NetworkAddress(String(first.drop { $0 == "[" }.prefix { $0 != "]" }))
        else { return false }
        guard parts.count == 2 else { return network == address }
        guard let bits = ByteText.decimal(parts[1]) else { return false }
        return address.isSame(as: network, in: Int(clamping: bits))
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
