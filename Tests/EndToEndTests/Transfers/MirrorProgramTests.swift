import Foundation
import LoopbackServer
import Testing

/// One file from several places, as a user asks for it.
@Suite("Mirrors of the program", .timeLimit(.minutes(1)))
struct MirrorProgramTests {
    private static let count: Int64 = 300_000
    private static let content = DeterministicContent(seed: 11, count: count)
    private static let behaviour = Behaviour.file(seed: 11, count: count)
    private static let missing = Behaviour.respond(.text("no", status: 404))
    private static let text = "Text that is the same every time.\n"
    private static let sha256 = "39cfd5fb90399e951f427b2d7e666fae68e6e37cbc74f101ec203a4d780b9aac"
    private static let small = Behaviour.resource(ServedResource(body: .text(text)))

    private func dropped(_ result: ProgramRun.Result) throws -> [JSONLines.Event] {
        try JSONLines(result.output).events.filter { $0.name == "mirrorDropped" }
    }

    @Test("With --mirror all URLs are places of one file, and a bad one is named")
    func option() async throws {
        let folder = try ScratchFolder()
        let (first, second) = (try Served.start(["/f": Self.missing]), try Served.start(["/f": Self.behaviour]))
        let words = ["--json", "--mirror", second.url("/f"), first.url("/f")]
        let result = try await ProgramRun.finished(words, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "f") == Self.content.bytes)
        #expect(try dropped(result).map { $0.text("source") } == [first.url("/f")])
        #expect(try JSONLines(result.output).events.count { $0.name == "added" } == 1)
    }

    @Test("URLs on a line of a list with tabs between are places of one file")
    func list() async throws {
        let folder = try ScratchFolder()
        let (first, second) = (try Served.start(["/f": Self.missing]), try Served.start(["/f": Self.behaviour]))
        _ = try folder.write("\(first.url("/f"))\t\(second.url("/f"))\n  out=g\n", to: "list")
        let result = try await ProgramRun.finished(["--plain", "-i", "list"], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "g") == Self.content.bytes)
        #expect(result.messages.contains("dropped mirror"))
    }

    private func metalink(_ urls: [String], name: String = "f.iso", size: Int = text.utf8.count, digest: String)
        -> String
    {
        let urls = urls.map { "<url>\($0)</url>" }.joined()
        return """
            <?xml version="1.0"?>
            <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="\(name)"><size>\(size)</size>\
            <hash type="sha-256">\(digest)</hash>\(urls)</file></metalink>
            """
    }

    private static let wrong = String(repeating: "0", count: 64)

    @Test("A Metalink of a server is fetched and followed, and the file is proven by its digest")
    func fetched() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/a/f": Self.missing, "/b/f": Self.small])
        let text = metalink([server.url("/a/f"), server.url("/b/f")], digest: Self.sha256)
        server.setRoute("/f.meta4", .respond(.text(text)))
        let result = try await ProgramRun.finished(["--json", "-i", server.url("/f.meta4")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "f.iso") == Array(Self.text.utf8))
        #expect(try JSONLines(result.output).events.contains { $0.text("sha256") == Self.sha256 })
    }

    @Test("Who asks is told to the server of a list, and to no other that the list or the Metalink names")
    func identity() async throws {
        let (lists, other) = (try Served.start(["/f": Self.small]), try Served.start(["/f": Self.small]))
        let metalink = metalink([other.url("/f")], digest: Self.sha256)
        for (path, text) in [("/l.txt", "\(lists.url("/f"))\n\(other.url("/f"))\n"), ("/l.meta4", metalink)] {
            lists.setRoute(path, .respond(.text(text)))
            let words = ["-u", "bob:secret", "-H", "X-Key: secret", "--cookie", "a=secret", "-i", lists.url(path)]
            let result = try await ProgramRun.finished(["--plain"] + words, in: try ScratchFolder())
            #expect(result.status == 0, "\(result.messages)")
        }
        func told(_ server: LoopbackServer) -> [Bool] {
            server.requests.map { request in
                ["Authorization", "X-Key", "Cookie"].contains { request.header($0) != nil }
            }
        }
        #expect(told(lists) == [true, true, true])
        #expect(told(other) == [false, false])
    }

    @Test("A Metalink with digests of pieces alone says that the file is not verified")
    func pieces() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/f": Self.small])
        let text = metalink([server.url("/f")], digest: Self.sha256)
            .replacingOccurrences(of: "<hash type=\"sha-256\">", with: "<pieces length=\"16\" type=\"sha-256\"><hash>")
            .replacingOccurrences(of: "</hash>", with: "</hash></pieces>")
        _ = try folder.write(text, to: "l.meta4")
        let result = try await ProgramRun.finished(["--plain", "-i", "l.meta4"], in: folder)
        #expect(result.status == 0 && folder.bytes(of: "f.iso") == Array(Self.text.utf8))
        #expect(result.messages.contains("no checksum of f.iso; to verify it add --checksums"))
    }

    @Test("A Metalink's wrong size or digest leaves no file under the name", arguments: [true, false])
    func wrong(isSize: Bool) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/f": Self.small, "/g": Self.small])
        _ = try folder.write(
            metalink(
                [server.url("/f"), server.url("/g")], size: isSize ? 5 : Self.text.utf8.count,
                digest: isSize ? Self.sha256 : Self.wrong), to: "l.meta4")
        let result = try await ProgramRun.finished(["--plain", "-i", "l.meta4"], in: folder)
        #expect(result.status != 0)
        #expect(result.messages.contains(isSize ? "File has 34 B, expected 5 B" : "checksum"))
        #expect(try !folder.names.contains("f.iso"))
    }

    @Test("A Metalink that leads out of the folder ends the run before anything begins")
    func outside() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/f": Self.small])
        _ = try folder.write(metalink([server.url("/f")], name: "../x", digest: Self.wrong), to: "l.meta4")
        let result = try await ProgramRun.finished(["--plain", "-i", "l.meta4"], in: folder)
        #expect(result.status == 2)
        #expect(result.messages.contains("\"../x\" leaves the download folder"))
        #expect(server.requests(for: "/f").isEmpty)
    }
}
