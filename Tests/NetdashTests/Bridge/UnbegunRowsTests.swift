import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

@Suite("Rows of a saved session that have not begun", .timeLimit(.minutes(1)))
struct UnbegunRowsTests {
    private let fixture: SavedSessionFixture
    private var server: LoopbackServer { fixture.server }

    init() throws { fixture = try SavedSessionFixture() }

    private func end() { fixture.end() }

    private func run(_ observer: EffectsObserver = EffectsObserver()) throws -> LocalService {
        try fixture.run(observer)
    }

    @Test("Rows that have not begun wait without tasks in the next run, paused or in their places, and then run")
    func unbegunRows() throws {
        defer { end() }
        let gate = try server.gate(named: "first")
        // As many as get tasks, and three more.
        let names = (0..<64).map { "\($0)" } + ["a", "b", "c"]
        for name in names { server.setRoute("/" + name, .file(seed: 1, count: 100)) }
        server.setRoute("/0", .file(seed: 1, count: 1_000).stalling(after: 10, until: gate))
        let first = try run()
        first.add(names.map { Job(kind: .download, url: server.url("/" + $0)) })
        try #require(gate.waitForArrivals())
        let ids = first.allSnapshots.map(\.id)
        let (a, c) = (ids[64], ids[66])
        first.pause([a])
        first.moveInQueue([c], by: -1)
        _ = first.close()

        let observer = EffectsObserver()
        let second = try run(observer)
        defer { _ = second.close() }
        server.clearRequests()
        #expect(second.manager.task(for: TransferID(rawValue: a)) == nil)
        #expect(second.snapshots(of: [a]).first?.state == .paused)
        let isCompact = second.state.withLock { !$0.rows.isTouched(a) }
        #expect(isCompact, "a paused row that has not begun is its URL and a few numbers")
        gate.release()
        try #require(observer.waitForEnds(66))
        #expect(server.requests.suffix(2).map(\.path) == ["/c", "/b"], "in the order of their places")
        second.resume([a])
        try #require(observer.waitForEnds(67))
        #expect(Set(second.allSnapshots.map(\.state)) == [.done])
    }

    @Test("A paused row whose part was removed meanwhile shows no bytes, and that nothing is kept")
    func lostPart() throws {
        defer { end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/slow", .file(seed: 2, count: 400_000).stalling(after: 100_000, until: gate))
        let observer = EffectsObserver()
        let first = try run(observer)
        first.add([Job(kind: .download, url: server.url("/slow"))])
        try #require(gate.waitForArrivals())
        try #require(observer.wait { _ in first.allSnapshots.contains { $0.received > 0 } })
        first.pause(first.allSnapshots.map(\.id))
        _ = first.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        where name.contains(".part") {
            try FileManager.default.removeItem(at: fixture.folder.appendingPathComponent(name))
        }
        let second = try run()
        let row = second.allSnapshots.first
        // Between its end and the telling of it.
        second.manager.operationQueue.isSuspended = true
        for task in second.manager.tasks { task.cancel() }
        #expect(second.allSnapshots.first?.received == 0)
        second.manager.operationQueue.isSuspended = false
        let end = second.close()
        #expect(row?.state == .paused && row?.received == 0 && row?.continuation == .no)
        let words = end.closing.map(\.string)
        #expect(words.count == 1 && words[0].hasPrefix("0 completed, 1 unfinished, 0 B in"), "\(words)")
    }

    @Test("What is told of rows without a dashboard is held back until they are on the disk")
    func toldWhenSaved() throws {
        defer { end() }
        let observer = EffectsObserver(showsRows: false)
        let bridge = try run(observer)
        defer { _ = bridge.close() }
        let disk = DispatchSemaphore(value: 0)
        let isBusy = DispatchSemaphore(value: 0)
        bridge.manager.store.flush { _ in
            isBusy.signal()
            disk.wait()
        }
        isBusy.wait()
        bridge.add([Job(kind: .download, url: server.url("/a"))])
        #expect(observer.events.contains { $0.name == "added" })
        #expect(observer.saving == [1])
        #expect(observer.saved.isEmpty, "nothing is on the disk")
        disk.signal()
        #expect(observer.waitUntilSaved())
        try #require(observer.waitForEnds())
        bridge.clear(bridge.allSnapshots.map(\.id))
        #expect(observer.saving == [1, 2])
        #expect(observer.waitUntilSaved())
    }
}
