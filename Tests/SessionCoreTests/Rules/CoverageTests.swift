import Foundation
import Testing

/// Keeps `Tests/Coverage.md` true: a row that is missing, or that names what is not there, fails.
@Suite("Coverage of the original", .timeLimit(.minutes(1)))
struct CoverageTests {
    /// Rows that nothing provides yet.
    ///
    /// They say so in their note; everything else has a symbol and a test.
    static let openRows: Set<String> = []

    @Test("Every row is there once, in order, and none that does not exist")
    func everyRowIsThere() throws {
        let table = try CoverageTable.load()
        #expect(table.rows.map(\.identifier) == CoverageTable.expectedIdentifiers)
        #expect(table.rows.allSatisfy { $0.columnCount == 5 })
    }

    @Test("Every row that is not open names a symbol and a test; an open one says so")
    func everyRowIsProvided() throws {
        for row in try CoverageTable.load().rows {
            if Self.openRows.contains(row.identifier) {
                #expect(row.note.hasPrefix("Open:"), "\(row.identifier) is open and does not say so")
            } else {
                #expect(!row.symbols.isEmpty, "\(row.identifier) names no symbol")
                #expect(!row.tests.isEmpty, "\(row.identifier) names no test")
                #expect(!row.note.hasPrefix("Open:"), "\(row.identifier) says it is open")
            }
        }
    }

    @Test("Every named symbol is declared in Sources")
    func everySymbolExists() throws {
        let index = try CoverageIndex()
        for row in try CoverageTable.load().rows {
            for symbol in row.symbols {
                #expect(index.declares(symbol), "\(row.identifier): Sources declare no \(symbol)")
            }
        }
    }

    @Test("Every named test exists, names its row, and expects something")
    func everyTestExists() throws {
        let index = try CoverageIndex()
        let expectation = try Regex(#"#expect\b|#require\b|Issue\.record\b"#)
        for row in try CoverageTable.load().rows {
            let name = try Regex("\\b\(row.identifier)\\b")
            for test in row.tests {
                let attribute = index.attribute(ofTest: test)
                #expect(attribute != nil, "\(row.identifier): there is no test \(test)")
                #expect(attribute?.contains(name) == true, "\(test) does not name \(row.identifier)")
                #expect(index.body(ofTest: test)?.contains(expectation) == true, "\(test) expects nothing")
            }
        }
    }

    @Test("What a program would call is called by a test of its row")
    func everyMemberIsUsed() throws {
        let index = try CoverageIndex()
        for row in try CoverageTable.load().rows {
            let bodies = row.tests.compactMap(index.body)
            for symbol in row.symbols where index.isPublicMember(symbol) {
                let name = symbol.split(separator: ".").last.map(String.init) ?? symbol
                // A simple boundary: Unicode's sees one word in "task.kind".
                let use = try Regex("\\b\(name)\\b").wordBoundaryKind(.simple)
                #expect(bodies.contains { $0.contains(use) }, "\(row.identifier): no test of it uses \(symbol)")
            }
        }
    }

    @Test("What is not there is not found")
    func missingNamesAreNotFound() throws {
        let source = [
            "public struct Box {", "    public static var size = 1", "    /// var none", "    enum Kind {",
            "        case open, `default`", "    }", "}",
        ]
        let test = SourceTree.File(
            path: "BoxTests.swift",
            lines: ["struct BoxTests {", "    @Test(\"Z01\")", "    func opens() {", "    }", "", "    func helps() {"])
        let index = CoverageIndex(sources: [source], tests: [test])
        #expect(["Box", "Box.size", "Box.Kind.open", "Box.Kind.default"].allSatisfy(index.declares))
        #expect(!["Bo", "Box.sized", "Bag.size", "Box.init", "Box.none", ""].contains(where: index.declares))
        #expect(index.attribute(ofTest: "BoxTests/opens")?.contains("Z01") == true)
        #expect(
            ["BoxTests/helps", "BoxTests/open", "BagTests/opens"].allSatisfy { index.attribute(ofTest: $0) == nil })
        #expect(index.body(ofTest: "BoxTests/opens") == "    func opens() {\n    }")
        #expect(index.body(ofTest: "BoxTests/open") == nil)
        #expect(
            index.isPublicMember("Box.size") && !["Box", "Box.Kind", "Kind.open"].contains { index.isPublicMember($0) })
        let table = try CoverageTable(markdown: "| Row | x |\n| A01 | what | `B.c`, `d` | `E/f` | why |\nA02")
        #expect(table.rows.map(\.identifier) == ["A01"])
        #expect(table.rows.first?.symbols == ["B.c", "d"] && table.rows.first?.tests == ["E/f"])
    }
}
