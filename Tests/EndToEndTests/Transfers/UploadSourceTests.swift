import Foundation
import Glibc
import LoopbackServer
import Testing

/// What an upload is made of is more than a small file.
@Suite("Sources of uploads", .timeLimit(.minutes(1)))
struct UploadSourceTests {
    @Test("A device without an end is refused before anything is sent", arguments: ["/dev/zero", "/dev/full"])
    func devices(path: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/up": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", path, server.url("/up")], in: folder)
        #expect(run.status != 0 && run.status < 128, "\(run.messages)")
        #expect(run.messages.contains(path) && run.messages.contains("file"), "\(run.messages)")
        #expect(server.requests.isEmpty)
    }

    @Test("A file of ten GiB with a hole is announced with its length, and a server that refuses it stops it")
    func sparse() async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "sparse")
        try #require(truncate(folder.path(of: "sparse"), 10 << 30) == 0)
        let server = try Served.start(["/up": .refusing(.text("too large\n", status: 413))])
        let run = try await ProgramRun.finished(
            ["upload", "--plain", "--retries", "0", "sparse", server.url("/up")], in: folder)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("413"), "\(run.messages)")
        #expect(server.requests.first?.header("Content-Length") == String(10 << 30))
        #expect(server.requests.first.map { $0.bodyByteCount < 64 << 20 } == true)
    }

    @Test("A server that accepts an upload before it has read it is said to have done so")
    func earlyResponse() async throws {
        let folder = try ScratchFolder()
        try folder.write([UInt8](repeating: 7, count: 30_000_000), to: "large")
        let server = try Served.start(["/up": .refusing(.text("ok\n")), "/whole": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", "large", server.url("/up")], in: folder)
        #expect(run.status == 0 && run.messages.contains("may not have all of it"), "\(run.messages)")
        let whole = try await ProgramRun.finished(["upload", "--plain", "large", server.url("/whole")], in: folder)
        #expect(whole.status == 0 && !whole.messages.contains("may not"), "\(whole.messages)")
    }

    @Test(
        "A server that accepts a body before it has read it is said to have done so, whatever the body is made of",
        arguments: [
            (["request", "PUT", "-b", "@large"], "of 28.6 MiB"),
            (["request", "POST", "-F", "f=@large"], "of 28.6 MiB"),
            (["upload", "-"], "before the end of the input"),
        ])
    func earlyResponse(words: [String], said: String) async throws {
        let folder = try ScratchFolder()
        try folder.write([UInt8](repeating: 7, count: 30_000_000), to: "large")
        let server = try Served.start(["/up": .refusing(.text("ok\n")), "/whole": .uploadSink()])
        for (path, isEarly) in [("/up", true), ("/whole", false)] {
            for form in ["--plain", "--json"] {
                // A pipe, and not the file itself, whose length would be known.
                let run = try await ProgramRun.finished(
                    words + [form, server.url(path)], in: folder,
                    before: words.last == "-" ? ["/bin/sh", "-c", "cat large | \"$@\"", "sh"] : [])
                let said = (run.messages + run.text).contains(said)
                #expect(run.status == 0 && said == isEarly, "\(path) \(form): \(run.messages)")
            }
        }
    }

    @Test("An upload that is redirected to a request without its body has sent it, and says where it went")
    func bodyLeftBehind() async throws {
        let folder = try ScratchFolder()
        try folder.write([UInt8](repeating: 7, count: 3_000_000), to: "large")
        let server = try Served.start([
            "/up": .redirect(to: "/done", status: 303).receiving(UploadPolicy()), "/done": .respond(.text("ok\n")),
        ])
        let words = ["upload", "large", server.url("/up")]
        let plain = try await ProgramRun.finished(words + ["--plain"], in: folder)
        #expect(plain.status == 0 && plain.messages.contains("completed, 2.8 MiB"), "\(plain.messages)")
        let note = "The body went to \(server.url("/up")); the response is from \(server.url("/done"))"
        #expect(plain.messages.contains(note), "\(plain.messages)")
        let json = try await ProgramRun.finished(words + ["--json"], in: folder)
        #expect(json.text.contains("\"bytes\":3000000") && json.text.contains("The body went to"), "\(json.text)")
        let form = try await ProgramRun.finished(["POST", "--plain", "-b", "@large", server.url("/up")], in: folder)
        #expect(form.status == 0 && !form.messages.contains("went to"), "\(form.messages)")
    }

    @Test("A file without a byte is sent as that")
    func empty() async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "empty")
        let server = try Served.start(["/up": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", "empty", server.url("/up")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(server.requests.first?.header("Content-Length") == "0")
    }

    @Test("A file whose name is not UTF-8 is left out of a folder, and the exit status says that something was")
    func names() async throws {
        let folder = try ScratchFolder()
        try folder.write("a", to: "ok")
        let odd = Array(folder.path(of: "caf").utf8).map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xE9), 0]
        let file = open(odd, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0 && close(file) == 0)
        let server = try Served.start(["/*": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", ".", server.url("/in/")], in: folder)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("1 entry with names that are not UTF-8"), "\(run.messages)")
        #expect(server.requests.contains { $0.path.hasSuffix("/ok") })
        let preview = try await ProgramRun.finished(["upload", "--dry-run", ".", server.url("/in/")], in: folder)
        #expect(preview.status == 1 && preview.messages.contains("1 entry with names"), "\(preview.messages)")
        try #require(unlink(folder.path(of: "ok")) == 0)
        let none = try await ProgramRun.finished(["upload", "--plain", ".", server.url("/in/")], in: folder)
        #expect(none.status == 2 && none.messages.contains("only entries with names that are not UTF-8"))
        try folder.write(Array("\(server.url("/f"))\n out=caf".utf8) + [0xE9, 0x0A], to: "list")
        for words in [["--plain", "-i", "list"], ["--dry-run", "-i", "list"], ["add", "-i", "list"]] {
            let list = try await ProgramRun.finished(words, in: folder)
            #expect(list.status == 2 && list.messages.contains("list:2: out: the path has bytes"), "\(list.messages)")
        }
    }

    @Test("A folder goes to a WebDAV server that has none of its collections")
    func collections() async throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "tree/below/deep"), withIntermediateDirectories: true)
        try folder.write("one", to: "tree/one")
        try folder.write("two", to: "tree/below/deep/two")
        let keeper = CollectionKeeper(["/dav/"])
        let server = try Served.start(["/*": keeper.behaviour])
        let run = try await ProgramRun.finished(["upload", "--plain", "tree/", server.url("/dav/")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(
            keeper.files == ["/dav/tree/one": Array("one".utf8), "/dav/tree/below/deep/two": Array("two".utf8)])
        #expect(keeper.collections == ["/dav/", "/dav/tree/", "/dav/tree/below/", "/dav/tree/below/deep/"])
    }

    @Test("A collection that the server refuses is named, and the upload fails")
    func refusedCollection() async throws {
        let folder = try ScratchFolder()
        try folder.write("one", to: "one")
        let keeper = CollectionKeeper(["/dav/"]) { $0.method == "MKCOL" ? ScriptedResponse(403) : nil }
        let server = try Served.start(["/*": keeper.behaviour])
        let run = try await ProgramRun.finished(["upload", "--plain", "one", server.url("/dav/new/")], in: folder)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("Could not make WebDAV collection /dav/new/: 403"), "\(run.messages)")
    }
}
