/// Writes the JSON of the server's own responses.
enum JSONText {
    /// A quoted and escaped string.
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{00}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// An object; the values are JSON already.
    static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { string($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
    }

    /// An array; the values are JSON already.
    static func array(_ values: [String]) -> String {
        "[" + values.joined(separator: ",") + "]"
    }
}
