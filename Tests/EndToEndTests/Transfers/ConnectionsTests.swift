import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// Several connections for one file, from the command line to the screen and the disk.
@Suite("Several connections for one download", .timeLimit(.minutes(1)))
struct ConnectionsTests {
    private static let count: Int64 = 16 << 20
    private static let file = ServedResource(seed: 3, count: count)
    private static let slow = Behaviour.resource(file).limited(to: 1 << 20)
    private static let bytes = DeterministicContent(seed: 3, count: count).bytes

    @Test(
        "-x 8 fetches a file eight times as fast from a server that limits each connection, and says how many there are"
    )
    func eight() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        // Each connection waits within its eighth until the run has said how many there are.
        let gate = try server.gate(named: "told")
        server.setRoute("/file", Self.slow.stalling(after: 512 << 10, until: gate))
        let run = try ProgramRun(["--json", "-x", "8", server.url("/file")], in: folder)
        _ = try await waitUntil("eight connections", otherwise: { run.messages }) {
            try? JSONLines(run.output).events.contains { $0.number("connections") == 8 } ? true : nil
        }
        gate.release()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Self.bytes)
        #expect(server.requests(for: "/file").peaked(at: 8))
    }

    @Test("A download that was interrupted with eight connections is continued with one")
    func interrupted() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        // Each connection stops within its eighth, so that the file is never whole before the interruption.
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", Self.slow.stalling(after: 512 << 10, until: gate))
        let run = try ProgramRun(["-x", "8", "--ephemeral", server.url("/file")], in: folder)
        _ = try await waitUntil("eight connections", otherwise: { run.messages }) { gate.arrivals >= 8 ? true : nil }
        try run.signal(SIGINT)
        _ = try await run.waitForEnd()
        #expect(folder.bytes(of: "file") == nil)
        server.clearRequests()
        server.setRoute("/file", .resource(Self.file))
        let result = try await ProgramRun.finished(["-x", "1", "--ephemeral", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Self.bytes)
        let requests = server.requests(for: "/file")
        #expect(!requests.isEmpty && requests.allSatisfy { $0.header("If-Range") == Self.file.entityTag })
        #expect(try folder.names.filter { $0.hasPrefix(".file") }.isEmpty)
    }

    @Test("B shows the connections and the map of the file while it comes, and p ends all but the first")
    func map() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.slow.limited(to: 200_000)])
        let terminal = try PseudoTerminal(
            [
                "/usr/bin/env", "-C", folder.path, try Program.path(), "--ephemeral", "-d", "files", "-x", "4",
                server.url("/file"),
            ], environment: ["XDG_CONFIG_HOME": folder.path], rows: 24, columns: 100)
        try await terminal.waitForScreen("the row") { $0.text.contains(/▸ ↓ file .*\d+%/) }
        try terminal.type("B")
        try await terminal.waitForScreen("four connections and the map") {
            $0.text.contains("4 connections") && $0.text.contains(/[█▒]+·+[█▒]+·/)
                && $0.text.contains(/4: +1\d\.\dM to 16\.0M · .*\/s/)
        }
        try terminal.type("p")
        try await terminal.waitForScreen("the pause") { $0.text.contains("No connection now") }
        try terminal.type("r")
        try await terminal.waitForScreen("four again") { $0.text.contains("4 connections") }
        terminal.hangUp()
    }
}
