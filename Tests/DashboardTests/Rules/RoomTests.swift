import Foundation
import SourceTestSupport
import Testing

/// The arrows between the rooms of the dashboard's two modules, compared with the maps in `docs/ARCHITECTURE.md`.
///
/// The targets keep both from the library and from the terminal; inside of them the maps keep the view out of what is
/// decided, and what is decided out of what is known.
@Suite("Rooms of the dashboard", .timeLimit(.minutes(1)))
struct RoomTests {
    private static func map(of module: String) throws -> [String: Set<String>] {
        let path = TypeReferences.package().appending(path: "docs/ARCHITECTURE.md")
        return RoomMap.table(of: module, in: try String(contentsOf: path, encoding: .utf8))
    }

    private static func folder(of module: String) -> URL {
        TypeReferences.package().appending(path: "Sources/\(module)")
    }

    @Test(
        "Every room uses only what the map lets it, and all of that",
        arguments: ["TransferValues", "AriaRPC", "TransferService", "Dashboard", "DashboardView"])
    func arrowsPointOneWay(module: String) throws {
        let map = try Self.map(of: module)
        try #require(map.count > 2, "docs/ARCHITECTURE.md has no map of \(module)")
        let contradictions = try TypeReferences(root: Self.folder(of: module)).contradictions(to: map)
        #expect(contradictions.isEmpty, "\(contradictions.joined(separator: "\n"))")
    }

    @Test(
        "A wrong reference is found, whichever room makes it",
        arguments: [
            ("Dashboard", "Text", "let key: KeyPress"), ("Dashboard", "Keys", "var model: Model?"),
            ("Dashboard", "Model", "func draw(on canvas: Canvas) {}"),
            ("Dashboard", "Surface", "let layout: ScreenLayout"), ("Dashboard", "Layout", "let key: KeyPress"),
            ("Dashboard", "Update", "let table: CommandTable.Type"),
            ("DashboardView", "Table", "let footer: FooterView"), ("DashboardView", "Frame", "let panel: Panel"),
            ("DashboardView", "Details", "let help: HelpView"), ("DashboardView", "Dialogs", "let table: TableView"),
        ])
    func wrongReferenceIsFound(module: String, room: String, text: String) throws {
        let folder = Self.folder(of: module)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        var files = try paths.filter { $0.hasSuffix(".swift") }.map { path in
            (path: path, text: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
        }
        files.append((path: "\(room)/Wrong.swift", text: text))
        let contradictions = TypeReferences(module: module, files: files).contradictions(to: try Self.map(of: module))
        #expect(contradictions.count == 1 && contradictions[0].contains("\(room)/Wrong.swift:1"), "\(contradictions)")
    }

    @Test(
        "Folders of one room use each other only where docs/ARCHITECTURE.md lists the pair, and no listed pair is gone",
        arguments: [
            "TransferValues", "SessionCore", "TransferService", "Dashboard", "DashboardView", "LoopbackServer",
            "netdash",
        ])
    func pairsAreListed(module: String) throws {
        let problems = try FolderPairs.problems(of: module, in: TypeReferences.package())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test("No folder holds more than twenty files", arguments: ["Sources/Dashboard", "Sources/DashboardView"])
    func foldersStaySmall(module: String) throws {
        let folders = try TypeReferences(root: TypeReferences.package().appending(path: module)).folders
        #expect(!folders.isEmpty)
        for (folder, files) in folders { #expect(files.count <= 20, "\(folder) has \(files.count) files") }
    }
}
