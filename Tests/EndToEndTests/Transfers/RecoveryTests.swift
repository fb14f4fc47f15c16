import Foundation
import LoopbackServer
import TerminalTestSupport
import Testing

/// The way out of failures by keys alone.
@Suite("Failures that are mended in the dashboard", .serialized, .timeLimit(.minutes(1)))
struct RecoveryTests {
    @Test("401, edit with credentials, done; wrong checksum, edit, done: in place, and the folder and name are kept")
    func editing() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let content = DeterministicContent(seed: 3, count: 1000)
        server.setRoute(
            "/secret",
            .choosing { request in
                request.header("Authorization") == "Bearer good"
                    ? .file(seed: 3, count: 1000) : .respond(.text("denied\n", status: 401))
            })
        let list =
            "\(server.url("/secret"))\n dir=isos\n out=disk.iso\n"
            + " checksum=md5=00000000000000000000000000000000\n"
        try folder.write(list, to: "list")
        let terminal = try PseudoTerminal(
            ["/usr/bin/env", "-C", folder.path, try Program.path(), "-i", "list"], rows: 36, columns: 120)
        try await terminal.waitForScreen("the refusal") { $0.text.contains("Failed     401 Unauthorized") }
        try terminal.type("e")
        try await terminal.waitForScreen("the form") {
            $0.text.contains("Edit task") && $0.text.contains(folder.path + "/isos/disk.iso")
        }
        try terminal.type("\t\t\tAuthorization: Bearer good\r")
        try await terminal.waitForScreen("the wrong checksum") { $0.text.contains("md5 checksum mismatch: got") }
        let digest = try #require(
            terminal.screen.text.firstMatch(of: /md5 checksum mismatch: got ([0-9a-f]{32})/).map { String($0.1) })
        try terminal.type("e")
        try await terminal.waitForScreen("the form again") { $0.text.contains("Edit task") }
        try terminal.type("\t\t\t\t\t\u{15}md5=\(digest)\r")
        try await terminal.waitForScreen("the end") { $0.text.contains("done 1") && !$0.text.contains("failed 1") }
        #expect(folder.bytes(of: "isos/disk.iso") == content.bytes)
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("Keys that are read together are judged one after the other: p r lets a download go on, R P pauses it")
    func keysReadTogether() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.type("prprpr")
        try await terminal.waitForToast("Resumed 1 task")
        try terminal.type("pRP")
        // Where the row has its slot again when P is judged, it pauses; where it still waits for one, it is held.
        try await terminal.waitForToast("Paused 1 task")
        try await terminal.waitForScreen("the row paused") { $0.text.contains("paused 1") }
        download.release()
        try terminal.type("RPR")
        try await terminal.waitForScreen("the end") { $0.text.contains("done 1") }
        #expect(download.file == GatedDownload.content.bytes)
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("A list of small files is counted in files, to the last one")
    func manySmallFiles() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        server.setRoute("/*", .file(count: 500))
        try folder.write((1...300).map { server.url("/\($0).bin") + "\n" }.joined(), to: "list")
        let terminal = try PseudoTerminal(
            ["/usr/bin/env", "-C", folder.path, try Program.path(), "-d", "files", "--ephemeral", "-i", "list"],
            rows: 36, columns: 140)
        try await terminal.waitForScreen("the end of the list") { $0.text.contains("300 of 300 files") }
        try await terminal.waitForScreen("a header at rest") { $0.text.contains("↓ 0 B/s") }
        #expect(!terminal.screen.text.contains("unknown"))
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }
}
