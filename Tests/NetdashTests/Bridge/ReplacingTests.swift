import Foundation
import LoopbackServer
import Synchronization
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Rows that become others in their place", .timeLimit(.minutes(1)))
struct ReplacingTests {
    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var bridge: LocalService { fixture.bridge }

    init() throws {
        fixture = try BridgeFixture { $0.retries = 0 }
        server.setRoute(
            "/f",
            .choosing { request in
                request.header("Authorization") == nil ? .respond(.text("no\n", status: 401)) : .file(count: 1000)
            })
        server.setRoute("/g", .file(count: 2000))
    }

    private func authorized(_ path: String) -> Job {
        var job = fixture.job(.download, path)
        job.headers = ["Authorization": "Bearer good"]
        return job
    }

    @Test("A failed row starts again as it was edited, under its id and at its place in the queue")
    func replacing() throws {
        defer { fixture.end() }
        bridge.add([fixture.job(.download, "/f")])
        try #require(observer.waitForEnds())
        bridge.send(.prioritise([1], by: 1))
        var job = authorized("/f")
        job.output = .name("folder/")
        #expect(bridge.send(.replace(1, with: job)) == CommandReply(added: [1]))
        try #require(observer.waitForEnds(2))
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .done && row.statusCode == 200 && row.error == nil)
        #expect(row.priority == 1)
        #expect(row.path?.string == fixture.folder.path + "/folder/f")
        #expect(bridge.allSnapshots.count == 1)
        #expect(bridge.isIdle)
        #expect(bridge.job(of: 1)?.headers.count == 1)
    }

    @Test("A row that is no longer the one that was edited is replaced by none, and by the next try")
    func overtaken() throws {
        defer { fixture.end() }
        var paused = fixture.job(.download, "/f")
        paused.startsPaused = true
        bridge.add([paused])
        let base = try #require(bridge.jobs(of: [1]).first)
        func edited(_ key: String) -> Job {
            var job = base
            job.headers = ["X-Key": key]
            return job
        }
        #expect(bridge.send(.replace(1, with: edited("a"), over: base)).refusals.isEmpty)
        let reply = bridge.send(.replace(1, with: edited("b"), over: base))
        #expect(reply.refusals.map(\.reason.string) == [ServiceErrors.editedByAnother] && reply.added.isEmpty)
        let current = try #require(bridge.jobs(of: [1]).first)
        #expect(current.headers == ["X-Key": "a"])
        // A window has it as the wire brings it.
        let known = try JSONDecoder().decode(Job.self, from: try JSONEncoder().encode(current))
        #expect(bridge.send(.replace(1, with: edited("b"), over: known)).refusals.isEmpty)
        #expect(bridge.jobs(of: [1]).first?.headers == ["X-Key": "b"])
    }

    @Test(
        "Of two edits of one row at the same moment exactly one is made, and the other is told so",
        arguments: [true, false])
    func together(isPaused: Bool) throws {
        defer { fixture.end() }
        var job = fixture.job(.download, "/f")
        job.startsPaused = isPaused
        bridge.add([job])
        for round in 0..<100 {
            // It fails in each round.
            if !isPaused { try #require(observer.waitForEnds(round + 1)) }
            let base = try #require(bridge.jobs(of: [1]).first)
            let refusals = Mutex<[Int: [String]]>([:])
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                var job = base
                job.headers = ["X-Key": "\(round)-\(side)"]
                let reply = bridge.send(.replace(1, with: job, over: base))
                refusals.withLock { $0[side] = reply.refusals.map(\.reason.string) }
            }
            let answers = refusals.withLock { $0 }
            let winner = try #require(answers.first { $0.value.isEmpty }?.key, "\(round): \(answers)")
            #expect(answers[1 - winner] == [ServiceErrors.editedByAnother], "\(round)")
            #expect(bridge.jobs(of: [1]).first?.headers["X-Key"] == "\(round)-\(winner)", "\(round)")
        }
    }

    @Test("A row does not become what another row stands for already")
    func taken() throws {
        defer { fixture.end() }
        bridge.add([fixture.job(.download, "/f"), fixture.job(.download, "/g")])
        try #require(observer.waitForEnds(2))
        let reply = bridge.send(.replace(1, with: fixture.job(.download, "/g")))
        #expect(reply.refusals.map(\.reason.string) == [ServiceErrors.pathTaken] && reply.added.isEmpty)
        #expect(bridge.snapshots(of: [1]).first?.state == .failed)
        // What it was is free once it has become something else.
        #expect(bridge.send(.replace(1, with: fixture.job(.download, "/h"))).refusals.isEmpty)
        try #require(observer.waitForEnds(3))
        #expect(bridge.send(.add([authorized("/f")])).repeated.count == 0)
        try #require(observer.waitForEnds(4))
        #expect(bridge.snapshots(of: [3]).first?.state == .done)
    }

    @Test("A second job of one URL is one more row where it asks for something else, and none where it does not")
    func otherDemands() throws {
        defer { fixture.end() }
        let plain = fixture.job(.download, "/g")
        var (checked, told) = (plain, plain)
        checked.checksum = Job.Checksum(algorithm: .md5, hex: String(repeating: "0", count: 32))
        told.headers = ["X-Version": "2"]
        #expect(bridge.send(.add([plain, checked, told, plain])).repeated.count == 1)
        try #require(observer.waitForEnds(3))
        #expect(bridge.snapshots(of: [1, 2, 3]).map(\.state) == [.done, .failed, .done])
        #expect(server.requests(for: "/g").compactMap { $0.header("X-Version") } == ["2"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count { $0.first == "g" } == 2)
    }

    @Test("What is done is fetched again by an addition that replaces its file, and where the file is gone")
    func addingDone() throws {
        defer { fixture.end() }
        let job = fixture.job(.download, "/g")
        bridge.add([job])
        try #require(observer.waitForEnds())
        #expect(bridge.send(.add([job])).repeated == [1] && server.requests(for: "/g").count == 1)
        var fresh = job
        for (index, policy) in [Job.IfExists.overwrite, .refresh, .same].enumerated() {
            fresh.ifExists = policy
            #expect(bridge.send(.add([fresh])).added == [1], "\(policy)")
            try #require(observer.waitForEnds(2 + index))
        }
        #expect(bridge.send(.add([job])).repeated == [1])
        let path = try #require(bridge.path(of: 1))
        try #require(unlink(path) == 0)
        #expect(bridge.send(.add([job])).added == [1])
        try #require(observer.waitForEnds(5))
        #expect(access(path, F_OK) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).count { $0.first == "g" } == 1)
    }

    @Test("A download is the same whether its folder is named or the default, and the form hears that it is under way")
    func sameFolder() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/slow", .file(seed: 1, count: 4_000_000).stalling(after: 2_000_000, until: gate))
        var job = fixture.job(.download, "/slow")
        bridge.add([job])
        try #require(gate.waitForArrivals())
        job.directory = fixture.folder.path
        #expect(bridge.destinationInfo(for: job).isInProgress)
        #expect(bridge.send(.add([job])).repeated.count == 1)
        gate.release()
        try #require(observer.waitForEnds())
        #expect(!bridge.destinationInfo(for: job).isInProgress)
    }

    @Test("Adding what has failed in the list starts that row again with what it lacked; what is done stays")
    func addingAgain() throws {
        defer { fixture.end() }
        bridge.add([fixture.job(.download, "/f")])
        try #require(observer.waitForEnds())
        #expect(bridge.send(.add([authorized("/f")])).repeated.count == 0)
        try #require(observer.waitForEnds(2))
        #expect(bridge.snapshots(of: [1]).first?.state == .done)
        #expect(bridge.send(.add([authorized("/f")])).repeated.count == 1)
        #expect(bridge.allSnapshots.count == 1)
    }
}
