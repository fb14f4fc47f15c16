import LoopbackServer
import Testing

/// The folders of URLs, kept below the chosen one.
@Suite("Relative folders", .timeLimit(.minutes(1)))
struct RelativeTests {
    @Test("With --relative the folders of the URL are made below the chosen one, and none beside it")
    func relative() async throws {
        let folder = try ScratchFolder()
        let file = Behaviour.file(seed: 3, count: 10)
        let server = try Served.start(["/a/b/file": file, "/%2e%2e/up/file": file])
        let urls = [server.url("/a/b/file"), server.url("/%2e%2e/up/file")]
        let run = try await ProgramRun.finished(["--relative", "-d", "out"] + urls, in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(folder.bytes(of: "out/a/b/file")?.count == 10 && folder.bytes(of: "out/up/file")?.count == 10)
        #expect(try folder.names == ["out"])
    }
}
