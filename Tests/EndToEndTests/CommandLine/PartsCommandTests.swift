import Foundation
import LoopbackServer
import Testing

/// `netdash parts`: what a download that was cut has left, listed and removed.
@Suite("The command parts", .timeLimit(.minutes(1)))
struct PartsCommandTests {
    @Test("A part that a killed run has left is listed, goes on as it says, and is removed only when that is asked for")
    func leftovers() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        server.setRoute("/disk.iso", .file(seed: 5, count: 400_000).cutting(after: 300_000))
        let cut = try await ProgramRun.finished(
            ["--plain", "--retries", "0", server.url("/disk.iso")], in: folder)
        #expect(cut.status != 0)
        let listed = try await ProgramRun.finished(["parts"], in: folder)
        #expect(listed.status == 0 && listed.messages.isEmpty)
        let lines = listed.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains("resumable") ?? false)
        #expect(lines.first?.hasSuffix(server.url("/disk.iso")) ?? false)
        #expect(lines.last?.hasSuffix("netdash parts --remove deletes them") ?? false)
        #expect(try folder.names.count == 2, "the part and its meta are still there")
        let removed = try await ProgramRun.finished(["parts", "--remove", "."], in: folder)
        #expect(removed.status == 0 && removed.text.contains("disk.iso") && removed.text.contains("Removed 1 file"))
        #expect(try folder.names.isEmpty)
        let none = try await ProgramRun.finished(["parts"], in: folder)
        #expect(none.status == 0 && none.text == "No leftovers\n")
    }

    @Test("A session with a row that cannot be read is named, and its files stay; the list and other commands go on")
    func unreadableSession() async throws {
        let shared = try SharedService()
        defer { shared.download.release() }
        #expect(try await shared.run("add", shared.download.url).status == 0)
        try await shared.waitForStatus("a download in the middle") { $0.contains("25%") }
        #expect(try await shared.run("stop").status == 0)
        let path = try #require(shared.environment["XDG_STATE_HOME"]) + "/netdash/default.sqlite"
        var store = try #require(FileManager.default.contents(atPath: path))
        let url = try #require(store.range(of: Data("/file.bin".utf8)))
        store[url.upperBound - 1] = UInt8(ascii: "x")
        try store.write(to: URL(fileURLWithPath: path))
        let folder = shared.download.folder
        let part = try #require(try folder.parts.first)
        for words in [["parts"], ["parts", "--remove"]] {
            let listed = try await ProgramRun.finished(words, in: folder, environment: shared.environment)
            #expect(listed.status == 1 && listed.text.contains(part))
            #expect(listed.messages.contains("default.sqlite: 1 transfer cannot be read"), "\(listed)")
            #expect(!listed.text.contains("--remove"), "what removes nothing is not recommended")
        }
        #expect(try folder.parts == [part])
        let found = try await shared.run("add", "--quiet", shared.download.url)
        #expect(found.status == 0 && found.messages.contains("1 transfer lost: 1 http://"), "\(found)")
        #expect(try await shared.run("status").messages.contains("1 transfer lost: 1 http://"))
        _ = try await shared.run("stop")
    }

    @Test("A folder that is not there is one sentence")
    func missing() async throws {
        let folder = try ScratchFolder()
        let result = try await ProgramRun.finished(["parts", "nowhere"], in: folder)
        #expect(result.status == 1 && result.lines.count == 1 && result.messages.contains("nowhere"))
    }
}
