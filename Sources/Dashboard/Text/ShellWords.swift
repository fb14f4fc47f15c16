/// The words of a command line, as a POSIX shell or cmd.exe would split it: quotes, backslashes, carets and continued
/// lines.
///
/// Nothing is expanded; expansions are listed. Of further quoting only `$'…'` is supported, because browsers write it.
package struct ShellWords {
    /// The words of a command, and the expansions in them that only a shell could do.
    struct Reading {
        var words: [String]
        /// Variables and commands, such as `$NAME` and `$(…)`.
        var expansions: [String]
        /// The operator of the shell that ends the command and begins something else; nil without one.
        var end: String?
        /// Whether a shell would pass on bytes that are no UTF-8, from `$'…'`.
        var hasOtherBytes = false
    }

    private var rest: Substring
    private var words: [String] = []
    private var word = ""
    private var isInWord = false
    private var expansions: [String] = []
    private var end: String?
    private var hasOtherBytes = false

    /// Splits a command; nil if a quote is not closed.
    package static func split(_ text: String) -> [String]? { read(text)?.words }

    /// Splits a command and lists its expansions; nil if a quote is not closed.
    static func read(_ text: String) -> Reading? {
        if WindowsWords.isLike(text) {
            return WindowsWords.split(text).map { Reading(words: $0, expansions: []) }
        }
        var reader = ShellWords(rest: text[...])
        guard reader.read() else { return nil }
        return Reading(
            words: reader.words, expansions: reader.expansions, end: reader.end, hasOtherBytes: reader.hasOtherBytes)
    }

    private init(rest: Substring) {
        self.rest = rest
    }

    private mutating func read() -> Bool {
        while let character = rest.popFirst() {
            if endsCommand(character) { break }
            switch character {
            case " ", "\t", "\n", "\r\n": endWord()
            case "'": if !readQuoted() { return false }
            case "\"": if !readDoubleQuoted() { return false }
            case "\\": readEscaped()
            case "$" where rest.first == "'":
                rest = rest.dropFirst()
                if !readAnsiQuoted() { return false }
            default:
                noteExpansion(character)
                add(String(character))
            }
        }
        endWord()
        return true
    }

    /// Whether a character outside quotes begins a comment, or an operator, which is recorded if anything follows it.
    ///
    /// Within a word `;`, `&` and `>` are left to an address that was copied without quotes.
    private mutating func endsCommand(_ character: Character) -> Bool {
        let isLast = rest.first.map { $0.isWhitespace } ?? true
        let isOperator =
            switch character {
            case "#": !isInWord
            case ";": !isInWord || isLast
            case "&": !isInWord || isLast || rest.first == "&"
            case "|": true
            case ">", "<": !words.isEmpty && word.allSatisfy(\.isNumber)
            default: false
            }
        guard isOperator else { return false }
        let begins = character == ">" || character == "<"
        if begins { (word, isInWord) = ("", false) }
        if character != "#", rest.contains(where: { !$0.isWhitespace }) { end = String(character) }
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

    /// Records an expansion that begins with a dollar sign or a backquote, unless that sign is alone.
    private mutating func noteExpansion(_ character: Character) {
        if character == "`", rest.contains("`") { expansions.append("`…`") }
        guard character == "$", let next = rest.first else { return }
        if next == "(" { return expansions.append("$(…)") }
        let name = (next == "{" ? rest.dropFirst() : rest).prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
        }
        guard let first = name.first, !first.isNumber else { return }
        expansions.append("$" + name)
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
                noteExpansion(character)
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
        guard let quoted = AnsiQuote(&rest) else { return false }
        add(quoted.text)
        hasOtherBytes = hasOtherBytes || quoted.hasOtherBytes
        return true
    }
}

/// The words of a command as browsers on Windows copy it for `cmd.exe`: carets before special characters and line ends,
/// and within quotes backslashes or doubled quotes, as its programs read them.
enum WindowsWords {
    /// Whether a command was written for `cmd.exe`: with a caret before a quote or at the end of a line.
    static func isLike(_ text: String) -> Bool {
        var last: Character?
        for character in text {
            if last == "^", character == "\"" || character.isNewline { return true }
            last = character
        }
        return false
    }

    /// Splits a command; nil if a quote is not closed.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var rest = withoutCarets(text)[...]
        var isQuoted = false
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                let run = rest.prefix { $0 == "\\" }.count + 1
                rest = rest.dropFirst(run - 1)
                // Backslashes are special only before a quote: two are one, and an odd one escapes the quote.
                let count = rest.first == "\"" ? run / 2 : run
                word = (word ?? "") + String(repeating: "\\", count: count)
                if rest.first == "\"", run % 2 == 1 {
                    rest = rest.dropFirst()
                    word?.append("\"")
                }
            case "\"" where isQuoted && rest.first == "\"":
                rest = rest.dropFirst()
                word?.append("\"")
            case "\"":
                // A quote right after an opening one is an empty text, or an escaped quote of the value.
                let isDoubled = !isQuoted && rest.hasPrefix("\"") && !rest.hasPrefix("\"\"")
                if isDoubled { rest = rest.dropFirst() } else { isQuoted.toggle() }
                word = word ?? ""
            case _ where !isQuoted && character.isWhitespace:
                if let ended = word.take() { words.append(ended) }
            default: word = (word ?? "") + String(character)
            }
        }
        guard !isQuoted else { return nil }
        return words + [word].compactMap(\.self)
    }

    /// The text with carets resolved; one at a line's end joins the lines, and an empty line after it is a line end of
    /// the text.
    private static func withoutCarets(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "^" else {
                result.append(character)
                continue
            }
            guard let next = rest.popFirst() else { break }
            if !next.isNewline { result.append(next) }
        }
        return result
    }
}
