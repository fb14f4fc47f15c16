import Glibc
import LoopbackServer
import Testing

/// A list that never ends, as somebody pipes it in.
@Suite("Lists without end", .timeLimit(.minutes(1)))
struct EndlessListTests {
    /// Lines that are offered; of these far fewer than the half may be taken before there is work for them.
    private static let offered = 100_000

    @Test("A list on standard input is read only as far as there is work, and further as work is done")
    func waits() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "first")
        server.setRoute("/*", Behaviour.respond(.text("done")).waiting(for: gate))
        let pipe = try Pipeline()
        let run = try ProgramRun(
            ["--plain", "--ephemeral", "-j", "8", "--max-per-host", "8", "-i", "-"], in: folder, input: pipe.readEnd)
        pipe.closeReadEnd()
        let line = Array("\(server.url("/file"))-\(String(repeating: "x", count: 60))".utf8)
        var taken = 0
        func offer(upTo count: Int, waitingMilliseconds patience: Int32) throws {
            while taken < count, try pipe.canTake(withinMilliseconds: patience) {
                taken += 1
                try pipe.write(line + Array("\(taken)\n".utf8))
            }
        }
        try offer(upTo: 300, waitingMilliseconds: 20_000)
        #expect(gate.waitForArrivals(8))
        // Whoever is never asked to wait has been read to the end.
        try offer(upTo: Self.offered, waitingMilliseconds: 700)
        #expect(taken < Self.offered / 2, "\(taken) lines")
        let before = taken
        gate.release()
        try offer(upTo: before + 500, waitingMilliseconds: 20_000)
        #expect(taken == before + 500)
        try run.signal(SIGKILL)
        pipe.closeWriteEnd()
    }
}
