import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// What is done with one row, from the key to the file.
@Suite("Rows and their files in the dashboard", .serialized, .timeLimit(.minutes(1)))
struct RowStoryTests {
    private static let content = DeterministicContent(seed: 9, count: 400_000)
    private static let complete = Behaviour.resource(ServedResource(seed: 9, count: 400_000))

    private func start(_ words: [String], in folder: ScratchFolder, rows: Int = 24, columns: Int = 100) throws
        -> PseudoTerminal
    {
        try PseudoTerminal(
            ["/usr/bin/env", "-C", folder.path, try Program.path()] + words, rows: rows, columns: columns)
    }

    private func leave(_ terminal: PseudoTerminal) async throws {
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test(
        "A signed link expires in the middle: another URL goes on with the same bytes, and only the rest is sent",
        arguments: [(24, 100), (10, 40)])
    func expiredLink(rows: Int, columns: Int) async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let refusal = Behaviour.respond(.text("the link has expired\n", status: 403))
        server.setRoute(
            "/disk.iso",
            .choosing { request in
                if request.target.contains("signature=new") { return Self.complete }
                return request.header("Range") == nil ? Self.complete.cutting(after: 100_000) : refusal
            })
        let terminal = try start(
            ["-d", "files", server.url("/disk.iso?signature=old")], in: folder, rows: rows, columns: columns)
        try await terminal.waitForScreen("the refusal") { $0.text.contains(/✗.*disk\.iso.*403/) }
        try terminal.type("!")
        try await terminal.waitForScreen("the question") { $0.text.contains("Resume from URL") }
        try terminal.type(server.url("/disk.iso?signature=new") + "\r")
        try await terminal.waitForScreen("the end") { $0.text.contains(/✓.*disk\.iso.*100%/) }
        #expect(folder.bytes(of: "files/disk.iso") == Self.content.bytes)
        let rest = try #require(server.requests(for: "/disk.iso").last)
        #expect(rest.header("Range") == "bytes=99744-")
        #expect(rest.header("If-Range") == "\"9-400000\"")
        #expect(try ScratchFolder.names(in: folder.path(of: "files")) == ["disk.iso"])
        try await leave(terminal)
    }

