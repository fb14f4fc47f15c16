import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// What the saved session has between two steps of a command, as a kill would leave it.
@Suite("Steps that a kill interrupts", .timeLimit(.minutes(1)))
struct KilledStepsTests {
    private let fixture: SavedSessionFixture
    private let observer = EffectsObserver()
    private let gate: Gate
    private static let complete: Behaviour = {
        var resource = ServedResource(seed: 3, count: 4_000_000)
        resource.lastModified = 1_000_000_000
        return .resource(resource)
    }()

    init() throws {
        fixture = try SavedSessionFixture()
        gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute(
            "/f.bin", .sequence([Self.complete.stalling(after: 2_000_000, until: gate), Self.complete]))
    }

    private var files: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter { $0 != "state" }.sorted()
        }
    }

    /// A run whose download stands still in the middle.
    private func start() throws -> (LocalService, UInt64) {
        let bridge = try fixture.run(observer)
        let job = Job(kind: .download, url: fixture.server.url("/f.bin"))
        let id = try #require(bridge.send(.add([job])).added.first)
        try #require(gate.waitForArrivals())
        try #require(observer.wait { _ in (bridge.figures(of: [id]).first?.received ?? 0) > 0 })
        return (bridge, id)
    }

    /// A run whose download was paused in an earlier one.
    private func startAgain(_ watcher: EffectsObserver) throws -> (LocalService, UInt64) {
        let (first, id) = try start()
        first.send(.pause([id]))
        try #require(observer.wait { $0.contains { $0.what == .paused } })
        _ = first.close()
        return (try fixture.run(watcher), id)
    }

    // MARK: - Removal

    @Test("A removal is saved before the task has ended, with what becomes of its part", arguments: [false, true])
    func removal(deletesPart: Bool) throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        defer { _ = bridge.close() }
        try bridge.holdingEvents { () throws in
            bridge.send(.remove([id], deletingParts: deletesPart))
            let stored = try fixture.stored(by: bridge)
            #expect(stored.map(\.wanted) == [deletesPart ? .removedWithPart : .removed])
            #expect(stored.map(\.isFinal) == [false])
        }
        try #require(observer.waitForRemoved([id]))
        #expect(try fixture.stored(by: bridge).isEmpty)
        #expect(try files.isEmpty == deletesPart)
    }

    @Test("The next run carries out a removal that a kill has cut, and shows nothing of it", arguments: [false, true])
    func cutRemoval(deletesPart: Bool) throws {
        defer { fixture.end() }
        let (first, id) = try start()
        first.manager.store.setWanted(deletesPart ? .removedWithPart : .removed, of: [TransferID(rawValue: id)])
        _ = first.close()
        #expect(try files.count == 2, "the part and its meta")
        let count = fixture.server.requests.count
        gate.release()
        let second = try fixture.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.allSnapshots.isEmpty && second.counts.isIdle)
        #expect(try fixture.stored(by: second).isEmpty)
        #expect(try files.count == (deletesPart ? 0 : 2))
        #expect(fixture.server.requests.count == count)
    }

    @Test("A row that is wanted back before its end stays in the saved session too", arguments: [false, true])
    func wantedBack(goesOn: Bool) throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        defer { _ = bridge.close() }
        try bridge.holdingEvents { () throws in
            bridge.send(.remove([id], deletingParts: false))
            bridge.send(.restore([id]))
            #expect(try fixture.stored(by: bridge).map(\.wanted) == [.paused])
            guard goesOn else { return }
            bridge.send(.resume([id]))
            #expect(try fixture.stored(by: bridge).map(\.wanted) == [.running])
        }
        try #require(observer.waitForEnds(goesOn ? 2 : 1))
        gate.release()
        #expect(bridge.allSnapshots.map(\.state) == [goesOn ? .done : .cancelled])
        #expect(try fixture.stored(by: bridge).map(\.standing) == [goesOn ? .completed : .cancelled])
    }

    @Test("The part of a task that an earlier run has paused is deleted with it")
    func partOfEarlierRun() throws {
        defer { fixture.end() }
        let watcher = EffectsObserver()
        let (bridge, id) = try startAgain(watcher)
        defer { _ = bridge.close() }
        #expect(bridge.snapshots(of: [id]).map(\.state) == [.paused])
        #expect(try files.count == 2)
        bridge.send(.cancel([id], deletingParts: true))
        try #require(watcher.waitForEnds())
        #expect(try files.isEmpty)
    }

    /// A run with two downloads of one URL that an earlier run has paused, the first of which has more bytes.
    private func twoOfOneURL(_ watcher: EffectsObserver) throws -> (LocalService, [UInt64]) {
        fixture.server.setRoute(
            "/f.bin",
            .choosing { [gate] request in
                Self.complete.stalling(after: request.header("X-Task") == "1" ? 2_000_000 : 1_000_000, until: gate)
            })
        let first = try fixture.run(observer) { $0.maximumConcurrent = 2 }
        let ids = first.send(.add(Job.two(of: fixture.server.url("/f.bin")))).added
        try #require(ids.count == 2 && gate.waitForArrivals(2))
        try #require(observer.wait { _ in first.figures(of: ids).map(\.received) == [2_000_000, 1_000_000] })
        first.send(.pause(ids))
        try #require(observer.wait { $0.count { $0.what == .paused } == 2 })
        _ = first.close()
        return (try fixture.run(watcher), ids)
    }

    @Test("The part of one of two tasks with the same URL is moved or deleted, and the other task keeps its own")
    func partOfOneOfTwo() throws {
        defer { fixture.end() }
        let watcher = EffectsObserver()
        let (bridge, ids) = try twoOfOneURL(watcher)
        defer { _ = bridge.close() }
        #expect(try files.count == 4)
        let there = fixture.folder.path + "/moved/f.bin"
        guard case .success = bridge.move(ids[1], to: there) else {
            Issue.record("refused")
            return
        }
        let isMoved = watcher.wait { _ in
            bridge.snapshots(of: [ids[1]]).map(\.path?.string) == [there] && bridge.row(ids[1])?.run.isChanging == false
        }
        #expect(isMoved && bridge.figures(of: ids).map(\.received) == [2_000_000, 1_000_000])
        // The old meta goes after the row has its new place.
        bridge.changeQueue.sync {}
        bridge.send(.cancel([ids[0]], deletingParts: true))
        try #require(watcher.waitForEnds())
        #expect(try files == ["moved"])
        let moved = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/moved")
        #expect(moved.count == 2)
        bridge.send(.resume([ids[1]]))
        try #require(watcher.wait { _ in bridge.row(ids[1])?.status.resumedAt == 1_000_000 })
    }

    @Test("The first of two tasks with the same URL loses its part alone")
    func deletedBesideAnother() throws {
        defer { fixture.end() }
        let watcher = EffectsObserver()
        let (bridge, ids) = try twoOfOneURL(watcher)
        defer { _ = bridge.close() }
        bridge.send(.cancel([ids[0]], deletingParts: true))
        try #require(watcher.waitForEnds())
        #expect(try files.count == 2)
        bridge.send(.cancel([ids[1]], deletingParts: false))
        try #require(watcher.waitForEnds(2))
        bridge.send(.remove([ids[1]], deletingParts: true))
        try #require(watcher.waitForRemoved([ids[1]]))
        #expect(try files.isEmpty)
    }

    @Test("The part of a task without one in this run is deleted too, and no part of another URL")
    func partWithoutTask() throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        defer { _ = bridge.close() }
        bridge.send(.cancel([id], deletingParts: false))
        try #require(observer.waitForEnds())
        let target = bridge.factory.target(of: try #require(bridge.job(of: id)))
        target.discardPart(of: fixture.server.url("/g.bin"))
        #expect(try files.count == 2)
        target.discardPart(of: fixture.server.url("/f.bin"))
        #expect(try files.isEmpty)
    }

    // MARK: - Changes

    /// Waits until a row has been stopped for its change.
    private func waitForStop(of id: UInt64, by bridge: LocalService) -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while bridge.row(id)?.run.isChanging != true, ContinuousClock.now < deadline {
            bridge.waitForDelivery()
        }
        return bridge.row(id)?.run.isChanging == true
    }

    @Test("A task that is stopped for a change is saved as it was until the change is made")
    func change() throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        defer { _ = bridge.close() }
        fixture.server.setRoute("/other", Self.complete)
        bridge.changeQueue.suspend()
        #expect(try bridge.changeURL(of: id, to: fixture.server.url("/other")).get() == nil)
        let isStopped = waitForStop(of: id, by: bridge)
        let stored = try fixture.stored(by: bridge)
        #expect(isStopped && stored.map(\.standing) == [.unfinished] && stored.map(\.wanted) == [.running])
        #expect(stored.map(\.request.url) == [fixture.server.url("/f.bin")])
        bridge.changeQueue.resume()
        try #require(observer.waitForEnds())
        gate.release()
        #expect(try fixture.stored(by: bridge).map(\.standing) == [.completed])
        #expect(try fixture.stored(by: bridge).map(\.request.url) == [fixture.server.url("/other")])
    }

    @Test("A user's pause, resume and cancellation of a task that is stopped for a change are saved")
    func changedMind() throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        defer { _ = bridge.close() }
        var job = try #require(bridge.job(of: id))
        job.headers = ["X-Key": "a"]
        try bridge.holdingEvents { () throws in
            bridge.send(.replace(id, with: job))
            bridge.send(.pause([id]))
            #expect(try fixture.stored(by: bridge).map(\.wanted) == [.paused])
            bridge.send(.resume([id]))
            #expect(try fixture.stored(by: bridge).map(\.wanted) == [.running])
            bridge.send(.cancel([id], deletingParts: false))
        }
        try #require(observer.waitForEnds())
        gate.release()
        #expect(bridge.allSnapshots.map(\.state) == [.cancelled])
        #expect(try fixture.stored(by: bridge).map(\.standing) == [.cancelled])
        #expect(try files.count == 2)
    }

    @Test("A cancellation that comes when the task has stopped for a change is saved")
    func cancelledWhenStopped() throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        defer { _ = bridge.close() }
        bridge.changeQueue.suspend()
        #expect(try bridge.changeURL(of: id, to: fixture.server.url("/other")).get() == nil)
        let isStopped = waitForStop(of: id, by: bridge)
        bridge.send(.cancel([id], deletingParts: false))
        bridge.changeQueue.resume()
        #expect(isStopped)
        #expect(try fixture.stored(by: bridge).map(\.standing) == [.cancelled])
        gate.release()
    }

    @Test("A task that is resumed before its cancellation has ended it goes on in the next run too")
    func resumedWhileCancelling() throws {
        defer { fixture.end() }
        let (bridge, id) = try start()
        try bridge.holdingEvents { () throws in
            bridge.send(.cancel([id], deletingParts: false))
            bridge.send(.resume([id]))
            #expect(try fixture.stored(by: bridge).map(\.wanted) == [.running])
        }
        try #require(observer.waitForEnds(2))
        gate.release()
        #expect(bridge.allSnapshots.map(\.state) == [.done])
        _ = bridge.close()
    }
}
