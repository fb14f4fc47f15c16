import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// A person whose transfers fail in one way after another, and who never leaves the dashboard until all is mended.
@Suite(
    "The story of every trouble", .serialized, .timeLimit(.minutes(8)),
    .enabled(if: TmuxSession.isAvailable && SecureServer.isAvailable && RowStoryTests.canMount))
struct TroubleStoryTests {
    private static let smallCount = 10_000
    private static let smallLength: Int64 = 2_000
    private static let image = DeterministicContent(seed: 9, count: 400_000)

    @Test("401, a wrong checksum, an expired link, a full disk, a self-signed server, and ten thousand small files")
    func story() async throws {
        let desk = try await Desk()
        try await desk.credentialsAndChecksum()
        try await desk.expiredLink()
        try await desk.selfSigned()
        try await desk.fullDisk()
        try await desk.manySmallFiles()
        try await desk.leave()
    }

    /// The dashboard in tmux, on servers of the test's own, with a small disk.
    private struct Desk {
        let server: LoopbackServer
        let secure: SecureServer
        let folder: ScratchFolder
        let terminal: TmuxSession

        init() async throws {
            server = try Served.start()
            secure = try await SecureServer()
            folder = try ScratchFolder()
            terminal = try TmuxSession(rows: 36, columns: 140)
            setRoutes()
            try folder.write(list, to: "list")
            #expect(mkfifo(folder.path(of: "room"), 0o600) == 0)
            // Its disks are in memory and seen by nobody else. Whoever writes into the pipe makes room on the small one.
            let script = """
                cd "$1" && mkdir disk files copies && mount -t tmpfs tmpfs files \
                && mount -t tmpfs -o size=500k tmpfs disk && head -c 200000 /dev/zero >disk/filler \
                && { { read -r line <room; rm disk/filler; echo >room; } & } \
                && "$2" --ephemeral -j 32 --max-per-host 32 -d files -i list
                cp files/*.iso disk/full.iso copies; ls files | wc -l >copies/count; echo "all is copied"; exec sh
                """
            try folder.write(Array(script.utf8), to: "script")
            try await terminal.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
            try terminal.type(
                "PS1='ready> '; clear; unshare -rm /bin/sh \(folder.path)/script \(folder.path) \(Program.path())")
            try terminal.send("Enter")
            try await terminal.waitUntilScreen("all rows") { $0.joined().contains("All \(smallCount + 4)") }
        }

        private func setRoutes() {
            let complete = Behaviour.resource(ServedResource(seed: 9, count: 400_000))
            let denied = Behaviour.respond(.text("denied\n", status: 401))
            let expired = Behaviour.respond(.text("the link has expired\n", status: 403))
            server.setRoute(
                "/secret",
                .choosing { $0.header("Authorization") == "Bearer good" ? .file(seed: 3, count: 1000) : denied })
            server.setRoute(
                "/link.iso",
                .choosing { request in
                    if request.target.contains("signature=new") { return complete }
                    return request.header("Range") == nil ? complete.cutting(after: 100_000) : expired
                })
            server.setRoute("/full.iso", complete)
            server.setRoute("/small/*", .file(count: smallLength))
        }

        private var list: String {
            let checksum = "md5=00000000000000000000000000000000"
            let troubles =
                "\(server.url("/secret"))\n out=secret.iso\n checksum=\(checksum)\n"
                + "\(server.url("/link.iso?signature=old"))\n\(secure.url)\n\(server.url("/full.iso"))\n dir=disk\n"
            return troubles + (1...smallCount).map { server.url("/small/\($0).bin") + "\n pause=true\n" }.joined()
        }

        /// Shows one row alone.
        func show(_ name: String, _ what: String, _ word: String) async throws {
            try terminal.type("/")
            try terminal.send("C-u")
            try terminal.type(name)
            try terminal.send("Enter")
            try await wait(what) { $0.contains(name) && $0.contains(word) }
        }

        /// Gives the filter up.
        func showAll() async throws {
            try terminal.type("/")
            try terminal.send("C-u", "Enter")
            try await wait("all rows") { !$0.contains("filter \"") }
        }

        func wait(_ what: String, _ isWanted: (String) -> Bool) async throws {
            try await terminal.waitUntilScreen(what) { isWanted($0.joined(separator: "\n")) }
        }

        func credentialsAndChecksum() async throws {
            try await show("secret", "the refusal", "401 Unauthorized")
            try terminal.type("e")
            try await wait("the form") { $0.contains("Edit task") }
            for _ in 0..<3 { try terminal.send("Tab") }
            try terminal.type("Authorization: Bearer good")
            try terminal.send("Enter")
            try await wait("the wrong checksum") { $0.contains("md5 checksum mismatch: got") }
            let screen = try terminal.capture().joined(separator: "\n")
            let digest = try #require(
                screen.firstMatch(of: /md5 checksum mismatch: got ([0-9a-f]{32})/).map { String($0.1) }, "\(screen)")
            try terminal.type("e")
            try await wait("the form again") { $0.contains("Edit task") }
            for _ in 0..<5 { try terminal.send("Tab") }
            try terminal.send("C-u")
            try terminal.type("md5=\(digest)")
            try terminal.send("Enter")
            try await wait("the end") { $0.contains(/✓.*secret\.iso.*100\.0%/) }
        }

        func expiredLink() async throws {
            try await show("link.iso", "the refusal", "403")
            try terminal.type("!")
            try await wait("the question") { $0.contains("Resume from URL") }
            try terminal.type(server.url("/link.iso?signature=new"))
            try terminal.send("Enter")
            try await wait("the end") { $0.contains(/✓.*link\.iso.*100\.0%/) }
            #expect(server.requests(for: "/link.iso").last?.header("Range") == "bytes=99744-")
        }

        func selfSigned() async throws {
            try await show("error:certificate", "why it failed", "self-signed")
        }

        func fullDisk() async throws {
            try await show("full.iso", "the full disk", "disk full")
            try "room\n".write(toFile: folder.path(of: "room"), atomically: false, encoding: .utf8)
            let pipe = open(folder.path(of: "room"), O_RDONLY)
            var answer: UInt8 = 0
            #expect(read(pipe, &answer, 1) == 1)
            close(pipe)
            try terminal.type("r")
            try await wait("the end") { $0.contains(/✓.*full\.iso.*100\.0%/) }
            try await showAll()
        }

        /// The header tells files and bytes of files that last milliseconds, while they move and at the end.
        func manySmallFiles() async throws {
            try terminal.type("R")
            try await wait("a rate") { $0.contains(/↓ [1-9][0-9.]* [KM]iB\/s/) && $0.contains(/[1-9][0-9]* files\/s/) }
            try await terminal.waitUntilScreen("the end of the list", within: .seconds(300)) {
                $0.joined().contains("Done \(smallCount + 3)") || $0.joined().contains("done \(smallCount + 3)")
            }
            #expect(server.requests(for: "/small/\(smallCount).bin").count == 1)
        }

        func leave() async throws {
            try terminal.type("q")
            try await wait("the shell") { $0.contains("all is copied") }
            #expect(folder.bytes(of: "copies/secret.iso") == DeterministicContent(seed: 3, count: 1000).bytes)
            for name in ["link.iso", "full.iso"] { #expect(folder.bytes(of: "copies/" + name) == image.bytes) }
            let count = folder.bytes(of: "copies/count").map { String(decoding: $0, as: UTF8.self) }
            #expect(count == "\(smallCount + 2)\n")
        }
    }
}
