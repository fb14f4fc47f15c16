import Foundation
import SourceTestSupport
import Testing

@Suite("The rooms of the program", .timeLimit(.minutes(1)))
struct RoomsTests {
    /// Room → the rooms that it may use.
    static let table: [String: Set<String>] = [
        "System": [],
        "Options": [],
        "Terminal": [],
        "Transfers": ["System"],
        "Demo": ["Transfers"],
        "Configuration": ["Options", "System"],
        "CommandLine": ["Configuration", "Options"],
        "InputLists": ["Options", "System"],
        "Bridge": ["Options", "System", "Transfers"],
        "Output": ["Options", "System", "Transfers"],
        "Interactive": ["Options", "System", "Transfers"],
        "Telling": ["Options", "Output", "System", "Transfers"],
        "Effects": ["Bridge", "Configuration", "InputLists", "Options", "Output", "System", "Telling", "Transfers"],
        "Program": [
            "Bridge", "CommandLine", "Configuration", "Demo", "Effects", "InputLists", "Interactive", "Options",
            "Output",
            "System", "Telling", "Terminal", "Transfers",
        ],
    ]

    private static let root = TypeReferences.package().appending(path: "Sources/netdash")

    @Test("Every room uses those that the table allows, and the table has no circle")
    func arrowsAreThoseOfTheTable() throws {
        let problems = try TypeReferences(root: Self.root).contradictions(to: Self.table)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test(
        "A file that uses a higher room is found",
        arguments: [
            ("System/Wrong.swift", "let bridge: SessionBridge?", "System → Bridge"),
            ("Transfers/Wrong.swift", "func name(_ row: TransferRow.QueueKey) {}", "Transfers → Bridge"),
            ("Bridge/Wrong.swift", "let text = PlainEventFormatter().line(for: event)", "Bridge → Output"),
            ("Output/Wrong.swift", "func fail() { Netdash.complain(\"no\") }", "Output → Program"),
            ("Interactive/Wrong.swift", "let service: SessionBridge", "Interactive → Bridge"),
        ])
    func wrongReferenceIsFound(path: String, text: String, arrow: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.root.path).filter {
            $0.hasSuffix(".swift")
        }
        let files = try paths.map { path in
            (path: path, text: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
        }
        let problems = TypeReferences(module: "netdash", files: files + [(path: path, text: text)])
            .contradictions(to: Self.table)
        #expect(problems.contains { $0.hasPrefix("\(arrow) is not in the table: \(path):1: ") }, "\(problems)")
    }
}
