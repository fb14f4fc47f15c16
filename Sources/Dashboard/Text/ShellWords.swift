/// The words of a command line, as a POSIX shell would split it: quotes, backslashes and lines that go on.
///
/// Nothing is expanded: `$HOME` stays as it is. Of further quoting only `$'…'` is known, because browsers write it.
package struct ShellWords {
    private var rest: Substring
    private var words: [String] = []
    private var word = ""
    private var isInWord = false

    /// Splits a command; nil when a quote is not closed.
    package static func split(_ text: String) -> [String]? {
        var reader = ShellWords(rest: text[...])
        return reader.read() ? reader.words : nil
    }

    private init(rest: Substring) {
        self.rest = rest
    }

    private mutating func read() -> Bool {
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n", "\r\n": endWord()
            case "'": if !readQuoted() { return false }
            case "\"": if !readDoubleQuoted() { return false }
            case "\\": readEscaped()
            case "$" where rest.first == "'":
                rest = rest.dropFirst()
                if !readAnsiQuoted() { return false }
            default: add(String(character))
            }
        }
        endWord()
        return true
    }

    private mutating func add(_ text: String) {
        word += text
        isInWord = true
    }

    private mutating func endWord() {
        if isInWord { words.append(word) }
        word = ""
        isInWord = false
    }

    private mutating func readEscaped() {
        guard let next = rest.popFirst() else { return }
        // A backslash before a line's end joins the lines.
        if !next.isNewline { add(String(next)) }
    }

    private mutating func readQuoted() -> Bool {
        guard let end = rest.firstIndex(of: "'") else { return false }
        add(String(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        return true
    }

    private mutating func readDoubleQuoted() -> Bool {
        add("")
        while let character = rest.popFirst() {
            if character == "\"" { return true }
            guard character == "\\", let next = rest.first else {
                add(String(character))
                continue
            }
            if next.isNewline {
                rest = rest.dropFirst()
            } else if "\"\\$`".contains(next) {
                rest = rest.dropFirst()
                add(String(next))
            } else {
                add("\\")
            }
        }
        return false
    }

    private mutating func readAnsiQuoted() -> Bool {
        add("")
        while let character = rest.popFirst() {
            if character == "'" { return true }
            guard character == "\\", let next = rest.popFirst() else {
                add(String(character))
                continue
            }
            switch next {
            case "n": add("\n")
            case "r": add("\r")
            case "t": add("\t")
            case "x": readCode(digits: 2)
            case "u": readCode(digits: 4)
            case "U": readCode(digits: 8)
            default: add(String(next))
            }
        }
        return false
    }

    private mutating func readCode(digits: Int) {
        let code = rest.prefix(digits).prefix { $0.isHexDigit }
        rest = rest.dropFirst(code.count)
        if let value = UInt32(code, radix: 16), let scalar = Unicode.Scalar(value) { add(String(scalar)) }
    }
}
