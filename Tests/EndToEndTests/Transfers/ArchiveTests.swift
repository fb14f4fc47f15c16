import LoopbackServer
import Testing

/// An archive of downloads over several runs.
@Suite("Archive of downloads", .timeLimit(.minutes(1)))
struct ArchiveTests {
    @Test("A second run skips what the first one has fetched, and says so in lines and in JSON")
    func secondRun() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 3, count: 10), "/new": .file(seed: 4, count: 10)])
        let words = ["--archive", "archive", "-d", "out"]
        let first = try await ProgramRun.finished(words + [server.url("/file?token=hush")], in: folder)
        #expect(first.status == 0, "\(first.messages)")
        let line = String(decoding: folder.bytes(of: "archive") ?? [], as: UTF8.self)
        #expect(line.hasPrefix("fetched - http://") && !line.contains("hush"))

        let urls = [server.url("/file?token=other"), server.url("/new")]
        let second = try await ProgramRun.finished(words + ["-d", "elsewhere"] + urls, in: folder)
        #expect(second.status == 0 && second.messages.contains("skipped, already in the archive"), "\(second.messages)")
        #expect(folder.bytes(of: "elsewhere/file") == nil && folder.bytes(of: "elsewhere/new")?.count == 10)

        let third = try await ProgramRun.finished(words + ["--json"] + urls, in: folder)
        let skipped = String(decoding: third.output, as: UTF8.self).split(separator: "\n")
            .filter { $0.contains("\"completed\"") && $0.contains("\"skipped\":true") }
        #expect(skipped.count == 2, "\(third.messages)")
        #expect(server.requests.count == 2)
    }
}
