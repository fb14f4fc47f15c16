import Foundation
import SourceTestSupport
import Testing

/// The arrows between the library's rooms, compared with the map in `docs/ARCHITECTURE.md`.
@Suite("Rooms of the library", .timeLimit(.minutes(1)))
struct RoomsTests {
    private static let folder = SourceTree.root.appending(path: "Sources/SessionCore")

    private static func map() throws -> [String: Set<String>] {
        let document = try String(
            contentsOf: SourceTree.root.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
        return RoomMap.table(of: "SessionCore", in: document)
    }

    @Test("A23: rooms use each other as the map of the code says, no arrow of it is idle, and none leads in a circle")
    func roomsFollowTheMap() throws {
        let map = try Self.map()
        try #require(map.count > 10, "docs/ARCHITECTURE.md has no map of the library's rooms")
        let contradictions = try TypeReferences(root: Self.folder).contradictions(to: map)
        #expect(contradictions.isEmpty, "\(contradictions.joined(separator: "\n"))")
    }

    @Test(
        "A wrong reference is found, whichever room makes it",
        arguments: [
            ("Policy", "func look(at file: PartFile) {}"),
            ("Storage", "let task: SessionTask?"), ("Engine", "var loop: TransferLoop?"),
            ("Transport", "weak var session: Session?"), ("Tasks", "func tell(_ session: Session) {}"),
            ("Session", "let record: TaskRecord"),
        ])
    func wrongReferenceIsFound(room: String, text: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        var files = try paths.filter { $0.hasSuffix(".swift") }.map { path in
            (path: path, text: try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8))
        }
        files.append((path: "\(room)/Wrong.swift", text: text))
        let contradictions = TypeReferences(module: "SessionCore", files: files).contradictions(to: try Self.map())
        #expect(contradictions.count == 1 && contradictions[0].contains("\(room)/Wrong.swift:1"), "\(contradictions)")
    }

    @Test("A map is read line by line, and another module's is not taken for it")
    func mapIsRead() {
        let document = "```rooms Other\nX → Y\n```\n\n```rooms Some\nValues\nPolicy   → Values, Engine\n```\n"
        #expect(RoomMap.table(of: "Some", in: document) == ["Values": [], "Policy": ["Values", "Engine"]])
        #expect(RoomMap.table(of: "Third", in: document).isEmpty)
    }
}
