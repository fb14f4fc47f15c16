import SessionSupport

/// A byte range a client asked for, before it is compared with the length (RFC 9110, 14.1.1).
enum RangeSpecifier: Sendable, Equatable {
    case from(Int64)
    case between(Int64, Int64)
    case last(Int64)

    /// The ranges of a Range field; nil when the field must be passed over: another unit, or a broken one.
    static func parse(_ text: String) -> [RangeSpecifier]? {
        guard let mark = text.firstIndex(of: "="), ByteText.isSame(String(text[..<mark]), "bytes") else { return nil }
        let parts = ASCII.list(String(text[text.index(after: mark)...]))
        let ranges = parts.compactMap(one)
        return ranges.isEmpty || ranges.count != parts.count ? nil : ranges
    }

    /// The part of a resource that is meant; nil when nothing of it exists.
    func range(in count: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first):
            first < count ? first..<count : nil
        case .between(let first, let last):
            first < count ? first..<min(last, count - 1) + 1 : nil
        case .last(let length):
            length > 0 && count > 0 ? max(0, count - length)..<count : nil
        }
    }

    private static func one(_ text: String) -> RangeSpecifier? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty { return ByteText.decimal(bytes: parts[1]).map(RangeSpecifier.last) }
        guard let first = ByteText.decimal(bytes: parts[0]) else { return nil }
        if parts[1].isEmpty { return .from(first) }
        guard let last = ByteText.decimal(bytes: parts[1]), last >= first else { return nil }
        return .between(first, last)
    }
}
