import Testing

@testable import FleetQueue

/// The kept counts beside a count of all rows.
@Suite("Tallies", needsServer, .timeLimit(.minutes(10)))
struct TallyTests {
    private let test: TestQueue
    private let queue: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
    }

    /// What the tallies must say, counted job by job.
    private static let counted = """
        SELECT h.host, j.state,
            CASE j.state WHEN 'waiting' THEN j.not_before > now() WHEN 'running' THEN j.wish = 'pause' ELSE false END,
            count(*), COALESCE(sum(j.received), 0), COALESCE(sum(COALESCE(j.total, j.received)), 0),
            count(*) FILTER (WHERE j.total IS NULL), bool_or(j.priority <> 0)
        FROM netdash.job j JOIN netdash.host h ON h.id = j.host_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        """

    /// What the tallies of workers must say.
    private static let ended = """
        SELECT worker, state, count(*), COALESCE(sum(received), 0), COALESCE(sum(COALESCE(total, received)), 0),
            count(*) FILTER (WHERE total IS NULL)
        FROM netdash.job WHERE state IN ('done', 'dead') AND worker IS NOT NULL GROUP BY 1, 2
        """

    private func expectTallies(_ step: Comment, at place: SourceLocation = #_sourceLocation) throws {
        // In a transaction it is one moment for all questions, so no wait ends between them.
        try queue.connection.run("BEGIN")
        defer { _ = try? queue.connection.run("COMMIT") }
        let rows = try queue.connection.run(Self.counted)
        let expected = (0..<rows.count).map { row in (0..<8).map { rows.text(row, $0) }.joined(separator: " ") }
        let found = try queue.tallies().map { tally in
            """
            \(tally.host) \(tally.state.rawValue) \(tally.isHeldUp ? "t" : "f") \(tally.count) \(tally.received) \
            \(tally.expected) \(tally.unmeasured) \(tally.isPrioritised ? "t" : "f")
            """
        }
        #expect(found.sorted() == expected.sorted(), step, sourceLocation: place)
        let ended = try queue.connection.run(Self.ended)
        let workers = (0..<ended.count).map { row in (0..<6).map { ended.text(row, $0) }.joined(separator: " ") }
        let tallies = try queue.workerTallies().map { tally in
            "\(tally.worker) \(tally.state.rawValue) \(tally.count) \(tally.received) \(tally.expected) \(tally.unmeasured)"
        }
        #expect(tallies.sorted() == workers.sorted(), step, sourceLocation: place)
    }

    private func sums() throws -> (received: Int64, expected: Int64) {
        try queue.tallies().reduce(into: (0, 0)) { $0 = ($0.0 + $1.received, $0.1 + $1.expected) }
    }

    @Test("After each change of jobs the tallies are what a count of all jobs gives")
    func changes() throws {
        try expectTallies("no jobs")
        try queue.add(text: (0..<40).map { "http://h\($0 % 3)/\($0)\n priority=\($0 % 5)" }.joined(separator: "\n"))
        try expectTallies("added")
        let jobs = try queue.claim(20, for: worker("w", slots: 20))
        try #require(jobs.count == 20)
        try expectTallies("claimed")
        var held = jobs.map(HeldJob.init)
        for index in held.indices { (held[index].received, held[index].total) = (Int64(index) * 10, 1000) }
        _ = try queue.beat(held, for: worker("w"), stats: WorkerStats())
        try expectTallies("moved")
        // Counts between two beats are in no job, and count only for the claim that they are of.
        let move = JobMove(id: jobs[0].id, epoch: jobs[0].epoch, received: 500, total: 3000)
        let late = JobMove(id: jobs[1].id, epoch: jobs[1].epoch + 1, received: 7000, total: nil)
        let (received, expected) = try sums()
        try queue.tell([move, late], of: worker("w"))
        #expect(try sums() == (received + 500, expected + 2000))
        let running = try queue.runningJobs(100)
        let told = running.first { $0.id == move.id }
        #expect(told?.received == 500 && told?.total == 3000)
        #expect(running.first { $0.id == late.id }?.received == 10)
        try queue.tell([], of: worker("w"))
        _ = try queue.complete(jobs[0..<5].map { Completion(id: $0.id, epoch: $0.epoch, received: 7) })
        try queue.fail(
            jobs[5..<10].map { Failure(id: $0.id, epoch: $0.epoch, cause: "reset", isFinal: $0.id % 2 == 0) },
            base: 3600)
        try queue.handBack(jobs[10..<13].map { HandBack(id: $0.id, epoch: $0.epoch, received: 5) })
        try expectTallies("reported")
        let waiting = try queue.page(after: 0, count: 4, state: .waiting).map(\.id)
        _ = try queue.wish(.pause, for: waiting + jobs[13..<16].map(\.id))
        _ = try queue.wish(.cancel, for: [jobs[16].id, waiting[0]])
        try expectTallies("paused and cancelled")
        try queue.connection.run("UPDATE netdash.job SET lease_until = now() - interval '1 s' WHERE state = 'running'")
        try queue.connection.run("UPDATE netdash.queue SET reaped = '-infinity'")
        #expect(try queue.reap(lease: 0) > 0)
        try expectTallies("leases ran out")
        #expect(try queue.retry(RetryFilter()) > 0)
        try queue.connection.run("UPDATE netdash.job SET priority = 0 WHERE priority = 1")
        try expectTallies("retried")
        #expect(try queue.purge(state: "done", age: 0) == 5)
        try expectTallies("purged")
        try queue.connection.run("TRUNCATE netdash.job")
        try expectTallies("emptied")
    }

    @Test("A wait for an attempt ends by time alone, and the tallies show it")
    func later() throws {
        try queue.add(text: "http://h/a\nhttp://h/b")
        let jobs = try queue.claim(1, for: worker("w"))
        try queue.fail(jobs.map { Failure(id: $0.id, epoch: $0.epoch, cause: "x", isFinal: false) }, base: 0.3)
        try expectTallies("it waits")
        try eventually("it may run") { try queue.tallies().allSatisfy { !$0.isHeldUp } }
        try expectTallies("nothing has changed but time")
    }

    @Test("Adding up leaves one row for a host's state and changes no count")
    func fold() throws {
        for number in 0..<30 { try queue.add(text: "http://h\(number % 2)/\(number)") }
        let jobs = try queue.claim(6, for: worker("w", slots: 6))
        _ = try queue.complete(jobs.map { Completion(id: $0.id, epoch: $0.epoch, received: 3) })
        let kinds = "(SELECT count(*) FROM (SELECT DISTINCT host_id, state FROM netdash.job) k)"
        #expect(try queue.value("SELECT count(*) > \(kinds) FROM netdash.tally") == "t")
        queue.foldTallies()
        #expect(try queue.value("SELECT count(*) = \(kinds) FROM netdash.tally") == "t")
        #expect(try queue.value("SELECT count(*) FROM netdash.worker_tally") == "1")
        try expectTallies("added up")
        // Somebody else who is at it is not waited for.
        let other = try test.connect()
        try other.run("BEGIN")
        try other.run("SELECT netdash.fold()")
        queue.foldTallies()
        try other.run("COMMIT")
        try expectTallies("added up by two")
    }

    @Test("Sizes beyond all numbers, as a server may announce them, end no count and no report")
    func largestSizes() throws {
        try queue.add(text: "http://h/a\nhttp://h/b\nhttp://h/c")
        let jobs = try queue.claim(3, for: worker("w"))
        try queue.connection.run("UPDATE netdash.job SET total = \(Int64.max), received = 5")
        #expect(try sums() == (15, .max))
        try queue.fail(jobs.map { Failure(id: $0.id, epoch: $0.epoch, cause: "reset", isFinal: true) })
        #expect(try sums() == (15, .max))
        #expect(try queue.workerTallies().map(\.expected) == [.max])
        try queue.connection.run("SELECT netdash.fold()")
        #expect(try queue.status().jobs == ["dead": 3])
        try queue.connection.run("UPDATE netdash.job SET total = 1, received = 0")
        #expect(try sums() == (0, 3), "what was added is taken away again")
    }

    @Test("Workers that change jobs while counts are added up lose none")
    func together() throws {
        try queue.add(text: (0..<2000).map { "http://h\($0 % 10)/\($0)" }.joined(separator: "\n"))
        let workers = try (1...2).map { try SimulatedWorker("w\($0)", on: test, slots: 8) }
        try eventually("all is done") {
            queue.foldTallies()
            return try queue.count(.done) == 2000
        }
        for worker in workers { #expect(worker.process.wait() == 0, "\(worker.process.output)") }
        try expectTallies("drained")
    }
}
