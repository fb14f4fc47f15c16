import Foundation
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService
@testable import netdash

/// Messages between a client and its service that are longer than a frame.
@Suite("Messages that are too long for a frame", .timeLimit(.minutes(1)))
struct LongMessagesTests {
    private func job(_ number: Int, mebibytes count: Int) -> Job {
        var job = Job(kind: .data, url: "http://127.0.0.1:1/\(number)")
        job.body = .text(String(repeating: "x", count: count << 20))
        job.startsPaused = true
        return job
    }

    @Test("Tasks whose bodies are longer together are added, and asked for, in parts")
    func parts() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let folder = try ServiceListenerTests.Folder()
        let listener = try ServiceListenerTests.listen(fixture.bridge, folder)
        defer { listener.close() }
        let restarts = Locked(0)
        let client = try #require(
            try RemoteService.connect(
                to: folder.socket, program: "1.0", restart: { restarts.withLock { $0 += 1 } }))
        defer { client.leave() }
        let jobs = (1...33).map { job($0, mebibytes: 1) }
        let reply = client.send(.add(jobs))
        #expect(reply.added.count == 33 && reply.repeated.isEmpty && reply.refusals.isEmpty)
        let told = client.jobs(of: reply.added)
        #expect(told.map(\.url) == jobs.map(\.url) && told.map(\.body) == jobs.map(\.body))

        // A single one cannot be divided: it is refused at once, and the others are added.
        let (mixed, _) = try #require(client.addAndSave([job(34, mebibytes: 0), job(35, mebibytes: 33)]))
        #expect(mixed.added.count == 1 && mixed.refusals.map(\.reason) == [WireErrors.jobTooLong])
        #expect(client.send(.replace(reply.added[0], with: job(1, mebibytes: 33))).refusals.count == 1)
        #expect(client.counts.live == 34 && restarts.withLock { $0 } == 0)

        // A list that a window reads has a failed row for it.
        var pages = [[job(36, mebibytes: 33), job(37, mebibytes: 0)]]
        client.add { pages.popLast() ?? [] }
        let failed = client.allSnapshots.filter { $0.state == .failed }
        #expect(failed.map(\.url) == ["http://127.0.0.1:1/36"] && client.counts.live == 35)
        #expect(failed.first?.error == WireErrors.jobTooLong)
    }
}
