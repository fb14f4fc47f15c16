/// A URL with secrets in its query or fragment, or in those of a URL that it has in itself in percent signs, as
/// `?next=https%3A%2F%2Fhost%2F%3Ftoken%3Dx`.
///
/// Signs of the inner URL may be encoded several times, so an encoded sign is taken for what it becomes in the end. What
/// follows an encoded secret is hidden up to the next sign of the inner URL; what follows a plain one, up to the next
/// plain sign.
struct NestedText {
    /// One byte of the text as it is meant, with the bytes that stand for it.
    private struct Sign {
        var byte: UInt8
        var range: Range<Int>
        var isEncoded: Bool
    }

    private let bytes: [UInt8]
    private var result: [UInt8] = []

    /// The text with masks in the place of secrets.
    static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let start = firstMark(in: bytes) else { return text }
        var nested = NestedText(bytes)
        nested.result = Array(bytes[..<start])
        nested.read(from: start)
        return String(decoding: nested.result, as: UTF8.self)
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Where the first query or fragment begins, encoded or not; nil without one.
    private static func firstMark(in bytes: [UInt8]) -> Int? {
        var place = 0
        while place < bytes.count {
            let sign = sign(in: bytes, at: place)
            if sign.byte == UInt8(ascii: "?") || sign.byte == UInt8(ascii: "#") { return place }
            place = sign.range.upperBound
        }
        return nil
    }

    /// The byte that stands at a place: `=`, `%3D` and `%253D` are the same.
    private static func sign(in bytes: [UInt8], at place: Int) -> Sign {
        func digit(_ index: Int) -> UInt8? { index < bytes.count ? ByteText.hexadecimalValue(bytes[index]) : nil }
        let plain = Sign(byte: bytes[place], range: place..<place + 1, isEncoded: false)
        guard bytes[place] == UInt8(ascii: "%") else { return plain }
        var next = place + 1
        while next + 3 < bytes.count, bytes[next] == UInt8(ascii: "2"), bytes[next + 1] == UInt8(ascii: "5") {
            guard digit(next + 2) != nil, digit(next + 3) != nil else { break }
            next += 2
        }
        guard let high = digit(next), let low = digit(next + 1) else { return plain }
        return Sign(byte: high << 4 | low, range: place..<next + 2, isEncoded: true)
    }

    private mutating func read(from start: Int) {
        var name: [UInt8] = []
        // Since the last sign between parameters or the last `=`, whatever stood before.
        var lastWord: [UInt8] = []
        var masking: Sign?
        // The two bytes before, as they are meant.
        var (before, last): (UInt8, UInt8) = (0, 0)
        var place = start
        while place < bytes.count {
            let sign = Self.sign(in: bytes, at: place)
            place = sign.range.upperBound
            let endsScheme = sign.byte == 0x2F && last == 0x2F && before == UInt8(ascii: ":")
            (before, last) = (last, sign.byte)
            switch sign.byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ";"):
                if let begun = masking, sign.isEncoded, !begun.isEncoded { continue }
                result += bytes[sign.range]
                (name, lastWord, masking) = ([], [], nil)
            case UInt8(ascii: "="):
                guard masking == nil else { continue }
                result += bytes[sign.range]
                let isSecret = sign.isEncoded ? Self.hides(lastWord) && holdsValue(at: place) : Self.hides(name)
                if isSecret {
                    result += Redaction.mask.utf8
                    masking = sign
                }
                lastWord = []
                name.append(sign.byte)
            case UInt8(ascii: "/") where masking == nil && endsScheme:
                result += bytes[sign.range]
                if let end = endOfUserInfo(from: place) {
                    result += Redaction.mask.utf8
                    place = end
                }
                lastWord = []
            default:
                guard masking == nil else { continue }
                result += bytes[sign.range]
                // The name of a plain parameter is decoded where it is compared.
                name += bytes[sign.range]
                lastWord.append(sign.byte)
            }
        }
    }

    private static func hides(_ name: [UInt8]) -> Bool {
        Redaction.hidesParameter(String(decoding: name, as: UTF8.self))
    }

    /// Whether something follows: the `=` at the end of Base64 has nothing behind it.
    private func holdsValue(at place: Int) -> Bool {
        guard place < bytes.count else { return false }
        return !"?#&;=".utf8.contains(Self.sign(in: bytes, at: place).byte)
    }

    /// Where the user and the password of an inner URL end, at its `@`; nil without any.
    private func endOfUserInfo(from start: Int) -> Int? {
        var place = start
        var end: Int?
        while place < bytes.count {
            let sign = Self.sign(in: bytes, at: place)
            if "/?#&;\\".utf8.contains(sign.byte) { break }
            if sign.byte == UInt8(ascii: "@") { end = place }
            place = sign.range.upperBound
        }
        return end
    }
}
