import Foundation
import LoopbackServer
import Testing

/// Downloads where the file system refuses what good ones offer, and where a disk fails on one file alone.
@Suite("Poor file systems", .timeLimit(.minutes(1)))
struct PoorFileSystemTests {
    private static let large = DeterministicContent(seed: 3, count: 400_000)

    private func server() throws -> LoopbackServer {
        try Served.start([
            "/small": .resource(ServedResource(body: .text("small\n"))),
            "/other": .resource(ServedResource(body: .text("other\n"))),
            "/large": .file(seed: 3, count: 400_000),
        ])
    }

    @Test(
        "Whatever is refused, files get their names, and none is replaced",
        arguments: RefusingFileSystem.Call.allCases.map { [$0] } + [RefusingFileSystem.Call.allCases])
    func refused(calls: [RefusingFileSystem.Call]) async throws {
        guard let environment = RefusingFileSystem.environment(refusing: calls) else { return }
        let folder = try ScratchFolder()
        try folder.write("mine", to: "small")
        let server = try server()
        let run = try await ProgramRun.finished(
            [server.url("/small"), server.url("/other"), server.url("/large")], in: folder, environment: environment)
        #expect(run.status == 0, "\(run.messages)")
        #expect(folder.bytes(of: "small") == Array("mine".utf8))
        #expect(folder.bytes(of: "small (1)") == Array("small\n".utf8))
        #expect(folder.bytes(of: "other") == Array("other\n".utf8))
        #expect(folder.bytes(of: "large") == Self.large.bytes)
        #expect(try folder.names == ["large", "other", "small", "small (1)"])
    }

    @Test("A disk that fails on one file fails its transfer alone")
    func oneFails() async throws {
        guard let environment = RefusingFileSystem.environment(failing: "large") else { return }
        let folder = try ScratchFolder()
        let server = try server()
        server.setRoute("/fine", .file(seed: 3, count: 400_000))
        let run = try await ProgramRun.finished(
            [server.url("/large"), server.url("/fine"), server.url("/small"), server.url("/other")], in: folder,
            environment: environment)
        #expect(run.status != 0)
        #expect(folder.bytes(of: "fine") == Self.large.bytes)
        #expect(folder.bytes(of: "small") == Array("small\n".utf8))
        #expect(folder.bytes(of: "other") == Array("other\n".utf8))
        #expect(try !folder.names.contains("large"))
        #expect(run.messages.contains("3 completed, 1 failed"), "\(run.messages)")
    }
}
