import SessionSupport

/// A program in the language of jq.
///
/// It is only the text; a child process runs it before a response is judged.
package struct JSONProgram: Sendable, Hashable {
    /// The results of a program as the elements of an array, or why there are none.
    package typealias Outcome = Result<JSONTree, Failure>

    /// The reason why a program has no results.
    package enum Failure: Error, Sendable, Equatable {
        /// jq is not installed.
        case missing
        /// jq's own words, which may have values of the response.
        case error(String)
        case time(seconds: Int)
        case memory(megabytes: Int)
        case output(megabytes: Int)

        /// The sentence, with jq's words as `mask` changes them.
        package func sentence(_ mask: (String) -> String = { Redaction.sentence($0) }) -> SafeText {
            switch self {
            case .missing: PathErrors.programMissing
            case .error(let words): PathErrors.program(SafeText(untrusted: String(mask(words).prefix(Self.longest))))
            case .time(let seconds): PathErrors.programTime(seconds)
            case .memory(let megabytes): PathErrors.programMemory(megabytes)
            case .output(let megabytes): PathErrors.programOutput(megabytes)
            }
        }

        /// The most characters of jq's words that a sentence has.
        private static let longest = 200
    }

    package let text: String

    package init(_ text: String) { self.text = text }

    /// Reads what jq has printed: a value in each line.
    ///
    /// - Parameter nodeLimit: the most values; nil beyond it, and for anything but JSON.
    package static func results(_ output: [UInt8], nodeLimit: Int = 1_000_000) -> JSONTree? {
        var lines = output
        if lines.last == UInt8(ascii: "\n") { lines.removeLast() }
        // A line break within a text is escaped, so each one ends a value.
        let values = lines.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: ",") : $0 }
        return JSONTree([UInt8(ascii: "[")] + values + [UInt8(ascii: "]")], nodeLimit: nodeLimit)
    }

    /// The reason in jq's standard error: `jq: error (at <stdin>:0): text`, without its positions; empty for none.
    package static func reason(_ errors: [UInt8]) -> String {
        let mark = "jq: error"
        // Messages of `debug` may come first.
        let lines = String(decoding: errors, as: UTF8.self).split(separator: "\n")
        guard let line = lines.last(where: { $0.hasPrefix(mark) }) else { return lines.first.map(String.init) ?? "" }
        var rest = line.dropFirst(mark.count)
        while true {
            rest = rest.drop { $0 == " " }
            guard rest.first == "(", let end = rest.firstIndex(of: ")") else { break }
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == ":" { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " }
        if let place = rest.firstRange(of: " at <top-level>") { rest = rest[..<place.lowerBound] }
        return String(ByteText.trimmed(rest.replacing(PathErrors.quotingHint, with: "")[...]))
    }

    // MARK: - Secrets

    /// The program as sentences show it: a mask replaces each text that is a secret, and every text if the program
    /// names a member with secrets.
    package var shownText: String {
        let literals = literals
        let hidesAll = namesSecret
        var shown = ""
        var place = text.startIndex
        for literal in literals {
            guard hidesAll || Self.hides(String(text[literal])) else { continue }
            shown += text[place..<literal.lowerBound] + Redaction.mask
            place = literal.upperBound
        }
        return shown + text[place...]
    }

    /// Whether a text of the program is a secret, or a URL that contains one.
    private static func hides(_ literal: String) -> Bool {
        Redaction.hidesParameter("", value: literal, userInfo: .masked) || Redaction.url(literal) != literal
    }

    /// Whether it reads or makes a member whose name says that it has a secret.
    var namesSecret: Bool {
        let texts = literals.map { String(text[$0]) }
        return (texts + names).contains { Redaction.hidesParameter($0) }
    }

    /// The ranges of its texts, without their quotes.
    private var literals: [Range<String.Index>] {
        var found: [Range<String.Index>] = []
        var start: String.Index?
        var isEscaped = false
        for index in text.indices {
            if text[index] == "\"", !isEscaped {
                if let begin = start { found.append(begin..<index) }
                start = start == nil ? text.index(after: index) : nil
            }
            isEscaped = text[index] == "\\" && !isEscaped
        }
        if let start { found.append(start..<text.endIndex) }
        return found
    }

    /// The names after dots and in front of colons; jq's own functions, such as `keys`, are none.
    private var names: [String] {
        var names: [String] = []
        var (name, isMember) = ("", false)
        for character in text + " " {
            if character.isLetter || character.isNumber || character == "_" {
                name.append(character)
                continue
            }
            if !name.isEmpty, isMember || character == ":" { names.append(name) }
            (name, isMember) = ("", character == "." || character == "{" || character == ",")
        }
        return names
    }
}
