import Foundation
import Glibc
import LoopbackServer
import TerminalTestSupport
import Testing

/// A service that is killed at random moments, with windows attached and tasks under way.
///
/// It runs on request: its moments are random, and a checkpoint may be late on a busy machine. NETDASH_KILL_ROUNDS is the
/// number of kills.
@Suite(
    "A service that is killed again and again", .serialized, .timeLimit(.minutes(15)),
    .enabled(if: killRounds > 0))
struct ServiceKillTests {
    private static let rate: Int64 = 2 << 20
    /// Over one connection each, so that one request follows another.
    private static let large = DeterministicContent(seed: 3, count: 20 << 20)
    private static let largeCount = 3
    private static let small = DeterministicContent(seed: 4, count: 30_000)
    /// A checkpoint comes at least once a second; another one is for a machine that has other things to do.
    private static let distance = 2 * rate

    @Test("Every file is right at the end, no addition is lost, and no kill costs more than a checkpoint")
    func kills() async throws {
        let shared = try SharedService()
        let server = shared.download.server
        let folder = shared.download.folder
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Numbers(state: seed)
        for number in 0..<Self.largeCount {
            let complete = Behaviour.resource(ServedResource(seed: Self.large.seed, count: Self.large.count))
            server.setRoute("/large\(number)", complete.limited(to: Self.rate))
            let added = try await shared.run("add", "-x", "1", server.url("/large\(number)"))
            #expect(added.status == 0, "\(added)")
        }
        let windows = try [shared.window(), shared.window()]
        for window in windows { try await window.waitForScreen("the rows") { $0.text.contains("large0") } }
        for round in 0..<killRounds {
            let process = try await shared.process()
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...1_500, using: &random)))
            kill(process, SIGKILL)
            _ = try await waitUntil("the end of the service") { Program.isRunning(process) ? nil : true }
            for window in windows { window.pump() }
            if round % 3 == 0 {
                // A key of a window starts it again; it must have seen the end to have something to start.
                try await windows[0].waitForScreen("the lost service") { $0.text.contains("service lost") }
                try windows[0].type("r")
                try await windows[0].waitForScreen("the service again") { !$0.text.contains("lost ·") }
            }
            server.setRoute(
                "/small\(round)", .resource(ServedResource(seed: Self.small.seed, count: Self.small.count)))
            let added = try await shared.run("add", server.url("/small\(round)"))
            #expect(added.status == 0, "round \(round) of seed \(seed): \(added)")
        }
        let end = try await ProgramRun(["wait"], in: folder, environment: shared.environment)
            .waitForEnd(within: .seconds(120))
        #expect(end.status == 0, "seed \(seed): \(end)")
        for window in windows {
            try await window.waitForScreen("the end") { $0.text.contains("done \(Self.largeCount + killRounds)") }
            try window.type("D")
            #expect(try await window.waitForEnd() == 0)
        }
        let names = (0..<Self.largeCount).map { "large\($0)" } + (0..<killRounds).map { "small\($0)" }
        #expect(try folder.names == names.sorted(), "seed \(seed)")
        for name in names {
            let content = name.hasPrefix("large") ? Self.large : Self.small
            #expect(folder.bytes(of: name) == content.bytes, "\(name), seed \(seed)")
        }
        for number in 0..<Self.largeCount {
            let twice = Self.bytesAgain(server.requests(for: "/large\(number)"))
            #expect(twice.allSatisfy { $0 <= Self.distance }, "large\(number), seed \(seed): \(twice)")
        }
        #expect(try await shared.run("stop").status == 0)
    }

    /// How many bytes each request got once more that the one before it had got.
    private static func bytesAgain(_ requests: [RecordedRequest]) -> [Int64] {
        var reached: Int64 = 0
        var result: [Int64] = []
        for request in requests where request.method == "GET" {
            let range = request.header("Range")?.firstMatch(of: /bytes=(\d+)-/).flatMap { Int64($0.1) }
            let start = request.status == 206 ? range ?? 0 : 0
            result.append(max(reached - start, 0))
            reached = start + request.responseBodyBytesSent
        }
        return result
    }

    /// Numbers that a seed decides.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }
}

private let killRounds = ProcessInfo.processInfo.environment["NETDASH_KILL_ROUNDS"].flatMap { Int($0) } ?? 0
