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

    @Test(
        "A disk with room that takes no further file says that inodes are what is missing",
        .enabled(if: RowStoryTests.canMount))
    func noInodes() async throws {
        let folder = try ScratchFolder()
        let server = try server()
        // One for the root of the disk, and one more.
        let script =
            "mkdir disk && mount -t tmpfs -o size=10m,nr_inodes=2 tmpfs disk && : >disk/filler; exec \"$0\" \"$@\""
        for path in ["/large", "/small"] {
            let run = try await ProgramRun.finished(
                ["-d", "disk", server.url(path)], in: folder,
                before: ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script])
            #expect(run.status == 3, "\(run.messages)")
            #expect(run.messages.contains("no free inodes on this disk"), "\(run.messages)")
            try FileManager.default.removeItem(atPath: folder.path(of: "disk"))
        }
    }

    @Test("Names have all the bytes that a folder takes", arguments: [255, 243])
    func longNames(length: Int) async throws {
        let folder = try ScratchFolder()
        let server = try server()
        let name = String(repeating: "ä", count: length / 2) + (length % 2 == 1 ? "x" : "")
        for words in [[], ["request"]] {
            let run = try await ProgramRun.finished(words + ["-o", name, server.url("/large")], in: folder)
            #expect(run.status == 0, "\(run.messages)")
            #expect(folder.bytes(of: name) == Self.large.bytes)
            #expect(try folder.names == [name])
            #expect(unlink(folder.path(of: name)) == 0)
        }
        let refused = try await ProgramRun.finished(["-o", name + "yyyyyyyyyyyyy", server.url("/small")], in: folder)
        #expect(refused.status == 2 && refused.messages.contains("longer than 255 bytes"))
    }

    @Test("A body that nothing ends but its connection is said not to be verified", arguments: [[], ["request"]])
    func unverifiedLength(words: [String]) async throws {
        let folder = try ScratchFolder()
        let server = try server()
        server.setRoute("/open", .file(seed: 3, count: 1_000).framed(.untilClose))
        for (path, isVerified) in [("/open", false), ("/large", true)] {
            let run = try await ProgramRun.finished(
                words + ["--plain", "-o", path.replacingOccurrences(of: "/", with: "file-"), server.url(path)],
                in: folder)
            #expect(run.status == 0, "\(run.messages)")
            #expect(run.messages.contains("length not verified") != isVerified, "\(run.messages)")
        }
    }
}
