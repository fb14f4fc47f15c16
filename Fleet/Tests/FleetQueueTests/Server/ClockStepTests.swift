import Testing

@testable import FleetQueue

/// A clock that was set back is a queue all of whose moments are ahead.
@Suite("A database's clock that is set back", needsServer, .timeLimit(.minutes(10)))
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

    @Test("A look that another transaction's later moment has just preceded is no step")
    func noStep() throws {
        try queue.hold("i", seconds: 600)
        try queue.connection.run("UPDATE netdash.queue SET reaped = now() + interval '500 ms'")
        let before = try queue.value("SELECT not_before FROM netdash.host WHERE host = 'i'")
        try queue.reap(lease: 0)
        #expect(try queue.value("SELECT not_before FROM netdash.host WHERE host = 'i'") == before)
    }
}
