/// A URL with secrets in its query or fragment, or in a percent-encoded URL inside it, as in
/// `?next=https%3A%2F%2Fhost%2F%3Ftoken%3Dx`.
///
/// Delimiters of the inner URL may be encoded several times, so an encoded one counts as its final character. An
/// encoded secret is masked up to the next delimiter of the inner URL, a plain one up to the next plain delimiter. The
/// path has parameters too, as `;jsessionid=x` and `/token=x/`, which a slash ends.
struct NestedText {
    /// A decoded byte of the text, with the range of its written bytes.
    private struct Sign {
        var byte: UInt8
        var range: Range<Int>
        var isEncoded: Bool
    }

    private let bytes: [UInt8]
    /// True if random values count as secrets, whatever their names.
    private let byShape: Bool
    private var result: [UInt8] = []
    /// The end of the values that turned out not to be random.
    private var readableEnd = 0

    /// Masks the secrets in a text.
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

    /// Returns the start of the first query, fragment or path parameter, encoded or not; nil without one.
    private static func firstMark(in bytes: [UInt8], path: Int) -> Int? {
        var offset = 0
        var segment = path
        while offset < bytes.count {
            let sign = sign(in: bytes, at: offset)
            if isMark(sign.byte) { return offset }
            if offset >= path, !sign.isEncoded {
                if sign.byte == UInt8(ascii: "/") || sign.byte == UInt8(ascii: ";") { segment = offset }
                if sign.byte == UInt8(ascii: "=") { return segment }
            }
            offset = sign.range.upperBound
        }
        return nil
    }

    /// Decodes the byte at an index: `=`, `%3D` and `%253D` are equal.
    private static func sign(in bytes: [UInt8], at offset: Int) -> Sign {
        func digit(_ index: Int) -> UInt8? { index < bytes.count ? ByteText.hexadecimalValue(bytes[index]) : nil }
        let plain = Sign(byte: bytes[offset], range: offset..<offset + 1, isEncoded: false)
        guard bytes[offset] == UInt8(ascii: "%") else { return plain }
        var next = offset + 1
        while next + 3 < bytes.count, bytes[next] == UInt8(ascii: "2"), bytes[next + 1] == UInt8(ascii: "5") {
            guard digit(next + 2) != nil, digit(next + 3) != nil else { break }
            next += 2
        }
        guard let high = digit(next), let low = digit(next + 1) else { return plain }
        return Sign(byte: high << 4 | low, range: offset..<next + 2, isEncoded: true)
    }

    private mutating func read(from start: Int, inPath: Bool) {
        var reader = Reader(isInPath: inPath)
        var offset = start
        while offset < bytes.count {
            let sign = Self.sign(in: bytes, at: offset)
            offset = sign.range.upperBound
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
                if let end = endOfUserInfo(from: offset) {
                    result += Redaction.mask.utf8
                    offset = end
                }
                reader.lastWord = []
            default:
                guard reader.masking == nil else { continue }
                result += bytes[sign.range]
                reader.lastWord.append(sign.byte)
            }
        }
    }

    /// The meaning of the text before an index.
    private struct Reader {
        var isInPath: Bool
        /// The decoded name before an equals sign: since the last delimiter between parameters or the last `=`, so that
        /// a long row of them is read once.
        var lastWord: [UInt8] = []
        /// The sign before the current secret.
        var masking: Sign?
        /// The two previous bytes, decoded.
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

    /// Returns whether the value after an equals sign is a secret, by its name or its shape.
    private mutating func isSecret(_ reader: Reader, _ sign: Sign) -> Bool {
        let name = String(decoding: reader.lastWord, as: UTF8.self)
        let start = sign.range.upperBound
        if SecretName.hidesParameter(name) {
            // The `=` at the end of Base64 has no value after it.
            if sign.isEncoded { return holdsValue(at: start) }
            return SecretName.hidesParameter(name, value: value(from: start, inPath: reader.isInPath).bytes)
        }
        // Values inside a checked one are no more random than it.
        guard start >= readableEnd else { return false }
        let found = value(from: start, inPath: reader.isInPath)
        readableEnd = found.end
        return byShape ? SecretShape.isRandom(found.bytes) : SecretName.hidesParameter(name, value: found.bytes)
    }

    /// Masks a value without a name, such as `?4f2a…`, if it is random.
    private mutating func maskNameless(behind sign: Sign, _ reader: inout Reader) {
        guard byShape, sign.range.upperBound >= readableEnd else { return }
        let found = value(from: sign.range.upperBound, inPath: reader.isInPath)
        guard !found.hasName else { return }
        readableEnd = found.end
        if SecretShape.isRandom(found.bytes, isFragment: sign.byte == UInt8(ascii: "#")) { mask(sign, &reader) }
    }

    /// Returns the decoded bytes up to the next delimiter between parameters, and whether they are a name and a value.
    private func value(from start: Int, inPath: Bool) -> (bytes: [UInt8], end: Int, hasName: Bool) {
        var offset = start
        var value: [UInt8] = []
        var hasName = false
        while offset < bytes.count {
            let sign = Self.sign(in: bytes, at: offset)
            if "?#&;".utf8.contains(sign.byte) { break }
            if inPath, !sign.isEncoded, sign.byte == UInt8(ascii: "/") { break }
            hasName = hasName || sign.byte == UInt8(ascii: "=") && holdsValue(at: sign.range.upperBound)
            value.append(sign.byte)
            offset = sign.range.upperBound
        }
        return (value, offset, hasName)
    }

    /// Returns whether a value follows: the `=` at the end of Base64 has none after it.
    private func holdsValue(at offset: Int) -> Bool {
        guard offset < bytes.count else { return false }
        return !"?#&;=".utf8.contains(Self.sign(in: bytes, at: offset).byte)
    }

    /// Returns the end of an inner URL's user info, at its `@`; nil for none.
    private func endOfUserInfo(from start: Int) -> Int? {
        var offset = start
        var end: Int?
        while offset < bytes.count {
            let sign = Self.sign(in: bytes, at: offset)
            if "/?#&;\\".utf8.contains(sign.byte) { break }
            if sign.byte == UInt8(ascii: "@") { end = offset }
            offset = sign.range.upperBound
        }
        return end
    }
}
