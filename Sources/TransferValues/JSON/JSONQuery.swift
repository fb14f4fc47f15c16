import SessionSupport

/// What is looked for in a JSON body: a path, or a program in the language of jq.
package enum JSONQuery: Sendable, Equatable {
    case path(JSONPath)
    case program(JSONProgram)

    /// Reads a query; whether a program is valid is not known before jq has read it.
    package init(_ text: String) throws(JSONPath.Problem) {
        let trimmed = String(ByteText.trimmed(text[...]))
        self = Self.isProgram(trimmed) ? .program(JSONProgram(trimmed)) : .path(try JSONPath(text))
    }

    /// The program, which a process of its own has to run; nil for a path.
    var program: JSONProgram? { if case .program(let program) = self { program } else { nil } }

    /// The query for sentences, without secrets.
    var shownText: String {
        switch self {
        case .path(let path): path.text
        case .program(let program): program.shownText
        }
    }

    /// Whether a compared value is a secret.
    func hides(_ value: String) -> Bool {
        switch self {
        case .path(let path):
            Redaction.hidesParameter(path.lastName ?? "", value: value, userInfo: .masked)
        case .program(let program):
            program.namesSecret || Redaction.hidesParameter("", value: value, userInfo: .masked)
        }
    }

    /// Whether a text has what no path has outside of quotes: a pipe, a call, a comma, a blank, `..`, or a bracket
    /// around anything but a number, a name in quotes or a star.
    static func isProgram(_ text: String) -> Bool {
        guard !text.hasPrefix("/") else { return false }
        guard !text.hasPrefix("..") else { return true }
        var (isQuoted, isEscaped, isInBracket) = (false, false, false)
        var isOdd = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            guard !isQuoted, byte != UInt8(ascii: "\"") else { continue }
            if "|(){},;? \t\n".utf8.contains(byte) { return true }
            switch byte {
            case UInt8(ascii: "["): (isInBracket, isOdd) = (true, false)
            case UInt8(ascii: "]"):
                if isOdd { return true }
                isInBracket = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "*"): break
            default: isOdd = isOdd || isInBracket
            }
        }
        return false
    }
}
