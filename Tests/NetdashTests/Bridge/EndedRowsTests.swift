import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Rows that have ended where nobody sees rows", .timeLimit(.minutes(1)))
struct EndedRowsTests {
    /// Somebody who hears lines and gives no commands.
    private final class Listener: TransferObserver {
        let interest = Interest(takesCommands: false)
        private let condition = NSCondition()
        /// Guarded by `condition`.
        nonisolated(unsafe) private var collected: [TransferEvent] = []

        func receive(_ notice: TransferNotice) {
            guard case .event(let event) = notice else { return }
            condition.withLock {
                collected.append(event)
                condition.broadcast()
            }
        }

        /// Waits until so many runs have ended, and answers all events.
        func waitForEnds(_ count: Int) -> [TransferEvent] {
            let deadline = Date(timeIntervalSinceNow: 50)
            return condition.withLock {
                while collected.filter(\.isEnd).count < count, condition.wait(until: deadline) {}
                return collected
            }
        }
    }

    /// A run that downloads into a folder of its own, from a server that has one file.
    private struct Fixture {
        let server = LoopbackServer()
        let listener = Listener()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ended-\(UUID().uuidString)")
        let bridge: LocalService

        init() throws {
            try server.start()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            server.setRoute("/there", .file(seed: 1, count: 10))
            var settings = Settings()
            settings.directory = folder.path
            settings.retries = 0
            bridge = LocalService(settings: settings.forService, printsBodies: false, observer: listener)
        }

        func end() {
            _ = bridge.close()
            server.stop()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    @Test("A file that is there is downloaded again for a link that replaces it, although its row was forgotten")
    func again() throws {
        let fixture = try Fixture()
        defer { fixture.end() }
        let (server, listener, bridge) = (fixture.server, fixture.listener, fixture.bridge)
        let count = CompactRows.blockLength
        let jobs = (1...count).map {
            var job = Job(kind: .download, url: server.url($0 == 2 ? "/there" : "/missing/\($0)"))
            job.ifExists = .overwrite
            return job
        }
        bridge.add(jobs)
        #expect(listener.waitForEnds(count).filter(\.isEnd).count == count)
        bridge.waitForDelivery()
        try #require(bridge.state.withLock { $0.rows.isForgotten(2) })

        let reply = bridge.add([jobs[1]])
        #expect(reply.added == [2] && reply.repeated.isEmpty)
        #expect(listener.waitForEnds(count + 1).filter(\.isEnd).count == count + 1)
        bridge.waitForDelivery()
        #expect(server.requests(for: "/there").count == 2 && bridge.isIdle)
        let summary = bridge.summary
        #expect(summary.completed == 1 && summary.failed == count - 1 && summary.moved.total >= 20)
    }

    @Test("What has ended is forgotten but for how: named once more, what failed is tried again, what is there stays")
    func forgotten() throws {
        let fixture = try Fixture()
        defer { fixture.end() }
        let (server, listener, bridge) = (fixture.server, fixture.listener, fixture.bridge)
        let count = CompactRows.blockLength + 1
        let jobs = (1...count).map {
            Job(kind: .download, url: server.url($0 == 2 ? "/there" : "/missing/\($0)"))
        }
        bridge.add(jobs)
        let ends = listener.waitForEnds(count)
        #expect(ends.filter(\.isEnd).count == count)
        // A row is forgotten when its end has been told.
        bridge.waitForDelivery()
        try #require(bridge.isIdle)
        let forgotten = bridge.state.withLock { state in ([1, 2] as [UInt64]).map { state.rows.isForgotten($0) } }
        #expect(forgotten == [true, true])

        bridge.add([jobs[0], jobs[1]])
        let events = listener.waitForEnds(count + 1)
        bridge.waitForDelivery()
        let later = events.dropFirst(ends.count).filter { $0.id == 1 }
        #expect(later.contains { $0.what == .resumed } && later.contains { $0.what.isFailure })
        #expect(events.filter(\.isEnd).count == count + 1)
        let results = bridge.results
        #expect(results.count == count && results[1] == .completed)
        #expect(results.filter { if case .failed = $0 { true } else { false } }.count == count - 1)
        let summary = bridge.summary
        #expect(summary.completed == 1 && summary.failed == count - 1 && summary.moved.total >= 10)
        #expect(bridge.state.withLock { $0.slotOfTask.isEmpty })
    }
}