    @Test("Another file behind another URL is never joined with what is there: the row starts again and says so")
    func anotherFile() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let refusal = Behaviour.respond(.text("the link has expired\n", status: 403))
        server.setRoute(
            "/old",
            .choosing { request in
                request.header("Range") == nil ? Self.complete.cutting(after: 100_000) : refusal
            })
        server.setRoute("/new", .resource(ServedResource(seed: 10, count: 400_000)))
        let terminal = try start(["-d", "files", server.url("/old")], in: folder)
        try await terminal.waitForScreen("the refusal") { $0.text.contains(/✗.*old.*403/) }
        try terminal.type("!")
        try await terminal.waitForScreen("the question") { $0.text.contains("Resume from URL") }
        try terminal.type(server.url("/new") + "\r")
        try await terminal.waitForScreen("the end") { $0.text.contains(/✓.*old.*100%/) }
        #expect(folder.bytes(of: "files/old") == DeterministicContent(seed: 10, count: 400_000).bytes)
        try await leave(terminal)
    }

    @Test(
        "A limit from the command line is raised and lifted by key, a task gets its own, and the screen says which holds"
    )
    func limits() async throws {
        let server = try Served.start(["/slow": .file(seed: 9, count: 40_000_000)])
        let folder = try ScratchFolder()
        let terminal = try start(
            ["--ephemeral", "--limit-rate", "100k", "-d", "files", server.url("/slow")], in: folder)
        try await terminal.waitForScreen("the limit") { $0.text.contains(/of 100( KiB|K).*\n(.*\n)*.*slow.*running/) }
        try terminal.type("bfast\r")
        try await terminal.waitForScreen("a sentence on a wrong one") { $0.text.contains("is not a rate") }
        try terminal.type("\u{15}200k off\r")
        try await terminal.waitForScreen("the other limit") { $0.text.contains(/of 200( KiB|K)/) }
        try terminal.type("u50k\r")
        try terminal.type("\r")
        try await terminal.waitForScreen("the task's own limit") {
            $0.text.contains(/Limit +down 50.0K\/s · up global/)
        }
        try terminal.type("\u{1B}")
        try terminal.type("u\r")
        try terminal.type("b\u{15}off\r")
        try await terminal.waitForScreen("the end") {
            $0.text.contains(/✓.*slow.*100%/) && !$0.text.contains(/of 200( KiB|K)/)
        }
        #expect(folder.bytes(of: "files/slow") == DeterministicContent(seed: 9, count: 40_000_000).bytes)
        try await leave(terminal)
    }

    @Test("A row is removed with its part, while it runs, and the list is empty then")
    func removing() async throws {
        let download = try GatedDownload()
        let terminal = try await download.dashboard()
        try terminal.type("X")
        try await terminal.waitForScreen("the question") {
            $0.text.contains("Remove 1 task from the list?") && $0.text.contains("Stops the task")
        }
        try terminal.type("d")
        try await terminal.waitForScreen("an empty list") { $0.text.contains("No tasks yet") }
        download.release()
        #expect(try download.folder.names.isEmpty)
        try await leave(terminal)
    }

    @Test("A row starts now, although another one has the only place")
    func startingNow() async throws {
        let server = try Served.start()
        let folder = try ScratchFolder()
        let gate = try server.gate(named: "first")
        server.setRoute("/first", Self.complete.stalling(after: 100_000, until: gate))
        for name in ["second", "third"] { server.setRoute("/" + name, .file(count: 1000)) }
        try folder.write(["first", "second", "third"].map { server.url("/" + $0) + "\n" }.joined(), to: "list")
        let terminal = try start(["-d", "files", "-j", "1", "-i", "list"], in: folder)
        try await terminal.waitForScreen("the rows") { $0.text.contains("third") && $0.text.contains(/▸.*first.*25%/) }
        try terminal.type("GS")
        try await terminal.waitForScreen("the third row's end") { $0.text.contains(/✓.*third/) }
        #expect(terminal.screen.text.contains(/▸.*first/) && terminal.screen.text.contains(/·.*second/))
        gate.release()
        try await terminal.waitForScreen("the end of all") { $0.text.contains("done 3") }
        try await leave(terminal)
    }

    /// Whether this machine lets a test mount a file system that only its own processes see.
    static let canMount: Bool = {
        guard
            let process = try? Program.start(
                ["/usr/bin/unshare", "-rm", "/bin/mount", "-t", "tmpfs", "tmpfs", "/tmp"], environment: [:])
        else { return false }
        return Program.wait(for: process) == 0
    }()

    @Test(
        "A full disk: the row says what is missing, and goes on by itself once there is room",
        .enabled(if: canMount))
    func fullDisk() async throws {
        let server = try Served.start(["/disk.iso": Self.complete])
        let folder = try ScratchFolder()
        #expect(mkfifo(folder.path(of: "room"), 0o600) == 0)
        // Whoever writes into the pipe makes room on the small disk.
        let script = """
            cd "$1" && mkdir disk && mount -t tmpfs -o size=500k tmpfs disk \
            && head -c 200000 /dev/zero >disk/filler && { { read -r line <room; rm disk/filler; echo >room; } & } \
            && "$2" -d disk "$3" && cp disk/disk.iso copy
            """
        let terminal = try PseudoTerminal(
            [
                "/usr/bin/unshare", "-rm", "/bin/sh", "-c", script, "sh", folder.path, try Program.path(),
                server.url("/disk.iso"),
            ], rows: 24, columns: 100)
        try await terminal.waitForScreen("the full disk") { $0.text.contains(/✗.*disk\.iso.*disk full/) }
        try "room\n".write(toFile: folder.path(of: "room"), atomically: false, encoding: .utf8)
        let pipe = open(folder.path(of: "room"), O_RDONLY)
        var answer: UInt8 = 0
        #expect(read(pipe, &answer, 1) == 1)
        close(pipe)
        try await terminal.waitForScreen("the end") { $0.text.contains(/✓.*disk\.iso.*100%/) }
        try await leave(terminal)
        #expect(folder.bytes(of: "copy") == Self.content.bytes)
    }
}
