/// Bytes with a name.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
    static let lineEnd: [UInt8] = [carriageReturn, lineFeed]

    /// Whether a byte may stand in a token (RFC 9110, 5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// A number of digits only; nil when there is another byte, none at all, or no room for it.
    static func decimal(_ text: some Collection<UInt8>) -> Int64? {
        guard !text.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(Int64(byte - 0x30))
            guard !tooLarge, !overflow else { return nil }
            value = sum
        }
        return value
    }

    /// The same text without blanks and tabs at both ends.
    static func trimmed(_ text: String) -> String {
        trimmed(Array(text.utf8)[...])
    }

    /// The bytes without blanks and tabs at both ends, as text.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        while let first = bytes.first, first == space || first == tab { bytes.removeFirst() }
        while let last = bytes.last, last == space || last == tab { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The elements of a comma-separated list, trimmed, empty ones left out.
    static func list(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { trimmed(Array($0)[...]) }.filter { !$0.isEmpty }
    }
}
