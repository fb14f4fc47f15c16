/// A URL with secrets in its query or fragment, or in those of a URL that it has in itself in percent signs, as
/// `?next=https%3A%2F%2Fhost%2F%3Ftoken%3Dx`.
///
/// Signs of the inner URL may be encoded several times, so an encoded sign is taken for what it becomes in the end. What
/// follows an encoded secret is hidden up to the next sign of the inner URL; what follows a plain one, up to the next
/// plain sign. The path has parameters too, as `;jsessionid=x` and `/token=x/`, which a slash ends.
struct NestedText {
    /// One byte of the text as it is meant, with the bytes that stand for it.
    private struct Sign {
        var byte: UInt8
        var range: Range<Int>
        var isEncoded: Bool
    }

    private let bytes: [UInt8]
    /// Whether random values are secrets, whatever they are called.
    private let byShape: Bool
    private var result: [UInt8] = []
    /// Where the values end that were found not to be random.
    private var readableEnd = 0

    /// The text with masks in the place of secrets.
    static func redacted(_ text: String, byShape: Bool) -> String {
        let bytes = Array(text.utf8)
        let path = pathStart(of: text)
        guard let start = firstMark(in: bytes, path: path) else { return text }
        var nested = NestedText(bytes, byShape)
        nested.result = Array(bytes[..<start])
        nested.read(from: start, inPath: start >= path && !isMark(sign(in: bytes, at: start).byte))
        return String(decoding: nested.result, as: UTF8.self)
    }

    private init(_ bytes: [UInt8], _ byShape: Bool) {
        self.bytes = bytes
        self.byShape = byShape
    }

    private static func pathStart(of text: String) -> Int {
        text.utf8.distance(from: text.startIndex, to: URLScan(text).path.lowerBound)
    }

    private static func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }

    /// Where the first query, fragment or parameter of the path begins, encoded or not; nil without one.
    private static func firstMark(in bytes: [UInt8], path: Int) -> Int? {
        var place = 0
        var segment = path
        while place < bytes.count {
            let sign = sign(in: bytes, at: place)
            if isMark(sign.byte) { return place }
            if place >= path, !sign.isEncoded {
                if sign.byte == UInt8(ascii: "/") || sign.byte == UInt8(ascii: ";") { segment = place }
                if sign.byte == UInt8(ascii: "=") { return segment }
            }
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

    private mutating func read(from start: Int, inPath: Bool) {
        var reader = Reader(isInPath: inPath)
        var place = start
        while place < bytes.count {
            let sign = Self.sign(in: bytes, at: place)
            place = sign.range.upperBound
            let endsScheme = reader.endsScheme(sign.byte)
            switch sign.byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: ";"):
                if let begun = reader.masking, sign.isEncoded, !begun.isEncoded { continue }
                result += bytes[sign.range]
                reader.beginParameter()
                if Self.isMark(sign.byte) { reader.isInPath = false }
                maskNameless(behind: sign, &reader)
            case UInt8(ascii: "="):
                guard reader.masking == nil else { continue }
                result += bytes[sign.range]
                if isSecret(reader, sign) { mask(sign, &reader) }
                reader.lastWord = []
            case UInt8(ascii: "/") where reader.isInPath && !sign.isEncoded && reader.masking?.isEncoded != true:
                result += bytes[sign.range]
                reader.beginParameter()
            case UInt8(ascii: "/") where reader.masking == nil && endsScheme:
                result += bytes[sign.range]
                if let end = endOfUserInfo(from: place) {
                    result += Redaction.mask.utf8
                    place = end
                }
                reader.lastWord = []
            default:
                guard reader.masking == nil else { continue }
                result += bytes[sign.range]
                reader.lastWord.append(sign.byte)
            }
        }
    }

    /// What the text before a place means.
    private struct Reader {
        var isInPath: Bool
        /// The name before an equals sign, as it is meant: since the last sign between parameters or the last `=`, so that a
        /// long row of them is read once.
        var lastWord: [UInt8] = []
        /// The sign that a secret follows.
        var masking: Sign?
        /// The two bytes before, as they are meant.
        private var (before, last): (UInt8, UInt8) = (0, 0)

        init(isInPath: Bool) { self.isInPath = isInPath }

        mutating func beginParameter() { (lastWord, masking) = ([], nil) }

        mutating func endsScheme(_ byte: UInt8) -> Bool {
            defer { (before, last) = (last, byte) }
            return byte == 0x2F && last == 0x2F && before == UInt8(ascii: ":")
        }
    }

    private mutating func mask(_ sign: Sign, _ reader: inout Reader) {
        result += Redaction.mask.utf8
        reader.masking = sign
    }

    /// Whether what follows an equals sign is a secret, by the name before it or by its shape.
    private mutating func isSecret(_ reader: Reader, _ sign: Sign) -> Bool {
        let name = String(decoding: reader.lastWord, as: UTF8.self)
        let start = sign.range.upperBound
        if SecretName.hidesParameter(name) {
            // The `=` at the end of Base64 has nothing behind it.
            if sign.isEncoded { return holdsValue(at: start) }
            return SecretName.hidesParameter(name, value: value(from: start, inPath: reader.isInPath).bytes)
        }
        // Values within one that was looked at are no more random than it is.
        guard start >= readableEnd else { return false }
        let found = value(from: start, inPath: reader.isInPath)
        readableEnd = found.end
        return byShape ? SecretShape.isRandom(found.bytes) : SecretName.hidesParameter(name, value: found.bytes)
    }

    /// A value without a name, such as `?4f2a…`, is hidden when it is random.
    private mutating func maskNameless(behind sign: Sign, _ reader: inout Reader) {
        guard byShape, sign.range.upperBound >= readableEnd else { return }
        let found = value(from: sign.range.upperBound, inPath: reader.isInPath)
        guard !found.hasName else { return }
        readableEnd = found.end
        if SecretShape.isRandom(found.bytes, isFragment: sign.byte == UInt8(ascii: "#")) { mask(sign, &reader) }
    }

    /// What stands between a place and the next sign between parameters, as it is meant, and whether it is a name and a
    /// value.
    private func value(from start: Int, inPath: Bool) -> (bytes: [UInt8], end: Int, hasName: Bool) {
        var place = start
        var value: [UInt8] = []
        var hasName = false
        while place < bytes.count {
            let sign = Self.sign(in: bytes, at: place)
            if "?#&;".utf8.contains(sign.byte) { break }
            if inPath, !sign.isEncoded, sign.byte == UInt8(ascii: "/") { break }
            hasName = hasName || sign.byte == UInt8(ascii: "=") && holdsValue(at: sign.range.upperBound)
            value.append(sign.byte)
            place = sign.range.upperBound
        }
        return (value, place, hasName)
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
