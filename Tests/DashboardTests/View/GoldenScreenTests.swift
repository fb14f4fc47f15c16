import DashboardTestSupport
import Testing

@testable import Dashboard

@Suite("Golden screens", .timeLimit(.minutes(1)))
struct GoldenScreenTests {
    static let sizes = [(20, 3), (20, 5), (40, 10), (60, 16), (80, 24), (120, 36), (140, 40)].map {
        Size(columns: $0.0, rows: $0.1)
    }

    @Test("Every scene looks as it did at every size", arguments: GoldenScenes.all, sizes)
    func screensMatch(scene: GoldenScenes.Scene, size: Size) throws {
        try check(scene, size: size, capabilities: ViewCapabilities(), suffix: "")
    }

    @Test(
        "The table, a dialog and strange names look right in ASCII",
        arguments: ["table", "cancel-dialog", "evil-names"], sizes)
    func plainScreensMatch(name: String, size: Size) throws {
        let scene = try #require(GoldenScenes.all.first { $0.name == name })
        let capabilities = ViewCapabilities(glyphs: .ascii, showsUnicode: false, hasEighths: false, width: .asciiOnly)
        try check(scene, size: size, capabilities: capabilities, suffix: "-ascii")
    }

    @Test("An ASCII screen has nothing but ASCII on it", arguments: GoldenScenes.all)
    func plainScreensArePlain(scene: GoldenScenes.Scene) {
        let capabilities = ViewCapabilities(glyphs: .ascii, showsUnicode: false, hasEighths: false, width: .asciiOnly)
        for size in GoldenScreenTests.sizes {
            let surface = view(scene.build(size), size: size, capabilities: capabilities)
            #expect(surface.cells.allSatisfy { cell in cell.cluster.text.utf8.allSatisfy { $0 < 0x7F } })
        }
    }

    private func check(
        _ scene: GoldenScenes.Scene, size: Size, capabilities: ViewCapabilities, suffix: String
    ) throws {
        let name = "\(scene.name)-\(size.columns)x\(size.rows)\(suffix)"
        let text = GoldenFiles.text(of: view(scene.build(size), size: size, capabilities: capabilities))
        if GoldenFiles.isUpdating { return try GoldenFiles.write(text, to: name) }
        #expect(GoldenFiles.read(name) == text, "\(name) has changed")
    }
}
