import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("Rows kept as numbers and one block of text", .timeLimit(.minutes(1)))
struct ModelRowTextsTests {
    private static let paths: [SafeText?] = [
        nil, "", "/", "name", "/home/user/file.iso", "/home/user/", "relative/file.iso", "/home/用户/文件.iso",
        "/home/user/\u{301}x", "/home/漢/\u{301}",
    ]

    private func row(id: UInt64, _ random: inout GoldenRandom) -> RowSnapshot {
        var row = random.row(id: id)
        row.path = Self.paths.randomElement(using: &random) ?? nil
        row.method = ["GET", "PUT", "", "PROPFIND"].randomElement(using: &random) ?? "GET"
        row.protocolName = ["", "h1", "h2"].randomElement(using: &random) ?? ""
        row.failedAttempts = Int32.random(in: 0...9, using: &random)
        row.resumedAt = Int64.random(in: 0...100, using: &random)
        return row
    }

    @Test("What was put in comes out, whatever came between")
    func rowsComeOutAsTheyWere() {
        var random = GoldenRandom(seed: 11)
        var store = RowStore()
        var known: [UInt64: RowSnapshot] = [:]
        for _ in 0..<1_500 {
            let rows = (0..<3).map { _ in row(id: UInt64.random(in: 1...60, using: &random), &random) }
            for row in rows { known[row.id] = row }
            store.upsert(rows, rates: RateBoard(), now: 0)
            let gone = UInt64.random(in: 1...60, using: &random)
            known[gone] = nil
            store.remove([gone])
        }
        #expect(store.count == known.count)
        for (id, row) in known { #expect(store[id] == row) }
    }

    @Test("A name and a host that stand in the URL take no bytes of their own")
    func texts() {
        var texts = RowTexts()
        var row = RowSnapshot(id: 1, kind: .download, name: "Debian.iso", url: "http://host.example/cd/Debian.iso?x=1")
        row.host = "host.example"
        row.path = "/srv/Debian.iso"
        texts.set(0, to: row)
        #expect(texts.bytes == Array(row.url.string.utf8))
        #expect(texts.snapshot(0, row.figures) == row)
    }

    @Test("Texts are found without regard to case, in each of name, host and URL, and nowhere between them")
    func search() {
        var texts = RowTexts()
        var row = RowSnapshot(id: 1, kind: .upload, name: "Ärger.TAR → /in", url: "http://H.example/in?q=[A]")
        row.host = "H.example"
        texts.set(0, to: row)
        func finds(_ text: String) -> Bool { texts.contains(RowTexts.Needle(Array(text.utf8)), in: 0) }
        for text in ["ärger", "tar → /in", "h.example/in", "?q=[a]", ""] { #expect(finds(text), "\(text)") }
        for text in ["/inh", "{a}", "[a]x", "inhttp", "`"] { #expect(!finds(text), "\(text)") }
        #expect(texts.hostContains(RowTexts.Needle(Array("h.ex".utf8)), in: 0))
        #expect(!texts.hostContains(RowTexts.Needle(Array("http".utf8)), in: 0))
    }

    @Test("A number that may be missing is kept, and so is its absence", arguments: [nil, 0, -1, Int64.max])
    func compactOptional(number: Int64?) {
        var row = RowFigures(id: 1, kind: .data)
        #expect(row.expected == nil)
        row.expected = number
        #expect(row.expected == number)
        #expect(MemoryLayout<RowFigures>.size <= 96)
    }
}
