/// Text forms of PostgreSQL: array literals, COPY lines, and text of the server for a terminal.
package enum PostgresText {
    /// An array literal of numbers.
    package static func array(_ values: some Sequence<Int64>) -> String {
        "{" + values.map(String.init).joined(separator: ",") + "}"
    }

    /// An array literal of numbers that may be missing.
    package static func array(_ values: some Sequence<Int64?>) -> String {
        "{" + values.map { $0.map(String.init) ?? "NULL" }.joined(separator: ",") + "}"
    }

    /// An array literal of truth values.
    package static func array(_ values: some Sequence<Bool>) -> String {
        "{" + values.map { $0 ? "t" : "f" }.joined(separator: ",") + "}"
    }

    /// An array literal of texts that may be missing.
    package static func array(_ values: some Sequence<String?>) -> String {
        let elements = values.map { value -> String in
            guard let value else { return "NULL" }
            var quoted = "\""
            for character in value.unicodeScalars where character != "\0" {
                if character == "\"" || character == "\\" { quoted.append("\\") }
                quoted.unicodeScalars.append(character)
            }
            return quoted + "\""
        }
        return "{" + elements.joined(separator: ",") + "}"
    }

    /// Appends a field of a COPY line in text form; nil is `\N`.
    package static func appendField(_ value: some Sequence<UInt8>, to line: inout [UInt8]) {
        for byte in value {
            switch byte {
            case 0x5C: line += [0x5C, 0x5C]
            case 0x09: line += [0x5C, 0x74]
            case 0x0A: line += [0x5C, 0x6E]
            case 0x0D: line += [0x5C, 0x72]
            default: line.append(byte)
            }
        }
    }

    /// The first line of a text without control characters, at most 300 characters long.
    package static func printable(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        let line = lines.first.map(String.init) ?? ""
        var result = String.UnicodeScalarView()
        for scalar in line.unicodeScalars.prefix(300) {
            let category = scalar.properties.generalCategory
            result.append(category == .control || category == .format ? "?" : scalar)
        }
        return String(result)
    }
}
