import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Looks that are kept with a session")
struct SavedLayoutsTests {
    private static let sort = SavedLayout(name: "sort", value: "size inverted", configured: "state")
    private static let pane = SavedLayout(name: "pane", value: "large", configured: "small")

    private func inFolder(_ body: (_ path: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path + "/default.looks")
    }

    private func press(_ model: inout Model, _ keys: String) {
        for key in keys.map(KeyPress.character) { _ = update(&model, .key(key)) }
    }

    @Test("What was chosen by key differs from the configuration; hosts that are looked at for a moment do not count")
    func chosen() {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 120, rows: 36)))
        #expect(model.savedLayouts.isEmpty)
        press(&model, "I")
        #expect(model.savedLayouts.map(\.name) == ["sort"])
        press(&model, "dt")
        #expect(model.savedLayouts.map(\.name) == ["sort", "pane", "time-column"])
        press(&model, "I@")
        #expect(model.savedLayouts.map(\.name) == ["pane", "time-column"])
        #expect(model.saveLayouts() == [.saveLayouts(model.savedLayouts)])
        model.isSaved = false
        #expect(model.saveLayouts().isEmpty)
    }

    @Test("What is written is read back, for the user alone, and nothing to keep leaves no file")
    func roundTrip() throws {
        try inFolder { path in
            #expect(SavedLayoutFile.read(path).isEmpty)
            #expect(SavedLayoutFile.write([Self.sort, Self.pane], to: path))
            #expect(SavedLayoutFile.read(path) == [Self.sort, Self.pane])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(SavedLayoutFile.write([], to: path))
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(SavedLayoutFile.write([], to: path))
            #expect(SavedLayoutFile.write([Self.sort], to: path + ".d/new/folder"), "its session may not be open yet")
            #expect(SavedLayoutFile.read(path + ".d/new/folder") == [Self.sort])
            #expect(SavedLayoutFile.write([Self.sort], to: path))
            #expect(!SavedLayoutFile.write([Self.sort], to: path + "/no/folder"))
        }
    }

    @Test("A damaged file, or words of another version, keep nothing and spoil nothing")
    func damaged() throws {
        try inFolder { path in
            try "sort = size\nnonsense\npane.instead-of = small\n\u{0}".write(
                toFile: path, atomically: false, encoding: .utf8)
            #expect(SavedLayoutFile.read(path).isEmpty)
            var layout = DashboardLayout()
            let wrong = SavedLayout(name: "sort", value: "moon", configured: "state")
            let unknown = SavedLayout(name: "columns", value: "size moon", configured: "all")
            let lines = [SettingLine(name: "sort", value: "state"), SettingLine(name: "columns", value: "all")]
            layout.apply([wrong, unknown], configured: lines)
            #expect(layout == DashboardLayout())
        }
    }

    @Test("What the configuration says since then is newer and holds")
    func configuration() {
        var layout = DashboardLayout()
        let lines = [SettingLine(name: "sort", value: "name"), SettingLine(name: "pane", value: "small")]
        layout.apply([Self.sort, Self.pane], configured: lines)
        #expect(layout.order == DashboardLayout().order)
        #expect(layout.pane == .large)
    }
}
