import Foundation
import Testing

@testable import FleetQueue

@Suite(
    "A worker behind PgBouncer",
    .enabled(if: TestPooler.canStart, "PgBouncer is not installed (apt-get install pgbouncer)"),
    .timeLimit(.minutes(10)))
struct PoolerTests {
    @Test("Where a pooler swallows notices a worker asks, and follows wishes and new jobs", arguments: [1, 5])
    func polls(connections: Int) throws {
        let test = try TestQueue()
        let queue = try test.open()
        let pooler = try TestPooler(for: test.server, connections: connections)
        try queue.add(text: "http://h/a")
        let worker = try SimulatedWorker(
            "w", on: test, milliseconds: 3_600_000, drains: false, variables: ["PGHOST": pooler.folder])
        eventually("it says that it asks") { worker.process.output.contains(WorkerLines.noNotices) }
        try eventually("it has the job") { try queue.count(.running) == 1 }
        let job = try #require(try queue.page(after: 0).first)
        // The lease is a minute, so the worker's next beat is too late for this.
        let began = FleetClock.now()
        #expect(try queue.wish(.pause, for: [job.id]) == 1)
        try eventually("the wish is followed") { try queue.count(.paused) == 1 }
        #expect(FleetClock.now() - began < 15)
        try queue.add(text: "http://h/b")
        try eventually("a new job is found") { try queue.count(.running) == 1 }
        worker.process.send(SIGTERM)
        worker.process.send(SIGKILL)
    }
}
