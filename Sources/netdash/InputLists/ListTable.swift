import Dashboard
import SessionSupport

/// The header of a list of comma-separated values, such as `url,out,checksum`, by which the rows below it are read.
struct ListTable: Sendable, Equatable {
    private static let url = "url"

    /// Keys of lists, and `url`.
    private let columns: [String]

    /// Reads a header; nil for a line without a column `url` among others.
    init?(header line: String) {
        let names = Self.fields(line)?.map { $0.lowercased() } ?? []
        guard names.count > 1, names.count(where: { $0 == Self.url }) == 1 else { return nil }
        columns = names
    }

    /// The first column that is no key of lists.
    var unknown: String? { columns.first { $0 != Self.url && ListKey.named($0) == nil } }

    var count: Int { columns.count }

    /// The URL of a row, and its options; nil for a row with other columns.
    ///
    /// An empty field leaves the default.
    func row(_ line: String) -> (url: String, settings: [ListKey.Setting])? {
        guard let fields = Self.fields(line), fields.count == columns.count else { return nil }
        let pairs = zip(columns, fields)
        let url = pairs.first { $0.0 == Self.url }?.1 ?? ""
        return (url, pairs.filter { $0.0 != Self.url && !$0.1.isEmpty }.map { ListKey.Setting($0.0, $0.1) })
    }

    /// The fields of a line (RFC 4180, without line breaks inside of quotes), without the blanks at their ends that are
    /// outside of quotes; nil for a quote that is not closed.
    private static func fields(_ line: String) -> [String]? {
        var fields = [""]
        var isQuoted = false
        var previous: Character?
        /// Blanks outside of quotes, which count where the field goes on.
        var blanks = ""
        for character in line {
            if character == "\"" {
                // Two quotes inside of quotes are one.
                if !isQuoted, previous == "\"" { fields[fields.count - 1].append(character) }
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                fields.append("")
                blanks = ""
            } else if !isQuoted, character == " " || character == "\t" {
                if fields.last?.isEmpty == false { blanks.append(character) }
            } else {
                fields[fields.count - 1] += blanks + String(character)
                blanks = ""
            }
            previous = character == "\"" && previous == "\"" ? nil : character
        }
        return isQuoted ? nil : fields
    }

    /// Returns whether the first line of a list is of another format: JSON, markup, curl's commands and configuration,
    /// values with an unknown header, a text of several words, or no text.
    ///
    /// Such a line would otherwise count as the name of a host.
    static func isForeign(_ line: String) -> Bool {
        if URLText.isWord(line) || ["[{", "[\""].contains(where: { line.hasPrefix($0) }) { return true }
        if line.hasPrefix("http://") || line.hasPrefix("https://") { return false }
        guard let first = line.unicodeScalars.first,
            first.properties.isAlphabetic || "0123456789[".contains(first.description)
        else { return true }
        if first == "[", !line.prefix(while: { $0 != "]" }).contains(":") { return true }
        let isText = line.unicodeScalars.allSatisfy {
            $0 != "\u{FFFD}" && ($0 == "\t" || $0.value > 0x20 && $0.value != 0x7F)
        }
        guard isText else { return true }
        let host = line.prefix { !["/", "?", "#"].contains($0) }
        return !host.contains("@") && host.contains { [",", "=", "\""].contains($0) }
    }
}
