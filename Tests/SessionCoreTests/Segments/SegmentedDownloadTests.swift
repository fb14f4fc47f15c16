import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Several connections for one file, against a real server that gives each of them little.
@Suite("Segmented downloads", .timeLimit(.minutes(1)))
struct SegmentedDownloadTests {
    private let server = LoopbackServer()
    private let harness: EngineHarness
    private static let count: Int64 = 4 << 20
    private let resource = ServedResource(seed: 7, count: count)
    private let bytes = DeterministicContent(seed: 7, count: count).bytes
    /// Slow enough for one connection to take two seconds.
    private let rate: Int64 = 2 << 20

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    /// The file, as each connection gets it.
    private var slow: Behaviour { Behaviour.resource(resource).limited(to: rate) }
    /// The file from several connections, of which each stands still until all are there.
    private func together(_ connections: Int) throws -> Behaviour {
        slow.stalling(after: 100_000, until: try Gate(opensAt: connections))
    }
    private var half: Gate { get throws { try server.gate(named: "half") } }
    /// The file up to about its half.
    private func halting(_ connections: Int) throws -> Behaviour {
        if connections == 1 { return Behaviour.resource(resource).stalling(after: 2 << 20, until: try half) }
        return slow.limited(to: 128 << 10).stalling(after: 300_000, until: try half)
    }

    private func download(
        _ connections: Segmentation.Connections = .exactly(8), minimum: Int64 = 64 << 10,
        on harness: EngineHarness? = nil,
        change: (inout DownloadTarget) -> Void = { _ in }
    ) -> TransferID {
        (harness ?? self.harness).download(server.url("/file")) {
            $0.segmentation = Segmentation(connections: connections, minimumSegment: minimum)
            change(&$0)
        }
    }

    private var requests: [RecordedRequest] { server.requests(for: "/file") }
    private var branches: [RecordedRequest] { requests.filter { $0.header("Range") != nil } }

    /// The file is there with its bytes, and nothing else is.
    private func hasFile(_ outcome: TransferEnd?, _ expected: [UInt8]? = nil) -> Bool {
        outcome?.error == nil && harness.folder.names == ["file"]
            && harness.folder.bytes(of: "file") == expected ?? bytes
    }

    @Test("Eight connections bring each byte about once, each with the same proof of the version")
    func eight() throws {
        server.setRoute("/file", try together(8))
        let outcome = harness.outcome(of: download())
        #expect(hasFile(outcome))
        #expect(branches.count >= 7)
        #expect(Set(requests.map(\.connectionID)).count >= 8)
        #expect(branches.allSatisfy { $0.header("If-Range") == resource.entityTag })
        #expect(branches.allSatisfy { $0.header("Accept-Encoding") == "identity" })
        #expect(requests.peaked(at: 8))
    }

    @Test("One connection asks once")
    func one() throws {
        server.setRoute("/file", fast)
        #expect(hasFile(harness.outcome(of: download(.exactly(1)))))
        #expect(requests.count == 1)
    }

    @Test("A file that is too small for two segments gets one connection")
    func small() throws {
        server.setRoute("/file", fast)
        #expect(hasFile(harness.outcome(of: download(minimum: 3 << 20))))
        #expect(requests.count == 1)
    }

