import Foundation
import LoopbackServer
import TerminalTestSupport
import Testing

/// Servers that think about a request for longer than a stall may take, and such as never say what became of it.
@Suite("Slow answers", .timeLimit(.minutes(1)))
struct SlowAnswerTests {
    @Test("A request whose answer takes longer than a stall is answered, and was sent once")
    func thinking() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let (thought, never) = (try server.gate(named: "thought"), try server.gate(named: "never"))
        server.setRoute("/think", Behaviour.respond(.text("thought")).waiting(for: thought))
        server.setRoute("/standing", .file(count: 900_000).stalling(after: 100_000, until: never))
        let run = try ProgramRun(
            ["request", "--quiet", "--stall-timeout", "0.5", "-b", "a=1", server.url("/think")], in: folder)
        #expect(thought.waitForArrivals())
        // So long a stall takes, which begins later.
        let other = try await ProgramRun.finished(
            ["--stall-timeout", "1", "--retries", "0", server.url("/standing")], in: folder)
        #expect(other.status == 1 && other.messages.contains("stopped sending"), "\(other.messages)")
        thought.release()
        let end = try await run.waitForEnd()
        #expect(end.status == 0 && end.text == "thought", "\(end.messages)")
        #expect(server.requests(for: "/think").count == 1)
    }

    @Test("A wait for a response that lasts longer than a stall is told once")
    func told() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let thought = try server.gate(named: "thought")
        server.setRoute("/think", Behaviour.file(count: 10).waiting(for: thought))
        let run = try ProgramRun(["--plain", "--stall-timeout", "0.3", server.url("/think")], in: folder)
        try await run.waitForMessages("the wait") { $0.contains("No response for 1 s") }
        thought.release()
        let end = try await run.waitForEnd()
        let lines = end.messages.split(separator: "\n").filter { $0.contains("No response") }
        #expect(end.status == 0 && lines.count == 1, "\(end.text) \(end.messages)")
    }

    @Test("An upload that was taken whole and not answered is sent again only with --resend", arguments: [true, false])
    func taken(resends: Bool) async throws {
        let folder = try ScratchFolder()
        _ = try folder.write([UInt8](repeating: 5, count: 200_000), to: "a.bin")
        let server = try Served.start(["/in": .sequence([.silence(), .uploadSink()])])
        let run = try await ProgramRun.finished(
            ["upload"] + (resends ? ["--resend"] : []) + ["a.bin", server.url("/in")], in: folder)
        #expect(run.status == (resends ? 0 : 1), "\(run.messages)")
        #expect(server.requests(for: "/in").count == (resends ? 2 : 1))
        #expect(run.messages.contains("may have stored the body") == !resends, "\(run.messages)")
    }

    @Test("--answer-timeout ends the wait, and one that is no time is refused")
    func limited() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let never = try server.gate(named: "never")
        server.setRoute("/think", Behaviour.respond(.text("thought")).waiting(for: never))
        let run = try await ProgramRun.finished(
            ["--answer-timeout", "0.3", "--retries", "0", server.url("/think")], in: folder)
        #expect(run.status == 1 && run.messages.contains("No response in time"), "\(run.messages)")
        let wrong = try await ProgramRun.finished(["--answer-timeout", "soon", server.url("/think")], in: folder)
        #expect(wrong.status == 2 && wrong.messages.contains("--answer-timeout"), "\(wrong.messages)")
    }

    @Test("The dashboard says that an answer is awaited, and for how long", .enabled(if: TmuxSession.isAvailable))
    func screen() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let thought = try server.gate(named: "thought")
        server.setRoute("/think.bin", Behaviour.file(seed: 3, count: 1000).waiting(for: thought))
        let terminal = try TmuxSession(rows: 36, columns: 120)
        try await terminal.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try terminal.type("cd \(folder.path); clear; \(Program.path()) --ephemeral \(server.url("/think.bin"))\n")
        try await terminal.waitUntilScreen("the wait") { $0.joined().contains(/waiting \d+s/) }
        try terminal.send("Enter")
        try await terminal.waitUntilScreen("the words") { $0.joined().contains(/waiting for a response, \d+s/) }
        thought.release()
        try await terminal.waitUntilScreen("the end") { $0.joined().contains("done") }
    }

    @Test("What runs into its time limit says why its tries have failed")
    func timeLimit() async throws {
        // Where the limit comes before the first try has failed there is nothing to say.
        let line = try await tryingLonger("3", "15") { seconds in
            let words = ["--quiet", "--max-time", seconds, "--retries", "9", try Served.refusedURL()]
            let run = try await ProgramRun.finished(words, in: try ScratchFolder())
            #expect(run.status == 1)
            let line = run.messages.split(separator: "\n").first { $0.contains("time limit of \(seconds) s") }
            return try #require(line, "\(run.messages)")
        } isInTime: {
            $0.contains("Connection refused by")
        }
        #expect(line.contains("Connection refused by"), "\(line)")
    }
}
