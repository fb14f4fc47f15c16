/// What stands between `$'` and `'`, decoded as bash does it: an escape is a byte, and the bytes together are UTF-8.
struct AnsiQuote {
    private var bytes: [UInt8] = []
    /// The text with each escaped number as a character of its own, as Firefox means it.
    private var characters = ""
    /// The first half of a character that two escapes make.
    private var half: UInt32?
    /// Whether a zero byte has ended the text, which no argument of a program can have in it.
    private var isCut = false

    /// The text; of bytes that are no UTF-8 each is a character.
    var text: String { String(validating: bytes, as: UTF8.self) ?? characters }

    /// Whether a shell passes on bytes that are no UTF-8.
    var hasOtherBytes: Bool { String(validating: bytes, as: UTF8.self) == nil }

    /// Reads to the closing quote; nil without one.
    init?(_ rest: inout Substring) {
        while let character = rest.popFirst() {
            if character == "'" { return }
            guard character == "\\", let next = rest.popFirst() else {
                add(String(character))
                continue
            }
            readEscape(next, &rest)
        }
        return nil
    }

    private static let signs: [Character: UInt32] = [
        "a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27, "E": 27,
    ]

    private mutating func readEscape(_ next: Character, _ rest: inout Substring) {
        switch next {
        case "\\", "'", "\"", "?": add(String(next))
        case "x": readByte(&rest)
        case "u", "U": readCharacter(next, digits: next == "u" ? 4 : 8, &rest)
        case "c": if let letter = rest.popFirst() { add(control(letter)) }
        case "0"..."7":
            let digits = String(next) + rest.prefix(2).prefix { ("0"..."7").contains($0) }
            rest = rest.dropFirst(digits.count - 1)
            add(byte: UInt32(digits, radix: 8) ?? 0)
        default:
            if let sign = Self.signs[next] { add(byte: sign) } else { add("\\" + String(next)) }
        }
    }

    private func control(_ letter: Character) -> String {
        guard let code = letter.uppercased().utf8.first, letter.isASCII else { return String(letter) }
        return String(UnicodeScalar(letter == "?" ? 0x7F : code & 0x1F))
    }

    private mutating func readByte(_ rest: inout Substring) {
        let isInBraces = rest.first == "{"
        let digits = (isInBraces ? rest.dropFirst() : rest.prefix(2)).prefix { $0.isASCII && $0.isHexDigit }
        guard let value = UInt32(digits, radix: 16) else { return add("\\x") }
        rest = rest[digits.endIndex...]
        if isInBraces, rest.first == "}" { rest = rest.dropFirst() }
        add(byte: value)
    }

    private mutating func readCharacter(_ letter: Character, digits count: Int, _ rest: inout Substring) {
        let digits = rest.prefix(count).prefix { $0.isASCII && $0.isHexDigit }
        guard let value = UInt32(digits, radix: 16) else { return add("\\" + String(letter)) }
        rest = rest.dropFirst(digits.count)
        if let scalar = Unicode.Scalar(value) { return value == 0 ? (isCut = true) : add(String(scalar)) }
        guard !isCut else { return }
        // bash writes each half of a pair by itself, which is no UTF-8.
        bytes.append(0xFF)
        if let high = half, (0xDC00...0xDFFF).contains(value) {
            half = nil
            let code = 0x10000 + (high - 0xD800) << 10 + (value - 0xDC00)
            if let scalar = Unicode.Scalar(code) { characters.unicodeScalars.append(scalar) }
        } else {
            half = (0xD800...0xDBFF).contains(value) ? value : nil
        }
    }

    private mutating func add(_ text: String) {
        guard !isCut else { return }
        bytes += text.utf8
        characters += text
        half = nil
    }

    private mutating func add(byte: UInt32) {
        let value = UInt8(truncatingIfNeeded: byte)
        guard value != 0 else { return isCut = true }
        guard !isCut else { return }
        bytes.append(value)
        characters.unicodeScalars.append(Unicode.Scalar(value))
        half = nil
    }
}
