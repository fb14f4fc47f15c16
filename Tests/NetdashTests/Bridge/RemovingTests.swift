import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

@Suite("Rows that are removed for every client, and come back", .timeLimit(.minutes(1)))
struct RemovingTests {
    @Test("Removed rows are in no list and no saved session, restored ones are in both, and cleared ones are gone")
    func saved() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        for name in ["a", "b", "c"] { saved.server.setRoute("/" + name, .file(seed: 1, count: 10)) }
        let observer = EffectsObserver()
        let first = try saved.run(observer)
        let jobs = ["a", "b", "c"].map { Job(kind: .download, url: saved.server.url("/" + $0)) }
        let ids = first.send(.add(jobs)).added
        try #require(observer.waitForEnds(3))
        #expect(first.send(.remove(ids, deletingParts: false)).refusals.isEmpty)
        #expect(first.allSnapshots.isEmpty && Set(observer.removed) == Set(ids))
        // A process that is killed here has none of them in its session. Other tests have used smaller numbers.
        let missing = ids[2] + 1_000
        let reply = first.send(.restore([ids[1], ids[0], missing]))
        #expect(reply.added == [ids[1], ids[0]])
        #expect(reply.refusals == [.init(id: missing, reason: ServiceErrors.noTask(missing))])
        #expect(first.allSnapshots.map(\.id) == [ids[0], ids[1]])
        #expect(first.allSnapshots.allSatisfy { $0.state == .done })
        #expect(first.summary.completed == 3)
        first.send(.remove([ids[0]], deletingParts: false))
        first.send(.clear([ids[0]]))
        #expect(first.send(.restore([ids[0]])).refusals.map(\.id) == [ids[0]])
        _ = first.close()

        let second = try saved.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.allSnapshots.map(\.id) == [ids[1]])
        #expect(second.allSnapshots.map(\.state) == [.done])
        // A row that another run has removed is not had back.
        #expect(second.send(.restore([ids[2]])).refusals.map(\.id) == [ids[2]])
    }

    @Test("A row that comes back beside another one of its URL is known when its job is added again")
    func backBesideAnother() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/f", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        let jobs = Job.two(of: fixture.server.url("/f"))
        let ids = fixture.bridge.send(.add(jobs)).added
        try #require(ids.count == 2 && gate.waitForArrivals(2))
        fixture.bridge.send(.remove([ids[0]], deletingParts: false))
        try #require(fixture.observer.waitForRemoved([ids[0]]))
        #expect(fixture.bridge.send(.restore([ids[0]])).added == [ids[0]])
        let reply = fixture.bridge.send(.add([jobs[0]]))
        #expect(Set(reply.added + reply.repeated) == [ids[0]])
        #expect(fixture.bridge.allSnapshots.map(\.id).sorted() == ids)
        gate.release()
        try #require(fixture.observer.wait { _ in fixture.bridge.isIdle })
    }

    @Test("A running row is cancelled and leaves at its end, and stays where a client wants it back before that")
    func running() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute(
            "/f", .resource(ServedResource(seed: 3, count: 4_000_000)).stalling(after: 1_000_000, until: gate))
        let bridge = fixture.bridge
        bridge.add([fixture.job(.download, "/f"), fixture.job(.download, "/f?2")])
        try #require(gate.waitForArrivals(2))
        bridge.send(.remove([1, 2], deletingParts: false))
        try #require(fixture.observer.waitForRemoved([1, 2]))
        #expect(bridge.allSnapshots.isEmpty)
        #expect(bridge.send(.restore([1])).added == [1])
        #expect(bridge.snapshots(of: [1]).map(\.state) == [.cancelled])
        gate.release()
        bridge.send(.resume([1]))
        try #require(fixture.observer.wait { events in events.contains { $0.id == 1 && $0.isCompletion } })
        #expect(bridge.allSnapshots.map(\.id) == [1])
        #expect(bridge.counts.isIdle)
    }

    @Test("A removal with parts deletes them, and one of waiting rows is told once")
    func parts() throws {
        let fixture = try BridgeFixture {
            $0.retries = 0
            $0.maximumConcurrent = 1
        }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute(
            "/f", .resource(ServedResource(seed: 3, count: 4_000_000)).stalling(after: 1_000_000, until: gate))
        let bridge = fixture.bridge
        bridge.add((1...20).map { fixture.job(.download, "/f?\($0)") })
        try #require(gate.waitForArrivals())
        bridge.send(.remove(Array(1...20), deletingParts: true))
        try #require(fixture.observer.waitForRemoved(Array(1...20)))
        #expect(bridge.allSnapshots.isEmpty && bridge.counts.isIdle)
        gate.release()
        _ = bridge.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).isEmpty)
    }
}

extension TransferEvent {
    fileprivate var isCompletion: Bool { if case .completed = what { true } else { false } }
}
