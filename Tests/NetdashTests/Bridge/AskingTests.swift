import Foundation
import LoopbackServer
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Downloads whose users decide about an existing file.
@Suite("Decisions about existing files", .timeLimit(.minutes(1)))
struct AskingTests {
    @Test("Every rule has the library's, and the question none that writes")
    func rules() {
        for rule in Job.IfExists.allCases {
            let isOwn = rule == .ask
            #expect(Job.IfExists(rule.collision) == (isOwn ? .fail : rule))
        }
        #expect(
            Set(Job.IfExists.allCases).subtracting([.ask])
                == Set(DownloadTarget.Collision.allCases.map { Job.IfExists($0) }))
    }

    @Test(
        "A download waits for its user, who decides what becomes of the file",
        arguments: [
            (.rename, ["f": 5, "f (1)": 10]), (.overwrite, ["f": 10]), (.skip, ["f": 5]),
        ] as [(Job.IfExists, [String: Int])])
    func decision(policy: Job.IfExists, files: [String: Int]) throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        try Data("there".utf8).write(to: fixture.folder.appendingPathComponent("f"))
        var job = fixture.job(.download, "/f")
        job.ifExists = .ask
        let ids = fixture.bridge.add([job]).added
        try #require(fixture.observer.wait { $0.contains { $0.what == .paused } })
        let row = fixture.bridge.snapshots(of: ids)[0]
        #expect(row.state == .paused && row.cause == .destinationExists && row.error != nil)
        #expect(!fixture.bridge.isIdle)
        // Without a decision it asks again.
        fixture.bridge.send(.resume(ids))
        try #require(fixture.observer.wait { $0.count { $0.what == .paused } == 2 })
        fixture.bridge.send(.settle(ids, policy))
        try #require(fixture.observer.waitForEnds(1))
        #expect(fixture.bridge.figures(of: ids).map(\.state) == [.done])
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter {
            !$0.hasPrefix(".")
        }
        let found = names.map { ($0, FileManager.default.contents(atPath: fixture.folder.path + "/" + $0)?.count ?? 0) }
        #expect(Dictionary(uniqueKeysWithValues: found) == files)
        fixture.bridge.send(.settle(ids, .overwrite))
        #expect(fixture.bridge.figures(of: ids).map(\.state) == [.done])
        #expect(fixture.bridge.jobs(of: ids).map(\.ifExists) == [.ask], "A decision is for one run")
        fixture.bridge.send(.fetchAgain(ids))
        try #require(fixture.observer.wait { $0.count { $0.what == .paused } == 3 })
        #expect(fixture.bridge.figures(of: ids).map(\.cause) == [.destinationExists])
    }

    @Test("An answer holds for later attempts and for an edited task of the same place, and not for another place")
    func laterAttempts() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        for name in ["f", "g"] {
            try Data("there".utf8).write(to: fixture.folder.appendingPathComponent(name))
        }
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        var job = fixture.job(.download, "/f")
        job.ifExists = .ask
        let ids = fixture.bridge.add([job]).added
        try #require(fixture.observer.wait { $0.contains { $0.what == .paused } })
        fixture.server.setRoute("/f", .respond(.text("no", status: 404)))
        fixture.bridge.send(.settle(ids, .overwrite))
        try #require(fixture.observer.waitForEnds(1))
        fixture.bridge.send(.resume(ids))
        try #require(fixture.observer.waitForEnds(2))
        job.headers = ["X-Key": "a"]
        fixture.bridge.send(.replace(ids[0], with: job))
        try #require(fixture.observer.waitForEnds(3))
        let gate = try fixture.server.gate(named: "edited")
        fixture.server.setRoute("/f", .file(seed: 1, count: 10).stalling(after: 5, until: gate))
        fixture.bridge.send(.resume(ids))
        try #require(gate.waitForArrivals())
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        job.headers = ["X-Key": "b"]
        fixture.bridge.send(.replace(ids[0], with: job))
        try #require(fixture.observer.wait { $0.contains { if case .completed = $0.what { true } else { false } } })
        gate.release()
        #expect(FileManager.default.contents(atPath: fixture.folder.path + "/f")?.count == 10)
        #expect(fixture.observer.events.count { $0.what == .paused } == 1)
        job.output = .name("g")
        fixture.bridge.send(.replace(ids[0], with: job))
        try #require(fixture.observer.wait { $0.count { $0.what == .paused } == 2 })
    }

    @Test(
        "An answer that comes after its service was started again counts",
        arguments: [(.rename, ["f": 5, "f (1)": 10]), (.overwrite, ["f": 10])] as [(Job.IfExists, [String: Int])])
    func nextRun(policy: Job.IfExists, files: [String: Int]) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        try Data("there".utf8).write(to: fixture.folder.appendingPathComponent("f"))
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        var job = Job(kind: .download, url: fixture.server.url("/f"))
        job.ifExists = .ask
        let asking = EffectsObserver()
        let first = try fixture.run(asking)
        let ids = first.add([job]).added
        try #require(asking.wait { $0.contains { $0.what == .paused } })
        _ = first.close()
        let answered = EffectsObserver()
        let second = try fixture.run(answered)
        defer { _ = second.close() }
        second.send(.settle(ids, policy))
        try #require(answered.waitForEnds(1))
        #expect(second.figures(of: ids).map(\.state) == [.done])
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter {
            !$0.hasPrefix(".") && $0 != "state"
        }
        let found = names.map { ($0, FileManager.default.contents(atPath: fixture.folder.path + "/" + $0)?.count ?? 0) }
        #expect(Dictionary(uniqueKeysWithValues: found) == files)
        #expect(second.jobs(of: ids).map(\.ifExists) == [.ask])
    }

    @Test("Every rule keeps an existing file when its task is fetched again, or asks")
    func keeping() {
        let kept = Job.IfExists.allCases.map(\.keepingFile)
        #expect(kept == [.rename, .rename, .same, .same, .rename, .same, .rename, .ask])
    }

    @Test("A download without an existing file asks nothing, and a saved one still asks in the next run")
    func others() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        var job = fixture.job(.download, "/f")
        job.ifExists = .ask
        _ = fixture.bridge.add([job])
        try #require(fixture.observer.waitForEnds(1))
        let factory = TaskFactory(manager: SessionManager(), directory: nil, printsBodies: false)
        let stored = TransferRow(id: 7, job: job).stored(by: factory)
        #expect(TransferRow(restoring: stored).job.ifExists == .ask)
    }
}
