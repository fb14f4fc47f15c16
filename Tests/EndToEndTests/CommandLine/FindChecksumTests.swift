import Foundation
import LoopbackServer
import Testing

/// Checksums that nobody has given: announced by the server, or laid beside the file.
@Suite("Checksums that are looked for", .timeLimit(.minutes(1)))
struct FindChecksumTests {
    private static let text = "Text that is the same every time.\n"
    private static let sha256 = "39cfd5fb90399e951f427b2d7e666fae68e6e37cbc74f101ec203a4d780b9aac"
    private static let sha512 =
        "583e5ba61877f4b491837128d32c4d36cfa2490fe1480a42d4773c8b9cc9a090"
        + "fcdc23b2bdff6340cf5ed3d47d24615ab0b65ca871264f06adfaccff783316da"
    private static let wrong = String(repeating: "0", count: 64)
    private static let behaviour = Behaviour.resource(ServedResource(body: .text(text)))

    private static func served(_ text: String) -> Behaviour { .resource(ServedResource(body: .text(text))) }

    private func end(_ result: ProgramRun.Result) throws -> JSONLines.Event? {
        try JSONLines(result.output).events.first { $0.name == "completed" }
    }

    @Test(
        "A file beside the download proves it, whichever it is",
        arguments: [
            ("/d/SHA256SUMS", "\(sha256)  file\n\(wrong)  other\n", "sha-256"),
            ("/d/SHA512SUMS", "\(sha512) *file\n", "sha-512"), ("/d/file.sha256", sha256, "sha-256"),
            ("/d/file.sha512", "\(sha512)  build/file\n", "sha-512"),
        ])
    func found(path: String, text: String, algorithm: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/d/file": Self.behaviour, path: Self.served(text)])
        let words = ["--json", "--find-checksum", server.url("/d/file?token=1")]
        let result = try await ProgramRun.finished(words, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(try end(result)?.text("verified") == algorithm)
        #expect(folder.bytes(of: "file") == Array(Self.text.utf8))
    }

    @Test("A file whose published checksum is another one fails like one with --checksum, and has no name")
    func differs() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/file": Self.behaviour, "/file.sha256": Self.served(Self.wrong + "  file\n"),
        ])
        let result = try await ProgramRun.finished(["--find-checksum", server.url("/file")], in: folder)
        TroubleTests.expectFailed(result, saying: "checksum", status: 5)
        #expect(try !folder.names.contains("file"))
    }

    @Test("Where nothing is found the download succeeds and says that it is not verified", arguments: [true, false])
    func notFound(isJSON: Bool) async throws {
        let folder = try ScratchFolder()
        let page = Self.served("<html>Nothing is here, but the status is 200</html>")
        let server = try Served.start(["/file": Self.behaviour, "/SHA256SUMS": page])
        let words = [isJSON ? "--json" : "--plain", "--find-checksum", server.url("/file")]
        let result = try await ProgramRun.finished(words, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        if isJSON {
            #expect(String(decoding: result.output, as: UTF8.self).contains("\"verified\":false"))
        } else {
            #expect(result.messages.contains("no checksum found"), "\(result.messages)")
        }
        let asked = ["/SHA256SUMS", "/SHA512SUMS", "/file", "/file.sha256", "/file.sha512"]
        #expect(server.requests.map(\.path).sorted() == asked)
    }

    @Test("What goes to standard output cannot be taken back, so nothing is looked for")
    func standardOutput() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/*": Self.behaviour])
        let words = ["--find-checksum", "-o", "-", server.url("/file")]
        let refused = try await ProgramRun.finished(words, in: folder)
        #expect(refused.status == 2 && refused.messages.contains("name a file"), "\(refused.messages)")
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "config/netdash"), withIntermediateDirectories: true)
        try folder.write("find-checksum = yes\n", to: "config/netdash/config")
        let run = try await ProgramRun.finished(
            ["--plain", "-o", "-", server.url("/file")], in: folder,
            environment: ["XDG_CONFIG_HOME": folder.path(of: "config")])
        #expect(run.status == 0 && run.text == Self.text, "\(run.messages)")
        #expect(!run.messages.contains("verified") && server.requests.map(\.path) == ["/file"])
    }

    @Test("What a server announces is always compared", arguments: [true, false])
    func announced(isRight: Bool) async throws {
        let folder = try ScratchFolder()
        let value = isRight ? "Oc/V+5A5npUfQnstfmZvrmjm43y8dPEB7CA6TXgLmqw=" : String(repeating: "A", count: 43) + "="
        let server = try Served.start(["/file": Self.behaviour.header("Repr-Digest", "sha-256=:\(value):")])
        let result = try await ProgramRun.finished(["--plain", server.url("/file")], in: folder)
        if isRight {
            #expect(result.status == 0 && result.messages.contains("checksum matches"), "\(result.messages)")
        } else {
            TroubleTests.expectFailed(result, saying: "server announced", status: 5)
        }
        #expect(try folder.names.contains("file") == isRight)
        #expect(server.requests.map(\.path) == ["/file"], "nothing else is asked for without the option")
    }

    @Test("The file of a folder is asked for once, with the credentials of the downloads, from a list too")
    func list() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let sums = (1...20).map { "\(Self.sha256)  \($0)\n" }.joined()
        server.setRoute("/*", .guarded(authorization: "Bearer good", Self.behaviour))
        server.setRoute("/SHA256SUMS", .guarded(authorization: "Bearer good", Self.served(sums)))
        let lines = (1...20).map { server.url("/\($0)") + "\n find-checksum=true\n bearer=good\n" }
        try folder.write(lines.joined(), to: "list")
        let result = try await ProgramRun.finished(["--json", "-i", "list"], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let events = try JSONLines(result.output).events
        #expect(events.count { $0.text("verified") == "sha-256" } == 20)
        #expect(server.requests(for: "/SHA256SUMS").count == 1 && server.requestCount == 21)
    }
}
