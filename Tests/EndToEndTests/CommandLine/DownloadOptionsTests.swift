import Foundation
import Glibc
import LoopbackServer
import Testing

/// What becomes of a download's file: checks, names that are taken, folders.
@Suite("Options of downloads", .timeLimit(.minutes(1)))
struct DownloadOptionsTests {
    private static let text = "Text that is the same every time.\n"
    private static let behaviour = Behaviour.resource(ServedResource(body: .text(text)))

    private static let digests = [
        "sha-256=39cfd5fb90399e951f427b2d7e666fae68e6e37cbc74f101ec203a4d780b9aac",
        "sha-1=87c733a299aa17625f4f9c90c5ead24d0fc5a95b", "md5=eb71ae3e740683402245c823073cbd5c",
        "sha-512=583e5ba61877f4b491837128d32c4d36cfa2490fe1480a42d4773c8b9cc9a090fcdc23b2bdff6340cf5ed3d47d24615ab0b65ca871264f06adfaccff783316da",
    ]

    @Test("A right checksum lets the file have its name", arguments: digests)
    func rightChecksum(checksum: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        let result = try await ProgramRun.finished(["--checksum", checksum, server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Array(Self.text.utf8))
        #expect(try folder.names == ["file"])
    }

    @Test("A wrong checksum fails with status 5, and no file has the name", arguments: digests)
    func wrongChecksum(checksum: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .resource(ServedResource(body: .text("Another text.\n")))])
        let result = try await ProgramRun.finished(["--checksum", checksum, server.url("/file")], in: folder)
        TroubleTests.expectFailed(result, saying: "checksum", status: 5)
        #expect(try !folder.names.contains("file"))
    }

    @Test("A file that is there is left with the wrong checksum too, but that is no success", arguments: [true, false])
    func leftFile(isListed: Bool) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        try folder.write("mine", to: "file")
        try folder.write("\(Self.digests[0].dropFirst("sha-256=".count))  file\n", to: "SUMS")
        let words = ["--if-exists", "skip"] + (isListed ? ["--checksums", "SUMS"] : ["--checksum", Self.digests[2]])
        let wrong = try await ProgramRun.finished(words + [server.url("/file")], in: folder)
        TroubleTests.expectFailed(wrong, saying: "already exists with another", status: 5)
        #expect(folder.bytes(of: "file") == Array("mine".utf8))
        try folder.write(Self.text, to: "file")
        let right = try await ProgramRun.finished(words + [server.url("/file")], in: folder)
        #expect(right.status == 0 && server.requestCount == 0, "\(right.messages)")
    }

    @Test("A list of checksums, marks in events, and a list of what has failed that the next run reads")
    func scripts() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/file": Self.behaviour, "/other": .resource(ServedResource(body: .text("Another text.\n"))),
            "/unlisted": Self.behaviour,
        ])
        let digest = Self.digests[0].dropFirst("sha-256=".count)
        try folder.write("\(digest)  file\n\(digest)  other\n", to: "SUMS")
        let urls = ["file", "other", "unlisted"].map { server.url("/" + $0) + "\n  tag=the \($0)\n" }
        try folder.write(urls.joined(), to: "list")
        let words = ["--json", "--retries", "0", "--checksums", "SUMS", "--failed-to", "failed"]
        let first = try await ProgramRun.finished(words + ["-i", "list"], in: folder)
        #expect(first.status == 5, "\(first.messages)")
        let events = try JSONLines(first.output).events.filter { $0.name != "summary" }
        #expect(events.allSatisfy { $0.text("tag")?.hasPrefix("the ") == true })
        #expect(events.filter { $0.name == "completed" }.map { $0.text("tag") } == ["the file"])
        let failed = folder.bytes(of: "failed").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(failed.contains(server.url("/other")) && !failed.contains(server.url("/file")))
        let second = try await ProgramRun.finished(["--plain", "--failed-to", "failed", "-i", "failed"], in: folder)
        #expect(second.status == 5 && second.messages.contains("/unlisted"), "\(second.messages)")
        let wrong = try await ProgramRun.finished(["--retry-failed"], in: folder)
        #expect(wrong.status == 2 && wrong.messages.contains("add --session NAME"))
    }

    @Test("What an interrupt cuts short, or leaves unbegun, stands in the list of what failed")
    func interrupted() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "middle")
        server.setRoute("/slow", .file(seed: 1, count: 2_000_000).stalling(after: 1_000_000, until: gate))
        let list = ["one", "two"].map { server.url("/slow") + "\n  out=\($0)\n" }.joined()
        try folder.write(server.url("/missing") + "\n" + list, to: "todo")
        let words = ["--plain", "-j", "1", "--ephemeral", "--retries", "0", "-i", "todo", "--failed-to", "todo"]
        let run = try ProgramRun(words, in: folder)
        _ = try await waitUntil("the first file", otherwise: { run.messages }) { gate.arrivals > 0 ? true : nil }
        try run.signal(SIGINT)
        #expect(try await run.waitForEnd().status == 130)
        let left = folder.bytes(of: "todo").map { String(decoding: $0, as: UTF8.self) }
        #expect(left == server.url("/missing") + "\n" + list)
    }

    @Test("A file is not overwritten for a name that only the server gave", arguments: [true, false])
    func serverNamed(isServers: Bool) async throws {
        let folder = try ScratchFolder()
        try folder.write("mine", to: "file")
        let server = try Served.start([
            "/get": Self.behaviour.header("Content-Disposition", "attachment; filename=file"), "/file": Self.behaviour,
        ])
        let result = try await ProgramRun.finished(
            ["--if-exists", "overwrite", server.url(isServers ? "/get" : "/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Array((isServers ? "mine" : Self.text).utf8))
        #expect(try folder.names == (isServers ? ["file", "file (1)"] : ["file"]))
    }

    @Test("A line of a head that is too long is told as such", arguments: ["Location", "Set-Cookie"])
    func longHeaders(name: String) async throws {
        let folder = try ScratchFolder()
        let long = "/" + String(repeating: "x", count: 110_000)
        let answer = Behaviour.redirect(to: "/file").header(name, long)
        let server = try Served.start(["/get": answer, "/file": Self.behaviour])
        let result = try await ProgramRun.finished(["--retries", "0", server.url("/get")], in: folder)
        #expect(result.status == 1)
        #expect(result.messages.contains("Header line over 100 KB"), "\(result.messages)")
    }

    /// A policy for names that are taken, and what it leads to.
    struct Collision: Sendable, CustomTestStringConvertible {
        var policy: String
        var status = 0
        var old: String
        var names: [String]
        var requests: Int?
        var testDescription: String { policy }
    }

    @Test(
        "A name that is taken is handled as asked",
        arguments: [
            Collision(policy: "rename", old: "mine", names: ["file", "file (1)"]),
            Collision(policy: "skip", old: "mine", names: ["file"], requests: 0),
            Collision(policy: "overwrite", old: text, names: ["file"]),
            Collision(policy: "fail", status: 1, old: "mine", names: ["file"]),
        ])
    func taken(collision: Collision) async throws {
        let folder = try ScratchFolder()
        try folder.write("mine", to: "file")
        let server = try Served.start(["/file": Self.behaviour])
        let result = try await ProgramRun.finished(
            ["--if-exists", collision.policy, "-o", "file", server.url("/file")], in: folder)
        #expect(result.status == collision.status, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Array(collision.old.utf8))
        #expect(try folder.names == collision.names)
        if let requests = collision.requests { #expect(server.requestCount == requests) }
        if collision.policy == "rename" { #expect(folder.bytes(of: "file (1)") == Array(Self.text.utf8)) }
        if collision.status != 0 { #expect(result.messages.contains("exists"), "\(result.messages)") }
    }

    @Test("A folder that is not there is made, and a URL without a name gets one")
    func folders() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/": Self.behaviour])
        let result = try await ProgramRun.finished(["-d", "new/inner", server.url("/")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "new/inner"))
        #expect(names.count == 1)
    }

    @Test("The same URL twice is one transfer")
    func twice() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        let result = try await ProgramRun.finished([server.url("/file"), server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requestCount == 1)
        #expect(try folder.names == ["file"])
    }

    @Test("An empty file is a file")
    func empty() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .resource(ServedResource(body: .empty))])
        let result = try await ProgramRun.finished([server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == [])
    }

    @Test("Only errors are told with --quiet")
    func quiet() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour])
        let good = try await ProgramRun.finished(["--quiet", server.url("/file")], in: folder)
        #expect(good.status == 0)
        #expect(good.messages.isEmpty && good.output.isEmpty)
        let bad = try await ProgramRun.finished(["--quiet", server.url("/missing")], in: folder)
        #expect(bad.status == 1)
        #expect(bad.lines.count == 1, "\(bad.messages)")
    }
}
