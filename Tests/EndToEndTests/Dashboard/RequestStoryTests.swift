import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Requests as work, and what is done with a row that is done, from the key to the server and the disk.
@Suite("Requests and completed rows in the dashboard", .serialized, .timeLimit(.minutes(1)))
struct RequestStoryTests {
    private func start(_ list: String, in folder: ScratchFolder) throws -> PseudoTerminal {
        try folder.write(list, to: "list")
        return try PseudoTerminal(
            ["/usr/bin/env", "-C", folder.path, try Program.path(), "--ephemeral", "-d", "files", "-i", "list"],
            environment: ["XDG_CONFIG_HOME": folder.path], rows: 24, columns: 100)
    }

    private func leave(_ terminal: PseudoTerminal) async throws {
        try terminal.type("q")
        #expect(try await terminal.waitForEnd() == 0)
    }

    @Test("Equal requests have numbers and tell their status; a repeated one is marked, p holds it and x ends it")
    func requests() async throws {
        let server = try Served.start(["/v1": .respond(.text("x", status: 201))])
        let folder = try ScratchFolder()
        let line = server.url("/v1") + "\n kind=data\n"
        let terminal = try start(line + line, in: folder)
        try await terminal.waitForScreen("both answers") {
            $0.text.contains(/✓ ◇ GET \/v1 .*done 201/) && $0.text.contains(/✓ ◇ GET \/v1 #2 .*done 201/)
        }
        // The row that was first when the selection began stays first.
        try terminal.type("gE")
        try await terminal.waitForScreen("the question") { $0.text.contains("Repeat every N s") }
        try terminal.type("\u{15}3600\r")
        try await terminal.waitForScreen("the mark, and the run that follows at once") {
            $0.text.contains(/✓ ◇ GET \/v1(?: #2)? · every 3600s .*done 201/) && server.requests(for: "/v1").count == 3
        }
        try terminal.type("p")
        try await terminal.waitForScreen("the pause") {
            $0.text.contains(/‖ ◇ GET \/v1(?: #2)? · every 3600s .*paused/)
        }
        try terminal.type("r")
        try await terminal.waitForScreen("the next run") {
            $0.text.contains(/✓ ◇ GET \/v1(?: #2)? · every 3600s .*done 201/) && server.requests(for: "/v1").count == 4
        }
        // Between two runs nothing is lost by that, so nothing is asked.
        try terminal.type("x")
        try await terminal.waitForScreen("the end of it") {
            !$0.text.contains("every 3600s") && $0.text.contains(/✓ ◇ GET \/v1 .*done 201/)
        }
        #expect(server.requests(for: "/v1").count == 4)
        try await leave(terminal)
    }

    @Test(
        "A completed download is fetched again beside its file; file and folder are opened by the user's command"
    )
    func completed() async throws {
        let server = try Served.start(["/a.bin": .file(seed: 4, count: 1000)])
        let folder = try ScratchFolder()
        mkdir(folder.path(of: "netdash"), 0o700)
        try folder.write("open-command = \(folder.path)/opener\n", to: "netdash/config")
        try folder.write("#!/bin/sh\nprintf '%s\\n' \"$1\" >>\(folder.path)/opened\n", to: "opener")
        #expect(chmod(folder.path(of: "opener"), 0o700) == 0)
        let terminal = try start(server.url("/a.bin") + "\n", in: folder)
        try await terminal.waitForScreen("the file") { $0.text.contains(/✓ ↓ a\.bin .*100%/) }
        for (key, path) in [("O", "files/a.bin"), ("\u{F}", "files")] {
            try terminal.type(key)
            try await terminal.waitForScreen("\(key) to open \(path)") { _ in
                let opened = folder.bytes(of: "opened").map { String(decoding: $0, as: UTF8.self) } ?? ""
                return opened.hasSuffix(folder.path(of: path) + "\n")
            }
        }
        try terminal.type("T")
        try await terminal.waitForScreen("the second file") { $0.text.contains(/✓ ↓ a \(1\)\.bin .*100%/) }
        #expect(try ScratchFolder.names(in: folder.path(of: "files")) == ["a (1).bin", "a.bin"])
        for name in try ScratchFolder.names(in: folder.path(of: "files")) {
            #expect(folder.bytes(of: "files/" + name) == DeterministicContent(seed: 4, count: 1000).bytes)
        }
        #expect(server.requests(for: "/a.bin").count == 2)
        try await leave(terminal)
    }
}
