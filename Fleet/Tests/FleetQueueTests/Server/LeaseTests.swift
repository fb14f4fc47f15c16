import Testing

@testable import FleetQueue

@Suite("Leases, epochs and reports", needsServer, .timeLimit(.minutes(10)))
struct LeaseTests {
    private let queue: FleetQueue
    private let late: FleetQueue

    init() throws {
        let test = try TestQueue()
        queue = try test.open()
        late = try test.open()
        try queue.add(text: "http://h/a\nhttp://h/b")
    }

    /// Ends all leases without waiting for it.
    private func expire() throws {
        try queue.connection.run("UPDATE netdash.job SET lease_until = now() - interval '1 s' WHERE state = 'running'")
        try queue.connection.run("UPDATE netdash.queue SET reaped = '-infinity'")
    }

    @Test("A late worker can neither renew nor complete what another one has claimed")
    func fencing() throws {
        let old = try late.claim(2, for: worker("late"))
        try expire()
        #expect(try queue.reap(lease: 0) == 2)
        let new = try queue.claim(2, for: worker("new"))
        #expect(new.allSatisfy { $0.epoch > 1 })
        #expect(try late.beat(old.map(HeldJob.init), for: worker("late"), stats: WorkerStats()).isEmpty)
        #expect(try late.complete(old.map { Completion(id: $0.id, epoch: $0.epoch, received: 1) }).isEmpty)
        #expect(try late.fail(old.map { Failure(id: $0.id, epoch: $0.epoch, cause: "x", isFinal: true) }).isEmpty)
        #expect(try late.handBack(old.map { HandBack(id: $0.id, epoch: $0.epoch) }).isEmpty)
        #expect(try queue.complete(new.map { Completion(id: $0.id, epoch: $0.epoch, received: 1) }).count == 2)
        #expect(try queue.count(.done) == 2)
    }

    @Test("A lease that has run out is renewed while no other worker has the job")
    func renewed() throws {
        let jobs = try late.claim(2, for: worker("late"))
        try expire()
        #expect(try late.beat(jobs.map(HeldJob.init), for: worker("late"), stats: WorkerStats()).count == 2)
        #expect(try queue.reap(lease: 0) == 0)
    }

    @Test("Nothing expires in the first lease after the server's start, because workers come back first")
    func grace() throws {
        _ = try late.claim(2, for: worker("late"))
        try expire()
        #expect(try queue.reap(lease: 3600 * 24 * 365) == 0)
        #expect(try queue.count(.running) == 2)
    }

    @Test("A job whose workers vanish again and again is dead")
    func lapses() throws {
        try queue.connection.run("UPDATE netdash.job SET lapses = 9 WHERE dest = 'a'")
        _ = try late.claim(2, for: worker("late"))
        try expire()
        #expect(try queue.reap(lease: 0) == 2)
        #expect(try queue.value("SELECT cause FROM netdash.job WHERE state = 'dead'") == "lease expired 10 times")
        #expect(try queue.count(.waiting) == 1)
    }

    @Test("A job that is to be paused when its worker vanishes once more is paused, and has not ended")
    func lapsesOfPaused() throws {
        let jobs = try late.claim(2, for: worker("late"))
        try queue.connection.run("UPDATE netdash.job SET lapses = 9, cause = 'reset', cause_kind = 'lost'")
        let (paused, cancelled) = (jobs[0].id, jobs[1].id)
        _ = try queue.wish(.pause, for: [paused])
        _ = try queue.wish(.cancel, for: [cancelled])
        try expire()
        #expect(try queue.reap(lease: 0) == 2)
        let row = "SELECT concat_ws(' ', state, cause, cause_kind, ended IS NOT NULL) FROM netdash.job WHERE id = "
        #expect(try queue.value(row + "\(paused)") == "paused reset lost f")
        #expect(try queue.value(row + "\(cancelled)") == "cancelled reset lost t")
    }

