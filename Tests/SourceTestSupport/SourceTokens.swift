/// The words and marks of a Swift file, without its comments and without the text of its string literals.
///
/// What stands in a literal's interpolation is code, so it is kept. Regular expression literals are not known: the
/// sources have none.
package struct SourceTokens {
    /// A word, a mark of one character, or a number.
    package struct Token: Equatable {
        /// What it says; a string literal says `""`.
        package var text: String
        /// The line it stands on, counted from 1.
        package var line: Int
        /// Whether it is a word: a name or a keyword.
        package var isWord: Bool
    }

    /// The tokens, in order.
    package private(set) var tokens: [Token] = []
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    /// Reads a file's text.
    package init(_ text: String) {
        bytes = Array(text.utf8)
        readCode(untilClosed: false)
    }

    // MARK: - Reading

    private func byte(at offset: Int = 0) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private mutating func advance(by count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    /// Reads code up to the end, or up to the parenthesis that closes an interpolation.
    private mutating func readCode(untilClosed: Bool) {
        var depth = 0
        while position < bytes.count {
            let current = byte()
            if Self.isWordByte(current) {
                readWord()
            } else if current == UInt8(ascii: "/"), byte(at: 1) == UInt8(ascii: "/") {
                while position < bytes.count, byte() != UInt8(ascii: "\n") { advance() }
            } else if current == UInt8(ascii: "/"), byte(at: 1) == UInt8(ascii: "*") {
                skipComment()
            } else if current == UInt8(ascii: "\"") {
                readLiteral(hashes: 0)
            } else if current == UInt8(ascii: "#"), let hashes = hashesBeforeQuote() {
                advance(by: hashes)
                readLiteral(hashes: hashes)
            } else {
                if untilClosed, current == UInt8(ascii: ")"), depth == 0 { return advance() }
                if current == UInt8(ascii: "(") { depth += 1 }
                if current == UInt8(ascii: ")") { depth -= 1 }
                if current > 0x20, current != UInt8(ascii: "`") {
                    append(String(UnicodeScalar(current)), isWord: false)
                }
                advance()
            }
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }

    private mutating func append(_ text: String, isWord: Bool) {
        tokens.append(Token(text: text, line: line, isWord: isWord))
    }

    private mutating func readWord() {
        let start = position
        while Self.isWordByte(byte()) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        append(text, isWord: !(text.first?.isNumber ?? true))
    }

    /// Comments of this kind nest.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if byte() == UInt8(ascii: "/"), byte(at: 1) == UInt8(ascii: "*") {
                depth += 1
                advance(by: 2)
            } else if byte() == UInt8(ascii: "*"), byte(at: 1) == UInt8(ascii: "/") {
                depth -= 1
                advance(by: 2)
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
    }

    /// How many number signs stand before a quotation mark, if that is what they stand before.
    private func hashesBeforeQuote() -> Int? {
        var count = 0
        while byte(at: count) == UInt8(ascii: "#") { count += 1 }
        return byte(at: count) == UInt8(ascii: "\"") ? count : nil
    }

    private func isAt(_ character: UInt8, times: Int, from offset: Int = 0) -> Bool {
        (0..<times).allSatisfy { byte(at: offset + $0) == character }
    }

    /// Reads a literal whose quotation mark is next, and the code of its interpolations.
    private mutating func readLiteral(hashes: Int) {
        append("\"\"", isWord: false)
        let quote = UInt8(ascii: "\"")
        let hash = UInt8(ascii: "#")
        let quotes = isAt(quote, times: 3) ? 3 : 1
        advance(by: quotes)
        while position < bytes.count {
            if byte() == UInt8(ascii: "\\"), isAt(hash, times: hashes, from: 1) {
                advance(by: 1 + hashes)
                let isInterpolation = byte() == UInt8(ascii: "(")
                advance()
                if isInterpolation { readCode(untilClosed: true) }
            } else if isAt(quote, times: quotes), isAt(hash, times: hashes, from: quotes) {
                return advance(by: quotes + hashes)
            } else {
                advance()
            }
        }
    }
}
