import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Settings of several rows", .timeLimit(.minutes(1)))
struct AmendingTests {
    private static let plain = Job(kind: .download, url: "")

    private func send(_ line: String, to ids: [UInt64], of bridge: LocalService) throws -> CommandReply {
        bridge.send(.amend(ids, try JobAmendment(line, defaults: Self.plain)))
    }

    @Test("One password for the rows of a host that answered 401: they restart with it, and no other row does")
    func password() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        for name in ["/a", "/b", "/c"] {
            fixture.server.setRoute(
                name,
                .choosing { request in
                    request.header("Authorization") == nil && name != "/c"
                        ? .respond(ScriptedResponse(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]))
                        : .file(count: 1000)
                })
        }
        let bridge = fixture.bridge
        bridge.add(["/a", "/b", "/c"].map { fixture.job(.download, $0) })
        try #require(fixture.observer.waitForEnds(3))
        #expect(bridge.allSnapshots.map(\.state) == [.failed, .failed, .done])
        let reply = try send("user=me:secret", to: [1, 2, 3, 9], of: bridge)
        #expect(reply.added == [1, 2])
        #expect(
            reply.refusals == [
                .init(id: 3, reason: SafeText(untrusted: ServiceErrors.done)),
                .init(id: 9, reason: ServiceErrors.noTask(9)),
            ])
        try #require(fixture.observer.waitForEnds(5))
        #expect(bridge.allSnapshots.map(\.state) == [.done, .done, .done])
        #expect(try send("tag=x", to: [1], of: bridge).refusals.map(\.reason.string) == [ServiceErrors.done])
    }

    @Test("A row beside another one of its URL can be changed, unless the two would be the same")
    func besideAnother() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/f", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        let jobs = Job.two(of: fixture.server.url("/f"))
        let bridge = fixture.bridge
        let ids = bridge.add(jobs).added
        try #require(ids.count == 2 && gate.waitForArrivals(2))
        let refusal = try send("header=X-Task: 1", to: [ids[1]], of: bridge).refusals
        #expect(refusal.map(\.reason.string) == [ServiceErrors.pathTaken])
        #expect(try send("header=X-Task: 3", to: [ids[1]], of: bridge).added == [ids[1]])
        try #require(gate.waitForArrivals(3))
        gate.release()
        try #require(fixture.observer.waitForEnds(2))
        #expect(bridge.results == [.completed, .completed])
        #expect(fixture.server.requests(for: "/f").last?.header("X-Task") == "3")
    }

    @Test("A name that the server has chosen replaces no file of the folder that the download moves to")
    func chosenName() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let complete = Behaviour.resource(ServedResource(seed: 3, count: 400_000))
            .header("Content-Disposition", "attachment; filename=notes.txt")
        fixture.server.setRoute("/get", .sequence([complete.cutting(after: 100_000), complete]))
        var job = fixture.job(.download, "/get")
        job.ifExists = .overwrite
        let bridge = fixture.bridge
        bridge.add([job])
        try #require(fixture.observer.waitForEnds(1))
        let folder = fixture.folder.path + "/mine"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("precious".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
        #expect(try send("dir=\(folder)", to: [1], of: bridge).added == [1])
        try #require(fixture.observer.waitForEnds(2))
        #expect(bridge.allSnapshots.map { $0.path?.string } == [folder + "/notes (1).txt"])
        #expect(FileManager.default.contents(atPath: folder + "/notes.txt") == Data("precious".utf8))
    }

    @Test("Running rows are stopped and go on, paused ones stay paused, and rows of another kind stay as they are")
    func states() throws {
        let fixture = try BridgeFixture {
            $0.retries = 0
            $0.maximumConcurrent = 1
        }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        let complete = Behaviour.resource(ServedResource(seed: 3, count: 400_000))
        fixture.server.setRoute("/f", .sequence([complete.stalling(after: 100_000, until: gate), complete]))
        fixture.server.setRoute("/g", complete)
        fixture.server.setRoute("/r", .respond(.text("x")))
        var paused = fixture.job(.download, "/g")
        paused.startsPaused = true
        let (bridge, observer) = (fixture.bridge, fixture.observer)
        bridge.add([fixture.job(.download, "/f")])
        try #require(gate.waitForArrivals())
        try #require(observer.wait { _ in (bridge.figures(of: [1]).first?.received ?? 0) > 0 })
        // A request does not wait behind a download, so it would run at once.
        var request = fixture.job(.data, "/r")
        request.startsPaused = true
        bridge.add([paused, request])
        let folder = fixture.folder.path + "/new"
        let reply = try send("dir=\(folder)", to: [1, 2, 3], of: bridge)
        #expect(reply.added == [1, 2])
        #expect(reply.refusals.map(\.reason.string) == [ServiceErrors.unsuited("dir", [Job.Kind.download.word])])
        try #require(observer.waitForEnds())
        gate.release()
        #expect(fixture.server.requests(for: "/f").last?.header("Range") != nil)
        #expect(bridge.snapshots(of: [1, 2, 3]).map(\.state) == [.done, .paused, .paused])
        #expect(bridge.snapshots(of: [1, 2]).map { $0.path?.string } == [folder + "/f", folder + "/g"])
        #expect(FileManager.default.contents(atPath: folder + "/f")?.count == 400_000)
    }

    @Test("A speed limit alone stops nothing, and what is so already is told")
    func limits() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/f", .file(seed: 3, count: 400_000).stalling(after: 100_000, until: gate))
        let bridge = fixture.bridge
        bridge.add([fixture.job(.download, "/f")])
        try #require(gate.waitForArrivals())
        #expect(try send("limit-rate=900M", to: [1], of: bridge).added == [1])
        #expect(bridge.details(of: 1)?.rates == TaskRates(download: 943_718_400))
        #expect(
            try send("limit-rate=900M", to: [1], of: bridge).refusals.map(\.reason.string) == [ServiceErrors.unchanged])
        gate.release()
        try #require(fixture.observer.waitForEnds())
        #expect(fixture.server.requests(for: "/f").count == 1)
    }

    /// Adds a download with a part, and pauses it.
    private func pause(in fixture: BridgeFixture, _ gate: Gate) throws {
        let bridge = fixture.bridge
        var job = fixture.job(.download, "/f")
        job.directory = fixture.folder.path
        fixture.server.setRoute("/f", .file(seed: 3, count: 400_000).stalling(after: 100_000, until: gate))
        bridge.add([job])
        try #require(gate.waitForArrivals())
        try #require(fixture.observer.wait { _ in (bridge.figures(of: [1]).first?.received ?? 0) > 0 })
        bridge.send(.pause([1]))
        try #require(fixture.observer.wait { _ in bridge.snapshots(of: [1]).first?.state == .paused })
    }

    @Test("A folder that is the same one already, however it is written, changes nothing", arguments: ["", "/.", "//"])
    func sameFolder(suffix: String) throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        try pause(in: fixture, gate)
        let bridge = fixture.bridge
        let reply = try send(
            suffix.isEmpty ? "dir=" : "dir=\(fixture.folder.path)\(suffix)", to: [1], of: bridge)
        #expect(reply.refusals.map(\.reason.string) == [ServiceErrors.unchanged])
        #expect(bridge.snapshots(of: [1]).first?.state == .paused)
        #expect(bridge.figures(of: [1]).first?.received ?? 0 > 0)
        gate.release()
    }

    @Test("A paused download keeps its figures when other settings than its place are changed")
    func keptFigures() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        try pause(in: fixture, gate)
        let bridge = fixture.bridge
        #expect(try send("header=X-Key: a", to: [1], of: bridge).added == [1])
        try #require(
            fixture.observer.wait { _ in
                bridge.jobs(of: [1]).first?.headers["X-Key"] == "a" && bridge.snapshots(of: [1]).first?.state == .paused
            })
        #expect(bridge.figures(of: [1]).first?.received ?? 0 > 0)
        gate.release()
    }

    @Test("A folder that cannot be made is refused in one sentence, and the running download goes on")
    func impossibleFolder() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/f", .file(seed: 3, count: 400_000).stalling(after: 100_000, until: gate))
        let bridge = fixture.bridge
        bridge.add([fixture.job(.download, "/f")])
        try #require(gate.waitForArrivals())
        let reply = try send("dir=/proc/nope", to: [1], of: bridge)
        #expect(reply.added.isEmpty && reply.refusals.map(\.id) == [1])
        #expect(reply.refusals.first?.reason.string.contains("/proc/nope") == true)
        var edited = fixture.job(.download, "/f")
        edited.directory = "/proc/nope"
        #expect(bridge.send(.replace(1, with: edited)).refusals.map(\.id) == [1])
        gate.release()
        try #require(fixture.observer.waitForEnds())
        #expect(bridge.snapshots(of: [1]).first?.state == .done && fixture.server.requests(for: "/f").count == 1)
    }

    @Test("A limit that is edited with other settings is in force")
    func editedLimit() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        var job = fixture.job(.download, "/gone")
        fixture.bridge.add([job])
        try #require(fixture.observer.waitForEnds())
        fixture.server.setRoute("/gone", .file(count: 1000))
        job.rates = TaskRates(download: 943_718_400)
        fixture.bridge.send(.replace(1, with: job))
        try #require(fixture.observer.waitForEnds(2))
        #expect(fixture.bridge.details(of: 1)?.rates == job.rates)
    }

    @Test(
        "A restored row whose secrets were not saved is changed only by a line that has them, and a mask is never sent")
    func lackingSecrets() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let first = try saved.run(EffectsObserver())
        var withOption = Job(kind: .download, url: saved.server.url("/o"))
        withOption.options = [JobOption.Value(.user, "me:secret")]
        var withHeader = Job(kind: .download, url: saved.server.url("/h"))
        withHeader.headers = ["Authorization": "Bearer secret"]
        let withURL = Job(kind: .download, url: saved.server.url("/u?token=secret"))
        let jobs = [withOption, withHeader, withURL].map { job in
            var job = job
            job.startsPaused = true
            return job
        }
        let ids = first.send(.add(jobs)).added
        _ = first.close()
        for name in ["/o", "/h", "/u"] { saved.server.setRoute(name, .file(count: 1000)) }
        let observer = EffectsObserver()
        let second = try saved.run(observer)
        defer { _ = second.close() }
        let reply = try send("tag=night", to: ids, of: second)
        #expect(reply.added.isEmpty && reply.refusals.map(\.id) == ids)
        #expect(reply.refusals.first?.reason.string == ServiceErrors.secretsNotSaved("--user"))
        #expect(saved.server.requests.isEmpty)
        #expect(try send("user=me:again", to: [ids[0], ids[2]], of: second).added == [ids[0]])
        let withAnother = try send("header=Authorization: Bearer again", to: [ids[1]], of: second)
        #expect(withAnother.added == [ids[1]], "\(withAnother)")
        try #require(observer.waitForEnds(2))
        #expect(saved.server.requests(for: "/u").isEmpty)
        #expect(saved.server.requests(for: "/h").map { $0.header("Authorization") } == ["Bearer again"])
        let sent = saved.server.requests.flatMap { $0.headers.map(\.value) }
        #expect(sent.allSatisfy { !$0.contains("***") })
    }
}
