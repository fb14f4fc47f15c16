import Dashboard
import SessionCore
import Testing

@testable import TransferService
@testable import netdash

/// How many connections a download gets, from every place where it can be said.
@Suite("Options of connections")
struct ConnectionOptionTests {
    private func segmentation(_ words: String...) throws -> Segmentation? {
        let job = try #require(CommandLine.parse(words + ["http://h/f"]).get().jobs.first)
        let manager = SessionManager()
        return TaskFactory(manager: manager, directory: nil, printsBodies: false).target(of: job).segmentation
    }

    @Test("Without a word a download gets as many as bring something, and what is said counts")
    func commandLine() throws {
        #expect(try segmentation() == Segmentation())
        #expect(try segmentation("-x", "auto") == Segmentation())
        #expect(try segmentation("-x8") == Segmentation(connections: .exactly(8)))
        #expect(
            try segmentation("--connections=1", "-k", "20M")
                == Segmentation(
                    connections: .exactly(1), minimumSegment: 20 << 20))
    }

    private func options(_ lines: String...) throws -> String {
        let text = "http://h/f\n" + lines.map { " " + $0 + "\n" }.joined()
        var list = try InputList(Array(text.utf8), name: "l", defaults: Job(kind: .download, url: ""))
        return try #require(list.next(1).first).options.map(\.line).joined(separator: "; ")
    }

    @Test("The keys of aria2's lists bound each other, whatever their order and however high they are")
    func aria() throws {
        #expect(try options("split=5") == "connections=5")
        #expect(try options("split=5", "max-connection-per-server=2") == "connections=2")
        #expect(try options("max-connection-per-server=2", "split=64") == "connections=2")
        #expect(try options("split=64") == "connections=16")
        #expect(try options("split=x").isEmpty)
        #expect(try options("min-split-size=20M", "connections=3") == "min-split=20M; connections=3")
    }

    @Test("A command of curl has no word for it")
    func curl() {
        #expect(
            CurlOptions.words(of: [JobOption.Value(.connections, "8"), JobOption.Value(.insecure)]) == ["--insecure"])
    }
}
