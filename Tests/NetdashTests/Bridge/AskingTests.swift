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
