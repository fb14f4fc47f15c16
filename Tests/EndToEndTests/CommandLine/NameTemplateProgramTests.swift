import LoopbackServer
import Testing

/// Files that a template names.
@Suite("Name templates, by the program", .timeLimit(.minutes(1)))
struct NameTemplateProgramTests {
    @Test("Patterns, several URLs and lists get their names, below the folder")
    func names() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/a/f": .file(seed: 1, count: 10), "/b/f": .file(seed: 2, count: 20),
            "/..%2f..%2fevil": .file(seed: 3, count: 5),
        ])
        let run = try await ProgramRun.finished(
            ["--plain", "-d", "out", "-o", "#1/{host}/{name}.bin", server.url("/{a,b}/f")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(folder.bytes(of: "out/a/127.0.0.1/f.bin")?.count == 10)
        #expect(folder.bytes(of: "out/b/127.0.0.1/f.bin")?.count == 20)

        try folder.write("\(server.url("/a/f"))\n\(server.url("/..%2f..%2fevil"))\n".utf8, to: "list")
        let list = try await ProgramRun.finished(
            ["--plain", "-d", "deep/er", "-o", "{path}/{name}", "-i", "list"], in: folder)
        #expect(list.status == 0, "\(list.messages)")
        #expect(folder.bytes(of: "deep/er/a/f")?.count == 10)
        #expect(try folder.names.sorted() == ["deep", "list", "out"])
    }
}
