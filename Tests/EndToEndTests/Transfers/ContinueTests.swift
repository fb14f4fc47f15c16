import Glibc
import LoopbackServer
import Testing

/// A run that is ended in the middle, and the next one.
@Suite("Going on later", .timeLimit(.minutes(1)))
struct ContinueTests {
    private static let content = DeterministicContent(seed: 5, count: 500_000)
    private static let behaviour = Behaviour.file(seed: 5, count: 500_000)

    /// Runs until 200 000 bytes are there, and ends the run with a signal.
    private func interrupted(
        in folder: ScratchFolder, by signal: Int32 = SIGTERM
    ) async throws -> (LoopbackServer, ProgramRun.Result) {
        let server = try Served.start()
        let gate = try server.gate(named: "never")
        server.setRoute("/file", .sequence([Self.behaviour.stalling(after: 200_000, until: gate), Self.behaviour]))
        let run = try ProgramRun([server.url("/file")], in: folder)
        try await server.waitUntilRead(upTo: gate)
        _ = try await waitUntil("the part") { try folder.parts.first }
        try run.signal(signal)
        return (server, try await run.waitForEnd())
    }

    @Test(
        "A signal keeps the part and tells the shell which one it was",
        arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131)])
    func signals(number: Int32, status: Int) async throws {
        let folder = try ScratchFolder()
        let (_, result) = try await interrupted(in: folder, by: number)
        #expect(result.status == status)
        #expect(result.lines.last?.contains("1 unfinished") == true, "\(result.messages)")
        #expect(try folder.parts.count == 1)
        #expect(try !folder.names.contains("file"))
    }

    @Test("The next run asks for the rest alone and ends with the right bytes")
    func adopting() async throws {
        let folder = try ScratchFolder()
        let (server, _) = try await interrupted(in: folder)
        let kept = try folder.size(of: try #require(folder.parts.first))
        #expect(kept > 0)
        let result = try await ProgramRun.finished(["--continue", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.last?.header("Range") == "bytes=\(kept - 256)-", "its end is compared")
        #expect(server.requests.last?.header("If-Range") == "\"5-500000\"")
        #expect(folder.bytes(of: "file") == Self.content.bytes)
        #expect(try folder.names == ["file"])
    }

    @Test("With --no-continue the next run asks for everything")
    func startingOver() async throws {
        let folder = try ScratchFolder()
        let (server, _) = try await interrupted(in: folder)
        let result = try await ProgramRun.finished(["--no-continue", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.last?.header("Range") == nil)
        #expect(folder.bytes(of: "file") == Self.content.bytes)
    }

    @Test("A file that has changed in between is fetched anew, and never mixed")
    func changed() async throws {
        let folder = try ScratchFolder()
        let (server, _) = try await interrupted(in: folder)
        let other = DeterministicContent(seed: 6, count: 450_000)
        server.setRoute("/file", .file(seed: 6, count: 450_000))
        let result = try await ProgramRun.finished([server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(folder.bytes(of: "file") == other.bytes)
        #expect(try folder.names == ["file"])
    }

    @Test("A part survives a kill that nobody can catch")
    func killed() async throws {
        let folder = try ScratchFolder()
        let (server, result) = try await interrupted(in: folder, by: SIGKILL)
        #expect(result.status == 137)
        #expect(try !folder.names.contains("file"))
        let next = try await ProgramRun.finished([server.url("/file")], in: folder)
        #expect(next.status == 0, "\(next.messages)")
        #expect(folder.bytes(of: "file") == Self.content.bytes)
        #expect(try folder.names == ["file"])
    }

    @Test("Two runs at once never write into one part")
    func twoRuns() async throws {
        let folder = try ScratchFolder()
        let gate = try Gate()
        let stalled = Self.behaviour.stalling(after: 200_000, until: gate)
        let server = try Served.start(["/file": .sequence([stalled, Self.behaviour])])
        let first = try ProgramRun([server.url("/file")], in: folder)
        _ = try await waitUntil("the first part") { try folder.parts.first }
        let second = try await ProgramRun.finished([server.url("/file")], in: folder)
        gate.release()
        #expect(try await first.waitForEnd().status == 0)
        #expect(folder.bytes(of: "file") == Self.content.bytes)
        if second.status == 0 {
            // The second run ends first, so it is the one that gets the plain name.
            #expect(folder.bytes(of: "file (1)") == Self.content.bytes)
        } else {
            TroubleTests.expectFailed(second, saying: "in use by another transfer", status: 1)
        }
    }
}
