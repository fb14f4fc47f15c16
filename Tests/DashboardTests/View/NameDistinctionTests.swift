import DashboardTestSupport
import Testing

@testable import Dashboard
@testable import DashboardView

@Suite("What tells rows with one name apart")
struct NameDistinctionTests {
    /// A row of a URL, with the file it is saved as if that matters.
    private struct Row {
        var url: String
        var path: String?

        init(_ url: String, _ path: String? = nil) { (self.url, self.path) = (url, path) }

        var origin: NameDistinction.Origin {
            let afterScheme = url.split(separator: "/", omittingEmptySubsequences: false)
            return NameDistinction.Origin(
                url: SafeText(untrusted: url), host: SafeText(untrusted: String(afterScheme[2])),
                path: path.map { SafeText(untrusted: $0) })
        }
    }

    private func words(_ rows: [Row], shownHost: Int = 0) -> [String] {
        let words = NameDistinction.words(
            of: rows.map { _ in "f" }, shownHost: shownHost
        ) { rows[$0].origin }
        return rows.indices.map { words[$0]?.string ?? "" }
    }

    struct Case: Sendable, CustomStringConvertible {
        var urls: [String]
        var words: [String]
        var description: String { urls.joined(separator: " ") }
    }

    @Test(
        "Only what differs is said: the host, then folders of the URL, then members of its query",
        arguments: [
            Case(urls: ["http://a/f", "http://b/f"], words: ["a", "b"]),
            Case(urls: ["http://a:80/f", "http://a:81/f"], words: ["a:80", "a:81"]),
            Case(urls: ["http://a/x/f", "http://a/y/f"], words: ["/x", "/y"]),
            Case(urls: ["http://a/1/x/z/f", "http://a/1/y/z/f"], words: ["/x", "/y"]),
            Case(urls: ["http://a/f", "http://a/y/f"], words: ["/", "/y"]),
            Case(urls: ["http://a/x/f", "http://a/x/x/f"], words: ["/", "/x"]),
            Case(urls: ["http://a/f?n=1&k=3", "http://a/f?n=2&k=3"], words: ["?n=1", "?n=2"]),
            Case(urls: ["http://a/f", "http://a/f?n=2"], words: ["", "?n=2"]),
            Case(urls: ["http://a/x/f", "http://b/y/f"], words: ["a", "b"]),
            Case(urls: ["http://a/x/f", "http://a/y/f", "http://b/x/f"], words: ["a/x", "a/y", "b/x"]),
            Case(urls: ["http://a/f?n=1", "http://a/f?n=2", "http://b/f"], words: ["a?n=1", "a?n=2", "b"]),
            Case(urls: ["http://a/f", "http://a/f"], words: ["", ""]),
            Case(urls: ["http://a/f", "http://a/f", "http://b/f"], words: ["a", "a", "b"]),
        ])
    func table(example: Case) {
        #expect(words(example.urls.map { Row($0) }) == example.words)
    }

    @Test("The same URL in two folders is told by the folder of its file")
    func folders() {
        #expect(words([Row("http://a/f", "/d/x/f"), Row("http://a/f", "/d/y/f")]) == ["in x/", "in y/"])
        #expect(words([Row("http://a/f", "/d/f"), Row("http://a/f", "/d/y/f")]) == ["", "in y/"])
        #expect(words([Row("http://a/f"), Row("http://a/f")]) == ["", ""])
    }

    @Test("A host that a column shows completely is not repeated, and still counts")
    func shownHosts() {
        let rows = [Row("http://aa/x/f"), Row("http://aa/y/f"), Row("http://bb/x/f")]
        #expect(words(rows, shownHost: 2) == ["/x", "/y", "/x"])
        #expect(words(rows, shownHost: 1) == ["aa/x", "aa/y", "bb/x"])
        #expect(words(Array(rows[1...]), shownHost: 2) == ["", ""])
    }

    @Test("A row with a name of its own has no words, and its URL is not read")
    func unique() {
        let words = NameDistinction.words(of: ["f", "g", "f", "h"]) { index in
            #expect(index != 1 && index != 3)
            return Row("http://\(index)/f").origin
        }
        #expect(words == [0: "0", 2: "2"])
    }

    @Test("A narrow column gives both the name and what differs a half", arguments: [20, 40, 80, 120])
    func narrow(columns: Int) {
        let size = Size(columns: columns, rows: 10)
        let model = GoldenScenes.start(size, rows: GoldenRows.sameNames)
        let text = GoldenFiles.text(of: view(model, size: size, capabilities: ViewCapabilities()))
        let rows = text.split(separator: "\n").filter { $0.contains("64") && $0.contains("0%") }
        let lines = rows.filter { !$0.contains("other") }
        #expect(lines.count == 5 && Set(lines).count >= (columns == 20 ? 4 : 5), "\(text)")
    }
}
