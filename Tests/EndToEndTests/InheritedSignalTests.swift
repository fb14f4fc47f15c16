import Glibc
import LoopbackServer
import Testing

/// What a parent has decided about signals stays decided: `nohup`, a shell's background jobs, a supervisor.
@Suite("Inherited signals", .timeLimit(.minutes(1)))
struct InheritedSignalTests {
    private static let content = DeterministicContent(seed: 4, count: 300_000)
    private static let behaviour = Behaviour.file(seed: 4, count: 300_000)

    /// A download that stands still in the middle.
    private static func start(
        in folder: ScratchFolder, _ server: LoopbackServer, before: [String]
    ) async throws -> (ProgramRun, Gate) {
        let gate = try server.gate(named: "half")
        server.setRoute("/file", behaviour.stalling(after: 100_000, until: gate))
        let run = try ProgramRun(["--plain", server.url("/file")], in: folder, before: before)
        _ = try await waitUntil("the server to stand still") { gate.arrivals > 0 ? true : nil }
        return (run, gate)
    }

    @Test(
        "A signal that the parent ignores is ignored",
        arguments: [("HUP", SIGHUP), ("INT", SIGINT), ("QUIT", SIGQUIT), ("TERM", SIGTERM), ("TSTP", SIGTSTP)])
    func ignored(name: String, number: Int32) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let shell = ["/bin/sh", "-c", "trap '' \(name); exec \"$0\" \"$@\""]
        let (run, gate) = try await Self.start(in: folder, server, before: shell)
        try run.signal(number)
        gate.release()
        let result = try await run.waitForEnd()
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("Under nohup a hang-up changes nothing")
    func nohup() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let (run, gate) = try await Self.start(in: folder, server, before: ["/usr/bin/nohup"])
        try run.signal(SIGHUP)
        gate.release()
        #expect(try await run.waitForEnd().status == 0)
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("A signal that nobody ignores ends the run as ever", arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
    func heeded(number: Int32) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let shell = ["/bin/sh", "-c", "trap '' USR1; exec \"$0\" \"$@\""]
        let (run, _) = try await Self.start(in: folder, server, before: shell)
        try run.signal(number)
        #expect(try await run.waitForEnd().status == 128 + Int(number))
    }
}
