import Glibc
import LoopbackServer
import Testing

/// Stopping and continuing under a shell with job control, in a terminal written by somebody else.
@Suite("Job control", .serialized, .timeLimit(.minutes(1)), .enabled(if: TmuxSession.isAvailable))
struct JobControlTests {
    /// A shell whose job is the dashboard.
    private func dashboard() async throws -> TmuxSession {
        let session = try TmuxSession()
        try await session.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try session.type("PS1='ready> '; clear; \(Program.path())")
        try session.send("Enter")
        try await session.waitUntilScreen("the dashboard", isDashboard)
        return session
    }

    private func isDashboard(_ screen: [String]) -> Bool {
        (screen.last { !$0.isEmpty }?.contains("Quit") ?? false) && screen.contains { $0.contains("No tasks yet") }
    }

    private func isPrompt(_ screen: [String]) -> Bool {
        screen.last { !$0.isEmpty }?.hasPrefix("ready>") ?? false
    }

    @Test("^Z gives the shell back and fg brings the same screen back")
    func stopAndContinue() async throws {
        let session = try await dashboard()
        let before = try session.capture()
        try session.send("C-z")
        try await session.waitUntilScreen("a prompt", isPrompt)
        try session.type("echo o''k")
        try session.send("Enter")
        try await session.waitUntilScreen("an echo") { $0.contains("ok") }
        try session.type("fg")
        try session.send("Enter")
        try await session.waitUntilScreen("the same screen as\n\(before.joined(separator: "\n"))") { $0 == before }
    }

    @Test("A job in the background fetches what it was given and prints lines, and says how to get the dashboard")
    func startedInBackground() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        server.setRoute("/file", .file(seed: 3, count: 1000))
        let session = try TmuxSession()
        try await session.waitUntilScreen("a prompt") { $0.joined().contains { "#$".contains($0) } }
        try session.type("cd \(folder.path); PS1='ready> '; clear; \(Program.path()) \(server.url("/file")) &")
        try session.send("Enter")
        let screen = try await session.waitUntilScreen("the end of the download") {
            $0.joined().contains("1 completed") && $0.joined().contains("without &")
        }
        #expect(!isDashboard(screen) && folder.bytes(of: "file")?.count == 1000)
    }

    @Test("After bg the program runs and leaves the terminal alone until fg")
    func background() async throws {
        let session = try await dashboard()
        let before = try session.capture()
        try session.send("C-z")
        try await session.waitUntilScreen("a prompt", isPrompt)
        try session.type("bg; clear; jobs -l")
        try session.send("Enter")
        // The prompt comes after the list, so a screen without it would still change.
        let screen = try await session.waitUntilScreen("the list of jobs and a prompt") { screen in
            screen.contains { $0.contains("Running") } && isPrompt(screen)
        }
        let process = try #require(screen.joined().firstMatch(of: /\[1\]\+ +(\d+) Running/).flatMap { pid_t($0.1) })
        // In the background the program wakes up to look whether the terminal is its own again, and draws nothing.
        let sleeps = try Program.sleeps(of: process)
        _ = try await waitUntil("looks at the terminal") { try Program.sleeps(of: process) >= sleeps + 3 ? true : nil }
        #expect(try session.capture() == screen)
        #expect(!isDashboard(screen))
        try session.type("fg")
        try session.send("Enter")
        try await session.waitUntilScreen("the same screen as\n\(before.joined(separator: "\n"))") { $0 == before }
        try session.send("q")
        try await session.waitUntilScreen("a prompt", isPrompt)
    }
}

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

    @Test("Signals that ask for nothing change nothing")
    func harmless() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let (run, gate) = try await Self.start(in: folder, server, before: [])
        for signal in [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPWR] { try run.signal(signal) }
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
