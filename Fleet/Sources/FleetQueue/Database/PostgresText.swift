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
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var bytes = [UInt8(ascii: "{")]
        for value in values {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            guard let value else {
                bytes += "NULL".utf8
                continue
            }
            bytes.append(quote)
            for byte in value.utf8 where byte != 0 {
                if byte == quote || byte == backslash { bytes.append(backslash) }
                bytes.append(byte)
            }
            bytes.append(quote)
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
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