    @Test("A failure that comes after its job's lease has ended is no repeated one, whatever failed before")
    func failureAfterLease() throws {
        let first = try #require(try late.claim(1, for: worker("late")).first)
        try late.fail([Failure(id: first.id, epoch: first.epoch, cause: "timed out", isFinal: false)], base: 0)
        try queue.connection.run("UPDATE netdash.host SET due = now()")
        let second = try #require(try late.claim(2, for: worker("late")).first { $0.id == first.id })
        try expire()
        #expect(try queue.reap(lease: 0) == 2)
        let report = Failure(id: second.id, epoch: second.epoch, cause: "timed out", isFinal: false)
        #expect(try late.fail([report]).isEmpty)
        #expect(try queue.value("SELECT attempts FROM netdash.job WHERE id = \(first.id)") == "1")
    }

    @Test("A repeated completion is still this worker's own")
    func repeated() throws {
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        let report = [Completion(id: job.id, epoch: job.epoch, received: 7, result: #"{"etag":"\"q\\"}"#)]
        #expect(try queue.complete(report) == [job.id])
        #expect(try queue.complete(report) == [job.id])
        #expect(try queue.value("SELECT result->>'etag' FROM netdash.job WHERE id = \(job.id)") == "\"q\\")
    }

    @Test("A repeated failure counts once, and is told as it was counted", arguments: [true, false])
    func repeatedFailure(isCounted: Bool) throws {
        let jobs = try queue.claim(2, for: worker("w"))
        let job = try #require(jobs.first)
        let report = Failure(id: job.id, epoch: job.epoch, cause: "reset", isFinal: false, isRefusal: !isCounted)
        #expect(try queue.fail([report]) == [job.id: isCounted])
        #expect(try queue.fail([report]) == [job.id: isCounted], "its answer was lost")
        let attempts = "SELECT attempts FROM netdash.job WHERE id = \(job.id)"
        #expect(try queue.value(attempts) == (isCounted ? "1" : "0"))
        // Another worker's lease has ended without a failure.
        let other = try #require(jobs.last)
        try expire()
        #expect(try queue.reap(lease: 0) == 1)
        let late = Failure(id: other.id, epoch: other.epoch, cause: "reset", isFinal: false)
        #expect(try queue.fail([report, late]) == [job.id: isCounted])
    }

    @Test("A result that is no JSON of PostgreSQL is left out, and the job is done")
    func refusedResult() throws {
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        let report = Completion(id: job.id, epoch: job.epoch, received: 1, result: #"{"etag":"\u0000"}"#)
        #expect(try queue.complete([report]) == [job.id])
        #expect(try queue.value("SELECT result IS NULL FROM netdash.job WHERE id = \(job.id)") == "t")
    }

    @Test("After the last attempt a job is dead, with its cause, and retry returns it")
    func dead() throws {
        try queue.connection.run("UPDATE netdash.queue SET tries = 2")
        for attempt in 1...2 {
            let job = try #require(try queue.claim(1, for: worker("w")).first)
            try queue.fail(
                [Failure(id: job.id, epoch: job.epoch, cause: JobCause("reset \(attempt)"), isFinal: false)], base: 0)
            try queue.connection.run("UPDATE netdash.job SET state = 'paused' WHERE id <> \(job.id)")
        }
        #expect(try queue.value("SELECT cause FROM netdash.job WHERE state = 'dead'") == "reset 2")
        #expect(try queue.retry(RetryFilter(cause: "other")) == 0)
        #expect(try queue.retry(RetryFilter(host: "h", cause: "RESET")) == 1)
        #expect(try queue.claim(1, for: worker("w")).map(\.attempts) == [0])
    }

    @Test("A refused connection is no attempt before its host's waits are longer than five minutes")
    func refusals() throws {
        try queue.connection.run("UPDATE netdash.queue SET tries = 2")
        for round in 0..<8 {
            let job = try #require(try queue.claim(1, for: worker("w")).first)
            try queue.hold("h", seconds: nil)
            let counted = try queue.fail(
                [Failure(id: job.id, epoch: job.epoch, cause: "refused", isFinal: false, isRefusal: true)], base: 0)
            let expected = round < 6 ? 0 : round - 5
            #expect(counted == [job.id: expected > 0], "round \(round)")
            #expect(try queue.value("SELECT attempts FROM netdash.job WHERE id = \(job.id)") == "\(expected)")
            try queue.connection.run("UPDATE netdash.job SET state = 'paused' WHERE id <> \(job.id)")
            try queue.connection.run("UPDATE netdash.host SET not_before = now(), due = now()")
        }
        #expect(try queue.value("SELECT cause FROM netdash.job WHERE state = 'dead'") == "refused")
    }

    /// Makes a hold last for the rest of the test, however long that takes.
    private func prolongHold() throws {
        try queue.connection.run("UPDATE netdash.host SET not_before = not_before + interval '1 hour'")
    }

    @Test("A refusal of one worker's request holds the host for all, and longer each time")
    func hold() throws {
        try late.listen(probe: "late")
        let jobs = try queue.claim(1, for: worker("w"))
        let held = try late.claim(1, for: worker("late"))
        try queue.handBack(jobs.map { HandBack(id: $0.id, epoch: $0.epoch) })
        try queue.hold("h", seconds: nil)
        try prolongHold()
        #expect(try late.claim(5, for: worker("late")).isEmpty)
        #expect(try late.look(at: held.map(HeldJob.init)).map(\.isHostHeld) == [true])
        try eventually("the notice arrives") { try late.notices().contains("hold h") }
        try queue.hold("h", seconds: nil)
        #expect(try queue.value("SELECT backoff = interval '5 s' FROM netdash.host") == "t", "it was held already")
        try queue.connection.run("UPDATE netdash.host SET not_before = now()")
        // In a transaction it is one moment for both.
        try queue.connection.run("BEGIN")
        try queue.hold("h", seconds: nil)
        #expect(try queue.value("SELECT backoff = interval '10 s' FROM netdash.host") == "t")
        #expect(try queue.value("SELECT not_before = now() + interval '10 s' FROM netdash.host") == "t")
        try queue.connection.run("COMMIT")
        // A shorter wish of the host does not shorten the wait.
        try prolongHold()
        let end = try queue.value("SELECT not_before FROM netdash.host")
        try queue.hold("h", seconds: 1)
        #expect(try queue.value("SELECT not_before FROM netdash.host") == end)
        // A new job of the host does not end it either.
        try queue.add(text: "http://h/c")
        #expect(try queue.claim(5, for: worker("w")).isEmpty)
        // Success ends the growing of the waits.
        _ = try late.complete(held.map { Completion(id: $0.id, epoch: $0.epoch, received: 1) })
        #expect(try queue.value("SELECT backoff = '0' FROM netdash.host") == "t")
    }

    @Test("A host that names a time is held for a second at least, and its waits do not grow by it")
    func holdWithTime() throws {
        for round in 1...5 {
            // In a transaction it is one moment for both.
            try queue.connection.run("BEGIN")
            try queue.hold("h", seconds: 0)
            #expect(try queue.value("SELECT not_before = now() + interval '1 s' FROM netdash.host") == "t", "\(round)")
            try queue.connection.run("COMMIT")
            try queue.connection.run("UPDATE netdash.host SET not_before = now()")
        }
        try queue.connection.run("BEGIN")
        try queue.hold("h", seconds: nil)
        #expect(try queue.value("SELECT not_before = now() + interval '5 s' FROM netdash.host") == "t")
        try queue.connection.run("COMMIT")
        // The same for a host that the queue does not know.
        #expect(try queue.hold("new", seconds: 0) == 1)
        #expect(try queue.value("SELECT backoff = '0' FROM netdash.host WHERE host = 'new'") == "t")
    }

    @Test("Wishes count at once for waiting jobs, and by the worker for running ones")
    func wishes() throws {
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        let waiting = try #require(try queue.page(after: 0, state: .waiting).first)
        #expect(try queue.wish(.pause, for: [job.id, waiting.id]) == 2)
        #expect(try queue.count(.paused) == 1)
        let answer = LeaseAnswer(id: job.id, wish: .pause)
        #expect(try queue.beat([HeldJob(job)], for: worker("w"), stats: WorkerStats()) == [answer])
        try queue.handBack([HandBack(id: job.id, epoch: job.epoch, received: 5)])
        #expect(try queue.count(.paused) == 2)
        #expect(try queue.wish(.run, for: [job.id]) == 1)
        #expect(try queue.claim(5, for: worker("w")).map(\.id) == [job.id])
        #expect(try queue.wish(.cancel, for: [waiting.id]) == 1)
        #expect(try queue.count(.cancelled) == 1)
    }
}
