import SessionSupport

/// Separates the subject of a condition from its comparison.
extension Condition {
    typealias Parts = (subject: String, sign: Sign, value: String)

    /// A sign outside of texts and brackets.
    private struct Place {
        var sign: Sign
        var range: Range<Int>
    }

    /// The subject, the sign and the compared text; nil without a sign, or where all of it is a program of jq.
    ///
    /// The first sign counts, and in a program the last one: it compares the results with one value. Where that is no
    /// single value, or `and` and `or` join comparisons, the program decides by itself.
    static func parts(of text: String) -> Parts? {
        let bytes = Array(text.utf8)
        let isOutside = outside(bytes)
        let places = places(in: bytes, isOutside)
        func parts(at place: Place) -> Parts {
            let subject = ByteText.trimmed(String(decoding: bytes[..<place.range.lowerBound], as: UTF8.self)[...])
            let value = ByteText.trimmed(String(decoding: bytes[place.range.upperBound...], as: UTF8.self)[...])
            return (String(subject), place.sign, String(value))
        }
        func joins(_ range: Range<Int>) -> Bool { Self.joins(bytes, range, isOutside) }
        guard let first = places.first, let last = places.last else { return nil }
        let simple = parts(at: first)
        guard text.hasPrefix("json:"), !text.hasPrefix("json:/") else { return simple }
        let query = String(ByteText.trimmed(simple.subject.dropFirst("json:".count)))
        let isJoined = places.count > 1 && joins(first.range.upperBound..<last.range.lowerBound)
        guard JSONQuery.isProgram(query) || isJoined else { return simple }
        if let search = places.first(where: { $0.sign == .contains || $0.sign == .lacks }) { return parts(at: search) }
        let compared = parts(at: last)
        return isValue(compared.value) && !joins(0..<last.range.lowerBound) ? compared : nil
    }

    /// Whether each byte is outside of texts and brackets; a text may have a bracket inside: `"\(.a)"`.
    private static func outside(_ bytes: [UInt8]) -> [Bool] {
        var result: [Bool] = []
        // True stands for an open text, false for an open bracket.
        var around: [Bool] = []
        var isEscaped = false
        for byte in bytes {
            let isOutside = around.isEmpty
            if around.last == true {
                if isEscaped {
                    if byte == UInt8(ascii: "(") { around.append(false) }
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    around.removeLast()
                }
            } else if byte == UInt8(ascii: "\"") {
                around.append(true)
            } else if "[({".utf8.contains(byte) {
                around.append(false)
            } else if "])}".utf8.contains(byte), !around.isEmpty {
                around.removeLast()
            }
            result.append(isOutside && around.isEmpty)
        }
        return result
    }

    private static func places(in bytes: [UInt8], _ isOutside: [Bool]) -> [Place] {
        let isPointer = bytes.starts(with: "json:/".utf8)
        let isQuery = bytes.starts(with: "json:".utf8) && !isPointer
        var places: [Place] = []
        var index = 0
        while index < bytes.count {
            guard isOutside[index], let (sign, count) = sign(at: bytes[index...]) else {
                index += 1
                continue
            }
            let next = index + count
            // In a pointer ~0 and ~1 stand for characters of a name; `|=` and the like assign in a program.
            let isName = isPointer && sign == .contains && next < bytes.count && (0x30...0x31).contains(bytes[next])
            let assigns = isQuery && sign == .equal && index > 0 && "|+*/%".utf8.contains(bytes[index - 1])
            if !isName, !assigns { places.append(Place(sign: sign, range: index..<next)) }
            index = next
        }
        return places
    }

    /// The longest sign that a text begins with, and its length; `==` is a spelling of `=`.
    private static func sign(at bytes: ArraySlice<UInt8>) -> (Sign, Int)? {
        if bytes.starts(with: "==".utf8) { return (.equal, 2) }
        let found = Sign.allCases.filter { bytes.starts(with: $0.rawValue.utf8) }
        return found.max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }.map { ($0, $0.rawValue.utf8.count) }
    }

    /// Whether a range has the word `and` or `or` outside of texts and brackets.
    private static func joins(_ bytes: [UInt8], _ range: Range<Int>, _ isOutside: [Bool]) -> Bool {
        var word: [UInt8] = []
        for index in range {
            if isOutside[index], ByteText.isLetter(bytes[index]) {
                word.append(bytes[index])
                continue
            }
            if word == Array("and".utf8) || word == Array("or".utf8) { return true }
            // A member such as .or is no word.
            word = isOutside[index] && " \t\n".utf8.contains(bytes[index]) ? [] : [0]
        }
        return word == Array("and".utf8) || word == Array("or".utf8)
    }

    /// Whether a text is a single value: a number, a word, or a text in quotes.
    private static func isValue(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first else { return false }
        guard first != UInt8(ascii: "\"") else { return endsText(bytes) }
        return first != UInt8(ascii: ".") && !bytes.contains { "|(){}[],;?\"$ \t\n".utf8.contains($0) }
    }

    /// Whether the text that begins a value ends with it.
    private static func endsText(_ bytes: [UInt8]) -> Bool {
        var isEscaped = false
        for (index, byte) in bytes.enumerated().dropFirst() {
            if byte == UInt8(ascii: "\""), !isEscaped { return index == bytes.count - 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return false
    }
}
