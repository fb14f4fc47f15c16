import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView
@testable import TransferService
@testable import netdash

/// The README's pictures; NETDASH_UPDATE_DOCUMENTS=1, as `script/screens` sets it, draws them.
@Suite("Pictures of screens", .timeLimit(.minutes(1)))
struct ScreenPictureTests {
    struct Picture: Sendable, CustomTestStringConvertible {
        var scene: String
        var size: Size
        var testDescription: String { "\(scene)-\(size.columns)x\(size.rows)" }
    }

    static let pictures = [
        Picture(scene: "table", size: Size(columns: 120, rows: 36)),
        Picture(scene: "table", size: Size(columns: 60, rows: 16)),
        Picture(scene: "details", size: Size(columns: 120, rows: 36)),
        Picture(scene: "filter", size: Size(columns: 80, rows: 24)),
        Picture(scene: "cancel-dialog", size: Size(columns: 80, rows: 24)),
        Picture(scene: "add-form", size: Size(columns: 80, rows: 24)),
        Picture(scene: "help", size: Size(columns: 120, rows: 36)),
    ]

    @Test("docs/screens shows what the program draws", arguments: pictures)
    func picturesAreCurrent(picture: Picture) throws {
        let scene = try #require(GoldenScenes.all.first { $0.name == picture.scene })
        let surface = view(scene.build(picture.size), size: picture.size, capabilities: ViewCapabilities())
        let path = "docs/screens/\(picture.testDescription).svg"
        let svg = ScreenPicture(surface).svg
        if ProjectFiles.isUpdating { return try ProjectFiles.write(svg, to: path) }
        // A picture of 40 kB in a message would help nobody.
        let isCurrent = try ProjectFiles.read(path) == svg
        #expect(isCurrent, "\(path) is stale; run script/screens")
    }

    @Test("The README's recording can be played, is small and names no place or person")
    func recordingIsSound() throws {
        let cast = try ProjectFiles.read("docs/screens/demo.cast")
        #expect(try ProjectFiles.read("README.md").contains("(docs/screens/demo.cast)"))
        #expect(cast.hasPrefix(#"{"version": 2, "width": 80, "height": 19, "title": "netdash demo"}"# + "\n["))
        #expect(cast.utf8.count < 300_000)
        #expect(cast.firstMatch(of: /\/(home|root|tmp|work|var|usr|Users)\b/) == nil)
        #expect(cast.contains(RuleLabels.quitsWhenDone.string))
    }

    @Test("What the format takes for its own is escaped, and a gauge is drawn to the eighth of a cell")
    func pictureIsSound() {
        var surface = Surface(size: Size(columns: 6, rows: 1))
        for (column, cluster) in (["<", "&", "█", "█", "▌", "a"] as [Cluster]).enumerated() {
            surface[0, column] = Surface.Cell(cluster: cluster, width: 1, role: .plain)
        }
        let svg = ScreenPicture(surface).svg
        #expect(svg.contains(">&lt;&amp;</text>"))
        #expect(svg.contains("<rect x=\"26.0\" y=\"10.0\" width=\"16.0\" height=\"17.0\""))
        #expect(svg.contains("<rect x=\"42.0\" y=\"10.0\" width=\"4.0\" height=\"17.0\""))
    }
}
