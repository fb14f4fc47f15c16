import Foundation
import SourceTestSupport
import Testing

/// The arrows between the program's rooms, compared with the map in `docs/ARCHITECTURE.md`.
@Suite("The rooms of the program", .timeLimit(.minutes(1)))
struct RoomsTests {
    private static func map(of module: String = "netdash") throws -> [String: Set<String>] {
        let path = TypeReferences.package().appending(path: "docs/ARCHITECTURE.md")
        return RoomMap.table(of: module, in: try String(contentsOf: path, encoding: .utf8))
    }

    private static let root = TypeReferences.package().appending(path: "Sources/netdash")

    @Test("Every room uses those that the map allows, and the map has no circle")
    func arrowsAreThoseOfTheTable() throws {
        let map = try Self.map()
        try #require(map.count > 10, "docs/ARCHITECTURE.md has no map of the program's rooms")
        let problems = try TypeReferences(root: Self.root).contradictions(to: map)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test("The rooms of the queue, which is a package of its own, use each other as the map says")
    func roomsOfTheQueue() throws {
        let map = try Self.map(of: "FleetQueue")
        try #require(map.count > 4, "docs/ARCHITECTURE.md has no map of the queue's rooms")
        let root = TypeReferences.package().appending(path: "Fleet/Sources/FleetQueue")
        let problems = try TypeReferences(root: root).contradictions(to: map)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test("No two rooms of the tests' server use each other")
    func roomsOfTheServer() throws {
        let root = TypeReferences.package().appending(path: "Sources/LoopbackServer")
        let references = try TypeReferences(root: root)
        let rooms = references.folders.keys.filter { !$0.isEmpty }
        let arrows = references.arrows(between: rooms)
        try #require(arrows.count > 5)
        let pairs = arrows.keys.filter { arrows[TypeReferences.Arrow(from: $0.to, to: $0.from)] != nil }
        #expect(pairs.isEmpty, "\(pairs.map(\.description).sorted())")
    }

    @Test(
        "A file that uses a higher room is found",
        arguments: [
            ("System/Wrong.swift", "let printer: EventPrinter?", "System → Output"),
            ("Options/Wrong.swift", "func name(_ file: ConfigurationFile) {}", "Options → Configuration"),
            ("Output/Wrong.swift", "func fail() { Netdash.complain(\"no\") }", "Output → Program"),
            ("Interactive/Wrong.swift", "let runner: EffectRunner", "Interactive → Effects"),
        ])
    func wrongReferenceIsFound(path: String, text: String, arrow: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.root.path).filter {
            $0.hasSuffix(".swift")
        }
        let files = try paths.map { path in
            (path: path, text: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
        }
        let problems = TypeReferences(module: "netdash", files: files + [(path: path, text: text)])
            .contradictions(to: try Self.map())
        #expect(problems.contains { $0.hasPrefix("\(arrow) is not in the table: \(path):1: ") }, "\(problems)")
    }
}
