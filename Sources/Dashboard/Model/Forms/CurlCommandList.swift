import SessionSupport

/// The curl commands of a text: one on each line, or on several that a quote or a backslash at the end joins.
///
/// Empty lines and comments separate them, and so do the marks between commands that browsers copy together.
package struct CurlCommandList {
    package struct Command: Equatable {
        /// The number of its first line.
        package var line: Int
        package var text: String
    }

    package private(set) var commands: [Command] = []
    private var command = Command(line: 1, text: "")
    private var quote: Character?
    private var number = 1
    /// Whether a comment has begun behind a command's words.
    private var isAtComment = false

    package init(_ text: String) {
        let isWindows = text.contains("^\n") || text.contains("^\"")
        var isEscaped = false
        for character in ByteText.withoutByteOrderMark(text).replacing("\r\n", with: "\n") {
            if character == "\n" {
                number += 1
                if quote == nil, !isEscaped {
                    endCommand()
                    continue
                }
            }
            command.text.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == (isWindows ? "^" : "\\"), quote != "'" || isDollarQuote {
                isEscaped = true
            } else if !isWindows, !isComment, !isAtComment {
                note(character)
            }
        }
        endCommand()
    }

    /// Whether a backslash escapes in the open quote: `$'…'`.
    private var isDollarQuote = false

    private var isComment: Bool { command.text.first { !$0.isWhitespace } == "#" }

    private mutating func note(_ character: Character) {
        if let open = quote {
            if character == open { (quote, isDollarQuote) = (nil, false) }
        } else if character == "#" {
            isAtComment = command.text.dropLast().last.map { $0.isWhitespace } ?? true
        } else if character == "'" || character == "\"" {
            quote = character
            isDollarQuote = character == "'" && command.text.dropLast().last == "$"
        }
    }

    private mutating func endCommand() {
        defer { (command, isAtComment) = (Command(line: number, text: ""), false) }
        guard !isComment else { return }
        var text = ByteText.trimmed(command.text[...])
        for mark in [" ;", " &"] where text.hasSuffix(mark) { text = ByteText.trimmed(text.dropLast(mark.count)) }
        guard !text.isEmpty else { return }
        commands.append(Command(line: command.line, text: text))
    }
}
