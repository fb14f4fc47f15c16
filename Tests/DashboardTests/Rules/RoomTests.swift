import Foundation
import SourceTestSupport
import Testing

/// Which room of the dashboard may use which other.
///
/// The target keeps it from the library and from the terminal; inside of it this table keeps the view out of what is
/// decided, and what is decided out of what is known.
@Suite("Rooms of the dashboard", .timeLimit(.minutes(1)))
struct RoomTests {
    static let table: [String: Set<String>] = [
        "Text": [],
        "Commands": ["Text"],
        "Model": ["Text", "Commands"],
        "Surface": ["Text", "Commands", "Model"],
        "Layout": ["Text", "Model", "Surface"],
        "Update": ["Text", "Commands", "Model", "Layout"],
    ]

    private static let root = TypeReferences.package().appending(path: "Sources/Dashboard")

    @Test("Every room uses only what the table lets it, and all of that")
    func arrowsPointOneWay() throws {
        let contradictions = try TypeReferences(root: Self.root).contradictions(to: Self.table)
        #expect(contradictions.isEmpty, "\(contradictions.joined(separator: "\n"))")
    }

    @Test("No folder holds more than twenty files", arguments: ["Sources/Dashboard", "Sources/DashboardView"])
    func foldersStaySmall(module: String) throws {
        let folders = try TypeReferences(root: TypeReferences.package().appending(path: module)).folders
        #expect(!folders.isEmpty)
        for (folder, files) in folders { #expect(files.count <= 20, "\(folder) has \(files.count) files") }
    }
}
