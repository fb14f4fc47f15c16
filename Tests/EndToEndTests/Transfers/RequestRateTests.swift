import Foundation
import LoopbackServer
import Testing

/// A limit on the requests that begin in a time, with a server that refuses more.
@Suite("Rate of requests", .timeLimit(.minutes(3)))
struct RequestRateTests {
    @Test("Forty files come from a server that takes five requests a second, in ten seconds and without a fuss")
    func fiveEachSecond() async throws {
        let folder = try ScratchFolder()
        let refusal = ScriptedResponse.text("Slow down.\n", status: 429)
        let names = (0..<40).map { "/file\($0)" }
        var measured: [String] = []
        // A machine that stands still for a second costs that, and refusals; a rate that is not kept costs them each time.
        for attempt in 1...4 {
            let rate = Behaviour.atRate(5, .file(seed: 3, count: 1_000), else: refusal)
            let server = try Served.start(Dictionary(uniqueKeysWithValues: names.map { ($0, rate) }))
            let start = ContinuousClock.now
            let run = try await ProgramRun.finished(
                ["--rate", "5/s", "--max-concurrent", "16", "-d", "\(attempt)"] + names.map { server.url($0) },
                in: folder)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            #expect(run.status == 0, "\(run.messages)")
            #expect(run.messages.contains("40 completed"), "\(run.messages)")
            if seconds <= 10, server.requests.count <= 43 { return }
            measured.append("\(server.requests.count) requests in \(seconds) s")
        }
        Issue.record("\(measured)")
    }

    @Test("A rate for each host, from the configuration, leaves other hosts alone; a wrong one is refused")
    func perHost() async throws {
        let folder = try ScratchFolder()
        let slow = try Served.start(["/a": .file(seed: 3, count: 10), "/b": .file(seed: 3, count: 10)])
        let other = try Served.start(["/c": .file(seed: 3, count: 10)])
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "config/netdash"), withIntermediateDirectories: true)
        _ = try folder.write("rate-per-host = 2/s\n", to: "config/netdash/config")
        var started: [[Int?]] = []
        // A program that stands still while it adds them starts the third when the second one's time has come.
        for attempt in 1...4 where started.last != [1, 3, 2] {
            let run = try await ProgramRun.finished(
                ["--json", "-d", "\(attempt)", slow.url("/a"), slow.url("/b"), other.url("/c")], in: folder,
                environment: ["XDG_CONFIG_HOME": folder.path(of: "config")])
            #expect(run.status == 0, "\(run.messages)")
            started.append(try JSONLines(run.output).events.filter { $0.name == "started" }.map(\.id))
        }
        #expect(started.last == [1, 3, 2], "\(started)")

        let refused = try await ProgramRun.finished(["--rate", "5", slow.url("/a")], in: folder)
        #expect(refused.status == 2 && refused.messages.contains("5/s, 30/m or 100/h"), "\(refused.messages)")
    }
}
