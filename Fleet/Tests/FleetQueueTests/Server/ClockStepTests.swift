import Testing

@testable import FleetQueue

/// A clock that was set back is a queue all of whose moments are ahead.
@Suite("A database's clock that is set", needsServer, .timeLimit(.minutes(10)))
struct ClockStepTests {
    private let test: TestQueue
    private let queue: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
        try queue.add(text: "http://h/a\nhttp://h/b\nhttp://i/c\nhttp://k/d")
    }

    /// Lets all moments that were written until now be an hour ahead.
    private func stepBack() throws {
        let hour = "+ interval '1 hour'"
        try queue.connection.run("UPDATE netdash.queue SET reaped = now() \(hour)")
        try queue.connection.run(
            """
            UPDATE netdash.host
            SET due = due \(hour), not_before = not_before \(hour), next_start = next_start \(hour)
            """)
        try queue.connection.run(
            "UPDATE netdash.job SET not_before = not_before \(hour), lease_until = lease_until \(hour)")
        try queue.connection.run("UPDATE netdash.worker SET beat = beat \(hour)")
    }

    @Test("Waiting jobs are claimed again after the next look at leases, and holds and waits keep their lengths")
    func claims() throws {
        let jobs = try queue.claim(1, for: worker("w"))
        let job = try #require(jobs.first { $0.host == "h" })
        try queue.fail([Failure(id: job.id, epoch: job.epoch, cause: "reset", isFinal: false)], base: 600)
        try queue.hold("i", seconds: 600)
        let spaced = "gap = '10 min', next_start = now() + interval '10 min'"
        try queue.connection.run("UPDATE netdash.host SET \(spaced) WHERE host = 'k'")
        try stepBack()
        #expect(try queue.claim(9, for: worker("w")).isEmpty)
        try queue.reap(lease: 0)
        let hosts = try queue.claim(9, for: worker("w")).map(\.host)
        #expect(hosts == ["h"])
        let isSoon = "BETWEEN now() + interval '5 min' AND now() + interval '20 min'"
        #expect(try queue.value("SELECT not_before \(isSoon) FROM netdash.job WHERE id = \(job.id)") == "t")
        #expect(try queue.value("SELECT not_before \(isSoon) FROM netdash.host WHERE host = 'i'") == "t")
        #expect(try queue.value("SELECT next_start \(isSoon) FROM netdash.host WHERE host = 'k'") == "t")
        #expect(try queue.value("SELECT reaped <= now() FROM netdash.queue") == "t")
    }

    @Test("Leases end as long after the step as they would have, and a worker that lives keeps its jobs")
    func leases() throws {
        let jobs = try queue.claim(2, for: worker("lost"))
        _ = try queue.beat(jobs.map(HeldJob.init), for: worker("lost", lease: 100), stats: WorkerStats())
        let kept = try queue.claim(1, for: worker("alive")).map(HeldJob.init)
        _ = try queue.beat(kept, for: worker("alive"), stats: WorkerStats())
        try stepBack()
        #expect(try queue.beat(kept, for: worker("alive"), stats: WorkerStats()).count == 1)
        let lease = "SELECT lease_until FROM netdash.job WHERE worker = 'alive'"
        let before = try queue.value(lease)
        #expect(try queue.reap(lease: 0) == 0)
        #expect(try queue.value(lease) == before)
        let ends = "SELECT bool_and(lease_until BETWEEN now() + interval '90 s' AND now() + interval '100 s')"
        #expect(try queue.value(ends + " FROM netdash.job WHERE worker = 'lost'") == "t")
        // The next looks leave them as they are.
        try queue.connection.run("UPDATE netdash.queue SET reaped = '-infinity'")
        let later = try queue.value("SELECT max(lease_until) FROM netdash.job")
        #expect(try queue.reap(lease: 0) == 0)
        #expect(try queue.value("SELECT max(lease_until) FROM netdash.job") == later)
    }

    @Test("Jobs that a worker has claimed since the step stay its own, also if another one looks at leases first")
    func leasesSince() throws {
        let old = try queue.claim(1, for: worker("w"))
        _ = try queue.beat(old.map(HeldJob.init), for: worker("w"), stats: WorkerStats())
        try stepBack()
        _ = try queue.complete(old.map { Completion(id: $0.id, epoch: $0.epoch, received: 1) })
        #expect(try queue.claim(1, for: worker("w")).count == 1)
        let lease = "SELECT lease_until FROM netdash.job WHERE state = 'running'"
        let before = try queue.value(lease)
        #expect(try queue.reap(lease: 0) == 0)
        #expect(try queue.value(lease) == before)
    }

    @Test("The lease of a worker that has never said that it lives ends as soon")
    func leaseOfUnlisted() throws {
        #expect(try queue.claim(1, for: worker("lost")).count == 1)
        try stepBack()
        #expect(try queue.reap(lease: 0) == 0)
        let isSoon = "lease_until BETWEEN now() + interval '30 s' AND now() + interval '60 s'"
        #expect(try queue.value("SELECT \(isSoon) FROM netdash.job WHERE state = 'running'") == "t")
    }

    @Test("All jobs that wait for an attempt wait as long as they would have, however many they are")
    func manyWaits() throws {
        try queue.connection.run(
            """
            INSERT INTO netdash.job (host_id, url, dest, not_before)
            SELECT 1, 'http://h/' || n, 'many/' || n, now() + interval '1 min' FROM generate_series(1, 100001) n
            """)
        try stepBack()
        try queue.reap(lease: 0)
        let late = "SELECT count(*) FROM netdash.job WHERE not_before > now() + interval '1 min'"
        #expect(try queue.value(late) == "0")
    }

    @Test("Jobs that were added while the clock was ahead are claimed although no worker has seen its step")
    func addedAhead() throws {
        let hour = "now() + interval '1 hour'"
        try queue.connection.run("UPDATE netdash.host SET due = \(hour)")
        try queue.connection.run("UPDATE netdash.host SET not_before = \(hour) WHERE host = 'i'")
        try queue.connection.run("UPDATE netdash.job SET not_before = \(hour) WHERE url = 'http://k/d'")
        #expect(try queue.claim(9, for: worker("w")).isEmpty)
        try queue.reap(lease: 0)
        #expect(try queue.claim(9, for: worker("w")).map(\.host) == ["h", "h"])
        // What waits for a reason waits on.
        let waits = "SELECT bool_and(due > now() + interval '50 min') FROM netdash.host WHERE host IN ('i', 'k')"
        #expect(try queue.value(waits) == "t")
    }

    @Test("After a lease in which no worker has looked, as after a step of the clock forward, all leases begin anew")
    func forward() throws {
        let isOld = "SELECT now() > pg_postmaster_start_time() + interval '2 s'"
        try eventually("the server has not just started") { try queue.value(isOld) == "t" }
        let jobs = try queue.claim(2, for: worker("w"))
        // The clock stands still within a transaction.
        try queue.connection.run("BEGIN")
        try queue.connection.run(
            "UPDATE netdash.job SET lease_until = now() - interval '1 hour' WHERE state = 'running'")
        try queue.connection.run("UPDATE netdash.queue SET reaped = now() - interval '1 hour'")
        #expect(try queue.reap(lease: 1) == 0)
        let lasts = "SELECT count(*) FROM netdash.job WHERE lease_until = now() + interval '1 s'"
        #expect(try queue.value(lasts) == "2")
        try queue.connection.run("COMMIT")
        #expect(try queue.beat(jobs.map(HeldJob.init), for: worker("w"), stats: WorkerStats()).count == 2)
        // A look in time frees them.
        try queue.connection.run("BEGIN")
        try queue.connection.run(
            "UPDATE netdash.job SET lease_until = now() - interval '1 ms' WHERE state = 'running'")
        try queue.connection.run("UPDATE netdash.queue SET reaped = now() - interval '500 ms'")
        #expect(try queue.reap(lease: 1) == 2)
        try queue.connection.run("COMMIT")
    }

    @Test("A look that another transaction's later moment has just preceded is no step")
    func noStep() throws {
        try queue.hold("i", seconds: 600)
        try queue.connection.run("UPDATE netdash.queue SET reaped = now() + interval '500 ms'")
        let before = try queue.value("SELECT not_before FROM netdash.host WHERE host = 'i'")
        try queue.reap(lease: 0)
        #expect(try queue.value("SELECT not_before FROM netdash.host WHERE host = 'i'") == before)
    }
}
