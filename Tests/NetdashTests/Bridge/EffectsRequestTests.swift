import CLinux
import Foundation
import LoopbackServer
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("What keys of queue and requests do to real transfers", .timeLimit(.minutes(1)))
struct EffectsRequestTests {
    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var folder: URL { fixture.folder }
    private var bridge: LocalService { fixture.bridge }

    init() throws {
        fixture = try BridgeFixture { $0.maximumConcurrent = 1 }
    }

    /// The ids of what was started, in order.
    private var started: [UInt64] { observer.events.filter { $0.name == "started" }.map(\.id) }

    @Test("Waiting transfers start in the order that priorities and moves give them")
    func order() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "first")
        server.setRoute("/first", .file(seed: 1, count: 4_000_000).stalling(after: 2_000_000, until: gate))
        for name in ["/a", "/b", "/c", "/d"] { server.setRoute(name, .file(seed: 2, count: 100)) }
        bridge.add([fixture.job(.download, "/first")])
        try #require(gate.waitForArrivals())
        bridge.add(["/a", "/b", "/c", "/d"].map { fixture.job(.download, $0) })
        bridge.moveInQueue([4], by: -1)
        bridge.prioritise([5], by: 1)
        bridge.moveInQueue([2, 4], by: 1)
        let before = cl_monotonic_milliseconds()
        while cl_monotonic_milliseconds() < before + 5 {}
        gate.release()
        try #require(observer.waitForEnds(5))
        for id in UInt64(2)...5 { #expect(try #require(bridge.details(of: id)?.queued) >= 5) }
        #expect(started == [1, 5, 3, 2, 4])
        #expect(bridge.snapshots(of: [5]).first?.priority == 1)
    }

    @Test("The details of a transfer that is tried again count from its latest attempt")
    func timesOfAnotherTry() throws {
        defer { fixture.end() }
        let (refusal, gate) = (try server.gate(named: "refusal"), try server.gate(named: "middle"))
        let second = Behaviour.file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate)
        server.setRoute("/a", .sequence([.respond(.text("", status: 503)).waiting(for: refusal), second]))
        bridge.add([fixture.job(.download, "/a")])
        // A row has started when that is told, not when its server is asked.
        try #require(observer.wait { $0.contains { $0.what == .started } })
        refusal.release()
        try #require(gate.waitForArrivals())
        let details = try #require(bridge.details(of: 1))
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(try #require(details.attemptStartedAt) > #require(row.startedAt))
        #expect(details.earlierAttempts.count == 1)
        gate.release()
        try #require(observer.waitForEnds(1))
        #expect(bridge.details(of: 1)?.attemptStartedAt == nil)
        #expect(try #require(bridge.details(of: 1)?.total) > 0)
    }

    @Test("A request that has ended is sent again under its row, and its times are kept")
    func resending() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.json(#"{"a":[1]}"#)))
        bridge.add([fixture.job(.data, "/v1")])
        try #require(observer.waitForEnds(1))
        bridge.resume([1])
        try #require(observer.waitForEnds(2))
        let details = try #require(bridge.details(of: 1))
        #expect(details.latencies.count == 2)
        #expect(details.body.lines.map(\.string) == ["{", "  \"a\": [", "    1", "  ]", "}"])
        #expect(details.peer.string.hasPrefix("127.0.0.1:"))
        #expect(details.requestLine == "GET /v1 HTTP/1.1")
        #expect(details.log.map(\.text.string).contains("response 200"))
        #expect(server.requests(for: "/v1").count == 2)
    }

    @Test("A repeated request is sent again by itself until that is taken back")
    func repeating() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.text("x")))
        bridge.add([fixture.job(.data, "/v1")])
        try #require(observer.waitForEnds(1))
        bridge.repeatRequest(1, every: 1)
        try #require(observer.waitForEnds(3))
        #expect(bridge.details(of: 1)?.repeatInterval == 1)
        bridge.repeatRequest(1, every: nil)
        #expect(bridge.details(of: 1)?.repeatInterval == nil)
    }

    @Test("A request does not wait behind downloads, neither those that run nor hundreds that wait")
    func ownSlots() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "first")
        server.setRoute("/big", .file(seed: 1, count: 4_000_000).stalling(after: 2_000_000, until: gate))
        server.setRoute("/v1", .respond(.text("x")))
        bridge.add([fixture.job(.download, "/big")])
        try #require(gate.waitForArrivals())
        bridge.add((0..<300).map { fixture.job(.download, "/waiting\($0)") })
        bridge.add([fixture.job(.data, "/v1")])
        try #require(observer.waitForEnds(1))
        #expect(bridge.snapshots(of: [302]).first?.state == .done)
        #expect(bridge.snapshots(of: [1]).first?.state == .running)
        #expect(bridge.snapshots(of: [2]).first?.state == .queued)
        bridge.cancel(Array(1...301), deletingParts: true)
        gate.release()
        try #require(observer.waitForEnds(302))
    }

    @Test("Requests have a limit of their own, which is the same")
    func limitOfRequests() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "first")
        server.setRoute("/slow", .file(seed: 1, count: 4_000_000).stalling(after: 2_000_000, until: gate))
        server.setRoute("/v1", .respond(.text("x")))
        bridge.add([fixture.job(.data, "/slow"), fixture.job(.data, "/v1")])
        try #require(gate.waitForArrivals())
        #expect(bridge.snapshots(of: [2]).first?.state == .queued)
        gate.release()
        try #require(observer.waitForEnds(2))
    }

    @Test("A repetition that is paused sends nothing more until it goes on, and one that is cancelled never")
    func pausedRepetition() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.text("x")))
        bridge.add([fixture.job(.data, "/v1")])
        try #require(observer.waitForEnds(1))
        bridge.repeatRequest(1, every: 3600)
        try #require(observer.waitForEnds(2))
        var row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.name == "GET /v1 · every 3600s")
        #expect(row.repetition == .active)
        #expect(row.isBetweenRuns)
        bridge.pause([1])
        row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .paused)
        #expect(row.repetition == .paused)
        bridge.resume([1])
        try #require(observer.waitForEnds(3))
        row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .done)
        #expect(row.repetition == .active)
        bridge.pause([1])
        bridge.cancel([1], deletingParts: false)
        row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .done)
        #expect(row.repetition == .none)
        #expect(row.name == "GET /v1")
        #expect(server.requests(for: "/v1").count == 3)
    }

    @Test("Equal requests have numbers of their own, others have none")
    func numbers() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.text("x")))
        var post = fixture.job(.data, "/v1")
        post.body = .text("{}")
        let get = fixture.job(.data, "/v1")
        bridge.add([get, get, post, fixture.job(.data, "/v2"), get])
        try #require(observer.waitForEnds(5))
        let names = bridge.snapshots(of: [1, 2, 3, 4, 5]).map(\.name)
        #expect(names == ["GET /v1", "GET /v1 #2", "POST /v1", "GET /v2", "GET /v1 #3"])
        bridge.clear([2])
        bridge.add([get])
        try #require(observer.waitForEnds(6))
        #expect(bridge.snapshots(of: [6]).first?.name == "GET /v1 #4")
        #expect(bridge.replace(5, with: fixture.job(.data, "/v3")))
        #expect(bridge.snapshots(of: [5]).first?.name == "GET /v3")
    }

    @Test("The details have the body that is sent, and say when it has secrets")
    func requestBodies() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.text("x")))
        var (json, form, file) = (fixture.job(.data, "/v1"), fixture.job(.data, "/v1"), fixture.job(.data, "/v1"))
        json.body = .text(#"{"name": "tea"}"#)
        json.startsPaused = true
        form.body = .text("user=me&password=x")
        file.body = .file(path: "/no/such/file")
        bridge.add([json, form, file])
        try #require(observer.waitForEnds(2))
        let details = try (UInt64(1)...3).map { try #require(bridge.details(of: $0)) }
        #expect(details[0].requestBody.summary.string.hasPrefix("JSON · 15"))
        #expect(!details[0].requestBodyIsSecret)
        #expect(details[0].requestHeaders.contains { $0.name == "Content-Type" && $0.value == "application/json" })
        #expect(details[1].requestBodyIsSecret)
        #expect(details[2].requestBody.summary == DetailLines.bytes(of: "/no/such/file"))
        #expect(try #require(server.requests(for: "/v1").first).method == "POST")
    }

    @Test("A body is written to a new file and never over an old one")
    func writing() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.text("the body")))
        bridge.add([fixture.job(.data, "/v1")])
        let path = folder.path + "/body.txt"
        guard case .failure = bridge.writeBody(of: 1, to: path) else {
            Issue.record("A body was written before it was there")
            return
        }
        try #require(observer.waitForEnds(1))
        guard case .success(8) = bridge.writeBody(of: 1, to: path) else {
            Issue.record("The body was not written")
            return
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "the body")
        guard case .failure(let failure) = bridge.writeBody(of: 1, to: path) else {
            Issue.record("A file was written over")
            return
        }
        #expect(failure.message.hasPrefix("File exists: "))
        guard case .success(8) = bridge.writeBody(of: 1, to: folder.path + "/new/sub/body.txt") else {
            Issue.record("The body was not written into a new folder")
            return
        }
    }

    @Test("A body to look at is made safe, and only this user can read it")
    func viewing() throws {
        defer { fixture.end() }
        server.setRoute("/v1", .respond(.text("a\u{1B}[2Jb")))
        bridge.add([fixture.job(.data, "/v1")])
        try #require(observer.waitForEnds(1))
        let file = try #require(bridge.fileToView(of: 1))
        defer { try? FileManager.default.removeItem(atPath: file.path) }
        #expect(file.isTemporary)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "a␛[2Jb\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Paths are completed with folders marked and hidden names left out")
    func paths() throws {
        defer { fixture.end() }
        for name in ["alpha.txt", "alps", ".hidden"] {
            let made = FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil)
            try #require(made)
        }
        try FileManager.default.createDirectory(atPath: folder.path + "/album", withIntermediateDirectories: false)
        let paths = PathCompletion.paths(startingWith: folder.path + "/al")
        #expect(paths.map { $0.dropFirst(folder.path.count + 1) } == ["album/", "alpha.txt", "alps"])
        #expect(PathCompletion.paths(startingWith: folder.path + "/").count == 3)
        #expect(PathCompletion.paths(startingWith: folder.path + "/.h").count == 1)
        #expect(PathCompletion.paths(startingWith: "/no/such/folder/").isEmpty)
    }
}