    struct Unfit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var limit: Int
        var change: @Sendable (inout ServedResource) -> Void
    }

    static let unfitServers = [
        Unfit(testDescription: "says that it has no ranges", limit: 1) { resource in
            (resource.honoursRange, resource.acceptRanges) = (false, "none")
        },
        Unfit(testDescription: "has none and says nothing", limit: 2) { resource in
            (resource.honoursRange, resource.acceptRanges) = (false, nil)
        },
        Unfit(testDescription: "lies about having some", limit: 8) { $0.honoursRange = false },
        Unfit(testDescription: "has only a weak tag", limit: 1) { $0.entityTag = "W/\"1\"" },
        Unfit(testDescription: "has no validator", limit: 1) { $0.entityTag = nil },
    ]

    @Test("A server that cannot be asked by several connections is asked by one", arguments: unfitServers)
    func unfit(_ unfit: Unfit) throws {
        var resource = resource
        unfit.change(&resource)
        server.setRoute("/file", Behaviour.resource(resource).limited(to: 8 << 20))
        #expect(hasFile(harness.outcome(of: download())))
        #expect(requests.count <= unfit.limit)
    }

    @Test("A file without an announced length gets one connection")
    func endless() throws {
        server.setRoute("/file", fast.framed(.chunked))
        #expect(hasFile(harness.outcome(of: download())))
        #expect(requests.count == 1)
    }

    /// What a server may send one of the connections instead of its range.
    enum Odd: String, CaseIterable {
        case full, otherVersion, otherTotal, otherRange, severalParts, noTag, noContentRange, coded, hasChanged
    }

    /// The first connection stands still until something has come of the others, so that the rest may be fast.
    private func leading(until gate: Gate) -> Behaviour { fast.stalling(after: 100_000, until: gate) }
    private var fast: Behaviour { Behaviour.resource(resource).limited(to: 16 << 20) }

    @Test("An answer to one segment that is not the range of the same version adds no byte", arguments: Odd.allCases)
    func odd(_ odd: Odd) throws {
        let (honest, resource, other) = (fast, resource, ServedResource(seed: 8, count: Self.count))
        let gate = try server.gate(named: "odd")
        let lead = leading(until: gate)
        server.setRoute(
            "/file",
            .choosing { request in
                guard let range = request.header("Range") else { return lead }
                guard request.index == 3 else { return honest }
                gate.release()
                let first = Int64(range.dropFirst(6).prefix { $0 != "-" }) ?? 0
                switch odd {
                case .full: return Behaviour.resource(ResumeScoreboardTests.with(resource) { $0.honoursRange = false })
                case .otherVersion:
                    return Behaviour.resource(
                        ResumeScoreboardTests.with(other) { $0.honoursIfRange = false }
                    ).header("ETag", "\"other\"")
                case .otherTotal:
                    return honest.header("Content-Range", "bytes \(first)-\(first + 99_999)/\(Self.count + 1)")
                        .header("Content-Length", "100000")
                case .otherRange: return honest.header("Content-Range", "bytes 0-99/\(Self.count)")
                case .severalParts: return honest.header("Content-Type", "multipart/byteranges; boundary=b")
                case .noTag: return honest.header("ETag", nil)
                case .noContentRange: return honest.header("Content-Range", nil)
                case .coded: return honest.header("Content-Encoding", "gzip")
                case .hasChanged: return Behaviour.resource(other)
                }
            })
        #expect(hasFile(harness.outcome(of: download())))
        #expect(requests.count > 3, "the odd one was asked")
    }

    @Test("A server that takes two connections gets two, and is not asked for more by the next download")
    func limited() throws {
        let refusal = ScriptedResponse.text("too many", status: 503)
        server.setRoute("/file", .atMost(2, slow, else: refusal))
        #expect(hasFile(harness.outcome(of: download())))
        let refused = server.ended("/file").count { $0.status == 503 }
        #expect((1...16).contains(refused))
        let both = try Gate()
        server.setRoute("/file", .atMost(2, slow.stalling(after: 100_000, until: both), else: refusal))
        server.clearRequests()
        let second = download { $0.name = .fixed("second") }
        harness.resume(second)
        // A slow machine's server still counts ended connections, refuses more of them and may take one alone.
        if refused <= 6 { #expect(server.waitForRequests(count: 2)) }
        both.release()
        #expect(harness.outcome(of: second, resuming: false)?.error == nil)
        #expect(harness.folder.bytes(of: "second") == bytes)
        // Where its server has not noticed yet that a connection has ended it counts one more, and may refuse one.
        #expect(requests.allSatisfy { $0.simultaneousCount <= 3 } && requests.count { $0.status == 503 } <= 1)
    }

    @Test("Segments that are refused in other ways cost nothing", arguments: ["429", "403", "500", "reset", "close"])
    func refused(_ manner: String) throws {
        let gate = try server.gate(named: "refused")
        let lead = leading(until: gate)
        server.setRoute(
            "/file",
            .choosing { request in
                guard request.header("Range") != nil else { return lead }
                gate.release()
                switch manner {
                case "reset": return .silence(.reset)
                case "close": return .silence(.close)
                default: return .respond(.text("no", status: Int(manner) ?? 500))
                }
            })
        let id = download()
        #expect(hasFile(harness.outcome(of: id)))
        #expect(!harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
    }

    @Test("A connection that is reset in the middle is replaced, whichever it is", arguments: [0, 1, 4])
    func reset(_ index: Int) throws {
        let honest = slow
        server.setRoute("/file", .choosing { $0.index == index ? honest.cutting(after: 150_000, .reset) : honest })
        let id = download()
        #expect(hasFile(harness.outcome(of: id)))
        #expect(!harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
    }

    @Test("A connection that stands still is replaced while others go on", arguments: [0, 2])
    func standing(_ index: Int) throws {
        let harness = try EngineHarness { $0.stallTimeout = 1 }
        let gate = try server.gate(named: "never")
        let honest = Behaviour.resource(resource).limited(to: rate / 4)
        server.setRoute(
            "/file", .choosing { $0.index == index ? honest.stalling(after: 100_000, until: gate) : honest })
        let outcome = harness.outcome(of: download(.exactly(4), on: harness))
        #expect(outcome?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
    }

    @Test("A connection that stands still is replaced after the others have ended, too")
    func standingAlone() throws {
        let harness = try EngineHarness { $0.stallTimeout = 2 }
        let gate = try server.gate(named: "never")
        let honest = fast
        server.setRoute("/file", .choosing { $0.index == 2 ? honest.stalling(after: 100_000, until: gate) : honest })
        let id = download(.exactly(4), minimum: 512 << 10, on: harness)
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
        #expect(!harness.events(of: id).contains { if case .retrying = $0 { true } else { false } })
    }

    @Test("A server that sends a page instead of ranges from some moment on is read by its first connection")
    func signedOut() throws {
        let (first, later) = (slow, fast)
        server.setRoute(
            "/file",
            .choosing { request in
                guard request.header("Range") != nil else { return first }
                return request.index < 3 ? later : .respond(.html("<p>Sign in</p>"))
            })
        #expect(hasFile(harness.outcome(of: download(minimum: 256 << 10))))
    }

    @Test("Where the place that a redirect led to has expired, further connections ask for it anew")
    func expired() throws {
        server.setRoute(
            "/file", .choosing { .redirect(to: "/place/file?\($0.header("Range") == nil ? "first" : "later")") })
        let (all, expired) = (try together(4), Behaviour.respond(.text("expired", status: 403)))
        server.setRoute(
            "/place/file", .choosing { $0.header("Range") == nil || $0.query == "later" ? all : expired })
        #expect(hasFile(harness.outcome(of: download(.exactly(4)))))
        let answers = server.ended("/place/file").filter { $0.header("Range") != nil }
        #expect(answers.count { $0.status == 206 } >= 3)
        #expect(answers.count { $0.status == 403 } <= 3)
        #expect(answers.map(\.simultaneousCount).max() ?? 0 >= 3)
    }

    @Test("Transfers go first: connections use only what is left of a host's slots")
    func slots() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfersPerHost = 3 }
        server.setRoute("/file", try together(3))
        #expect(harness.outcome(of: download(on: harness))?.error == nil)
        #expect(harness.folder.bytes(of: "file") == bytes)
        #expect(requests.peaked(at: 3))
    }

    @Test("A limit of the speed counts for all connections of a download together")
    func paced() throws {
        let harness = try EngineHarness { $0.rateLimits = RateLimits(all: RateLimit(download: 4 << 20)) }
        server.setRoute("/file", .resource(resource))
        let start = ContinuousClock.now
        #expect(harness.outcome(of: download(on: harness))?.error == nil)
        #expect((ContinuousClock.now - start) / .seconds(1) > 0.8)
        #expect(harness.folder.bytes(of: "file") == bytes)
    }

    // MARK: - Going on

    /// Bytes of body that the server has sent in all.
    private var sent: Int64 { requests.reduce(0) { $0 + $1.responseBodyBytesSent } }

    @Test("A pause ends the further connections, and what they brought is not fetched again", arguments: [true, false])
    func paused(keepsOpen: Bool) throws {
        server.setRoute("/file", try halting(8))
        let id = download()
        harness.resume(id)
        #expect(harness.waitForReceived(1 << 20, id))
        #expect(harness.suspendAndWait(id))
        if !keepsOpen { harness.expireHold(id) }
        #expect(server.wait { requests in requests.count { $0.outcome == .running } <= (keepsOpen ? 1 : 0) })
        harness.resume(id)
        #expect(server.wait { requests in requests.count { $0.outcome == .running } > 2 }, "they are made again")
        server.setRoute("/file", slow)
        try half.release()
        #expect(hasFile(harness.outcome(of: id)))
        // The kernel holds what nobody has read.
        #expect(sent < Self.count + 16 * 200_000)
    }

    @Test("A part goes on with another number of connections", arguments: [(1, 8), (8, 1), (8, 3)])
    func otherNumber(_ before: Int, _ after: Int) throws {
        server.setRoute("/file", try halting(before))
        let first = download(.exactly(before))
        harness.resume(first)
        #expect(harness.waitForReceived(3 << 19, first))
        harness.intent(.cancelled(keepsPart: true), first)
        #expect(harness.outcome(of: first, resuming: false)?.error?.code == .cancelled)
        server.setRoute("/file", slow)
        server.clearRequests()
        let second = download(.exactly(after))
        #expect(hasFile(harness.outcome(of: second)))
        #expect(harness.restarts(of: second).isEmpty)
        #expect(sent < Self.count - (3 << 19) + 16 * 200_000)
    }

    @Test("A file that has changed meanwhile starts again, and nothing of the earlier version is in it")
    func changed() throws {
        server.setRoute("/file", try halting(8))
        let first = download()
        harness.resume(first)
        #expect(harness.waitForReceived(2 << 20, first))
        harness.intent(.cancelled(keepsPart: true), first)
        _ = harness.outcome(of: first, resuming: false)
        server.setRoute("/file", Behaviour.file(seed: 9, count: Self.count).limited(to: rate))
        let second = download()
        #expect(hasFile(harness.outcome(of: second), DeterministicContent(seed: 9, count: Self.count).bytes))
        #expect(harness.restarts(of: second).count == 1)
    }

    @Test("A file that changes while it is fetched becomes one version or the other")
    func changing() throws {
        let (old, new) = (slow, Behaviour.file(seed: 9, count: Self.count).limited(to: rate))
        // The lead breaks off, and everything from the sixth request on is of another version.
        server.setRoute(
            "/file",
            .choosing { request in
                if request.index == 0 { return old.cutting(after: 200_000, .reset) }
                return request.index < 6 ? old : new
            })
        #expect(hasFile(harness.outcome(of: download()), DeterministicContent(seed: 9, count: Self.count).bytes))
    }

    @Test("A checksum is compared with the whole, whoever brought its bytes", arguments: [true, false])
    func checksum(isRight: Bool) throws {
        server.setRoute("/file", slow)
        var digest = try Digest.of(bytes, .sha256)
        if !isRight { digest[0] ^= 1 }
        let outcome = harness.outcome(of: download { $0.checksum = Checksum(algorithm: .sha256, digest: digest) })
        if isRight { #expect(hasFile(outcome)) } else { #expect(outcome?.error?.code == .checksum) }
    }

    @Test("Cancelling in the middle ends every connection, and nothing is left where nothing is wanted")
    func cancelled() throws {
        server.setRoute("/file", try halting(8))
        let id = download()
        harness.resume(id)
        #expect(harness.waitForReceived(1 << 20, id))
        harness.intent(.cancelled(keepsPart: false), id)
        #expect(harness.outcome(of: id, resuming: false)?.error?.code == .cancelled)
        #expect(server.wait { $0.allSatisfy { $0.outcome != .running } })
        #expect(harness.folder.names.isEmpty)
    }

    @Test("Automatic connections come where each brings more, and only when the speed is known")
    func automatic() throws {
        let large = ServedResource(seed: 7, count: 32 << 20)
        server.setRoute("/file", Behaviour.resource(large).limited(to: 1 << 20))
        let id = download(.automatic)
        harness.resume(id)
        #expect(server.waitForRequests(count: 2))
        #expect(harness.status(id).received > 256 << 10)
        harness.intent(.cancelled(keepsPart: false), id)
        _ = harness.outcome(of: id, resuming: false)
    }

    @Test("A killed program costs about a checkpoint, and no byte is wrong")
    func killed() throws {
        let count: Int64 = 24_000_000
        let content = DeterministicContent(seed: 51, count: count)
        let full = Behaviour.file(seed: 51, count: count)
        for kill in 1...4 {
            // No connection brings all of its share, so that no program is through before it is killed.
            let gate = try server.gate(named: "end \(kill)")
            server.setRoute("/file", full.limited(to: 4_000_000).stalling(after: 4_700_000, until: gate))
            let run = try CrashingProgram.run(
                ["download", server.url("/file"), harness.folder.path, "target", "4"],
                killingFromNumber: Int64(kill) * 4_000_000)
            #expect(run.wasKilled)
            server.setRoute("/file", full)
            let id = download(.exactly(kill.isMultiple(of: 2) ? 8 : 1), minimum: 1 << 20) { $0.collision = .overwrite }
            #expect(harness.outcome(of: id)?.error == nil)
            let isRight = harness.folder.bytes(of: "file") == content.bytes
            #expect(isRight)
            #expect(harness.folder.names.allSatisfy { $0 == "file" || $0 == "staging" })
        }
    }
}
