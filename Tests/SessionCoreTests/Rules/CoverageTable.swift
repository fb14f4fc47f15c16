import Foundation

/// `Tests/Coverage.md`, read back: which symbol provides a row and which test shows it.
struct CoverageTable {
    /// One line of one of the document's tables.
    struct Row {
        /// What the row is about, such as `A01` or `LT1`.
        let identifier: String
        /// Declarations, such as `SessionManager.session`.
        let symbols: [String]
        /// Tests, as suite and function: `SessionTests/manyStatusesMakeOneCall`.
        let tests: [String]
        /// The last column.
        let note: String
        /// How many columns the line has.
        let columnCount: Int
    }

    let rows: [Row]

    /// Reads every table line whose first column is an identifier.
    init(markdown: String) throws {
        rows = markdown.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), line.hasSuffix("|") else { return nil }
            let columns = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let identifier = columns.first, identifier.wholeMatch(of: /([A-M]\d\d|LT\d+|KB\d\d|T\d\d)/) != nil
            else {
                return nil
            }
            return Row(
                identifier: identifier, symbols: columns.count > 2 ? Self.code(in: columns[2]) : [],
                tests: columns.count > 3 ? Self.code(in: columns[3]) : [], note: columns.last ?? "",
                columnCount: columns.count)
        }
    }

    /// The document of this package.
    static func load() throws -> CoverageTable {
        let file = SourceTree.root.appending(path: "Tests/Coverage.md")
        return try CoverageTable(markdown: String(contentsOf: file, encoding: .utf8))
    }

    /// What stands between backticks, in order.
    static func code(in text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }

    /// Every row there has to be: the original's 105, what its fourth version added, trust, reachability, its responses and
    /// requests, the measured traps, the original's bugs, and what programs do wrong.
    static let expectedIdentifiers: [String] = {
        let groups = [
            ("A", 25), ("B", 21), ("C", 25), ("D", 7), ("E", 16), ("F", 10), ("G", 1), ("H", 8), ("I", 18), ("J", 17),
            ("K", 21), ("L", 29), ("M", 14),
        ]
        let rows = groups.flatMap { group, count in (1...count).map { group + twoDigits($0) } }
        let bugs = (1...49).map { "KB" + twoDigits($0) }
        return rows + (1...19).map { "LT\($0)" } + bugs + (1...10).map { "T" + twoDigits($0) }
    }()

    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
