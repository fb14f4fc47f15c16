import LoopbackServer
import Testing

/// A run whose tasks begin later.
@Suite("Start times", .timeLimit(.minutes(1)))
struct StartTimeTests {
    @Test("A run in lines says until when its tasks wait, and goes on by itself")
    func delay() async throws {
        let server = try Served.start(["/file": .file(seed: 3, count: 10)])
        // A program that needs longer than that for its start has nothing to wait for.
        let run = try await tryingLonger("+2s", "+20s") { delay in
            let folder = try ScratchFolder()
            let start = ContinuousClock.now
            let run = try await ProgramRun.finished(["--start-at", delay, server.url("/file")], in: folder)
            #expect(run.status == 0 && folder.bytes(of: "file")?.count == 10, "\(run.messages)")
            #expect(ContinuousClock.now - start > .seconds(1))
            return run
        } isInTime: {
            $0.messages.contains("queued until ")
        }
        #expect(run.messages.contains("queued until "), "\(run.messages)")
    }
}