/// What the program asks of the library, whose own defaults are for others.
@Suite("The program's session")
struct EffectsConfigurationTests {
    @Test("Patience, limits and name are the program's own")
    func values() throws {
        let fixture = try BridgeFixture {
            ($0.retries, $0.connectTimeout, $0.stallTimeout) = (7, 3, 4)
            ($0.maximumConcurrent, $0.maximumPerHost) = (2, 1)
        }
        defer { fixture.end() }
        let configuration = fixture.bridge.manager.configuration
        #expect(configuration.maximumRetries == 7)
        #expect(configuration.connectTimeout == 3 && configuration.stallTimeout == 4)
        #expect(configuration.maximumConcurrentTransfers == 2 && configuration.maximumConcurrentTransfersPerHost == 1)
        #expect(configuration.dataLimit == 64 << 20)
        #expect(configuration.additionalHeaders["User-Agent"] == "netdash/\(Product.version)")
        #expect(Settings().retries == 5)
    }

    @Test(
        "A server that is away is waited for, as long as was asked for, and a number of tries is one",
        arguments: [
            ([], 600, nil), (["--retry-max-time", "60"], 60, 60), (["--retries", "5"], 0, nil),
            (["--retries", "9", "--retry-max-time", "7.5"], 0, 7.5),
        ] as [([String], Double, Double?)])
    func patience(words: [String], outage: Double, limit: Double?) throws {
        let settings = try CommandLine.parse(["http://h/a"] + words).get().settings
        #expect(settings.outagePatience == outage && settings.retryMaxTime == limit)
        let fixture = try BridgeFixture { $0 = settings }
        defer { fixture.end() }
        #expect(fixture.bridge.manager.configuration.outagePatience == outage)
        #expect(fixture.bridge.manager.configuration.maximumRetryTime == limit)
    }

    @Test("A network that is gone is waited for as long as it takes by who takes commands, and ten minutes by a script")
    func networkPatience() throws {
        let settings = try CommandLine.parse(["http://h/a", "--retries", "3"]).get().settings
        for takesCommands in [true, false] {
            let bridge = LocalService(
                settings: settings.forService, printsBodies: false, for: Interest(takesCommands: takesCommands))
            #expect(bridge.manager.configuration.networkPatience == (takesCommands ? nil : 600))
            _ = bridge.close()
        }
    }

    @Test("A request goes out under the program's name")
    func userAgent() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/v1", .respond(.text("x")))
        fixture.bridge.add([fixture.job(.data, "/v1")])
        try #require(fixture.observer.waitForEnds())
        #expect(fixture.server.requests.first?.header("User-Agent") == "netdash/\(Product.version)")
    }
}
