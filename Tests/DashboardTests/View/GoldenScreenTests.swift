import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

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
        "The table, its groups, a dialog and strange names look right in ASCII",
        arguments: ["table", "cancel-dialog", "evil-names", "groups"], sizes)
    func plainScreensMatch(name: String, size: Size) throws {
        let scene = try #require(GoldenScenes.all.first { $0.name == name })
        let capabilities = ViewCapabilities(glyphs: .ascii, showsUnicode: false, hasEighths: false, width: .asciiOnly)
        try check(scene, size: size, capabilities: capabilities, suffix: "-ascii")
    }

    @Test("A window with room for the rates of the latest seconds shows their curves", arguments: [false, true])
    func wideScreensMatch(isPlain: Bool) throws {
        let scene = try #require(GoldenScenes.all.first { $0.name == "rates" })
        let capabilities =
            isPlain
            ? ViewCapabilities(glyphs: .ascii, showsUnicode: false, hasEighths: false, width: .asciiOnly)
            : ViewCapabilities()
        try check(
            scene, size: Size(columns: 160, rows: 40), capabilities: capabilities, suffix: isPlain ? "-ascii" : "")
    }

    @Test(
        "The table, a dialog, a menu and the details look right in the fonts of the Linux console",
        arguments: ["table", "cancel-dialog", "state-menu", "details-timing"], [(80, 24), (140, 40)])
    func consoleScreensMatch(name: String, size: (columns: Int, rows: Int)) throws {
        let scene = try #require(GoldenScenes.all.first { $0.name == name })
        let capabilities = ViewCapabilities(glyphs: .console, hasEighths: false)
        let size = Size(columns: size.columns, rows: size.rows)
        try check(scene, size: size, capabilities: capabilities, suffix: "-console")
    }

    /// What every font of Debian's console-setup for Western and Central Europe has beyond ASCII, as far as it may be
    /// drawn.
    private static let consoleCharacters = Set("─│┌┐└┘║█░▒■▶▼▲×–—·≈→↓↑•♦\u{FFFD}".unicodeScalars)

    @Test("A screen of the Linux console has nothing on it that its fonts lack", arguments: GoldenScenes.all)
    func consoleScreensAreLegible(scene: GoldenScenes.Scene) {
        guard scene.name != "evil-names" else { return }
        let capabilities = ViewCapabilities(glyphs: .console, hasEighths: false)
        for size in GoldenScreenTests.sizes {
            let surface = view(scene.build(size), size: size, capabilities: capabilities)
            let characters = Set(surface.cells.flatMap { $0.cluster.text.unicodeScalars }.filter { $0.value >= 0x7F })
            #expect(characters.subtracting(Self.consoleCharacters).isEmpty, "\(size)")
        }
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
