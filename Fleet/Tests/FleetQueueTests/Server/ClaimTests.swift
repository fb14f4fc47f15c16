import Foundation
import Testing

@testable import FleetQueue

@Suite("Claims", needsServer, .timeLimit(.minutes(10)))
struct ClaimTests {
    private let test: TestQueue
    private let queue: FleetQueue
    private let other: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
        other = try test.open()
    }

    private func jobs(_ count: Int, host: String, priority: Int = 0) -> String {
        (0..<count).map { "http://\(host)/\(host)\(priority)-\($0)\n priority=\(priority)" }.joined(separator: "\n")
    }

    @Test("A job is claimed once, with a new epoch")
    func once() throws {
        try queue.add(text: jobs(3, host: "h"))
        let first = try queue.claim(10, for: worker("a"))
        #expect(first.map(\.epoch) == [1, 1, 1])
        #expect(first.map(\.destination).sorted() == ["h0-0", "h0-1", "h0-2"])
        #expect(try other.claim(10, for: worker("b")).isEmpty)
    }

    @Test("No host has more running jobs than its limit, whichever workers claim")
    func hostLimit() throws {
        try queue.add(text: jobs(30, host: "slow") + "\n" + jobs(30, host: "quick"))
        try queue.connection.run("UPDATE netdash.host SET active = 3 WHERE host = 'slow'")
        var claimed: [ClaimedJob] = []
        for _ in 0..<4 {
            claimed += try queue.claim(7, for: worker("a"))
            claimed += try other.claim(7, for: worker("b"))
        }
        #expect(claimed.count { $0.host == "slow" } == 3)
        #expect(claimed.count { $0.host == "quick" } == 16)
    }

    @Test("A host's jobs are counted only when its limit may be near, and the limit holds")
    func counted() throws {
        try queue.add(text: jobs(20, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET active = 10")
        var counts: [Int] = []
        for _ in 0..<4 {
            let jobs = try queue.claim(4, for: worker("a"))
            counts.append(jobs.count)
            guard let job = jobs.first else { continue }
            #expect(try queue.complete([Completion(id: job.id, epoch: job.epoch, received: 1)]) == [job.id])
        }
        // Before the third claim there may be eight, and six are counted; before the fourth one nine.
        #expect(counts == [4, 4, 4, 1])
        #expect(try queue.value("SELECT running_at_most FROM netdash.host") == "10")
    }

    @Test("A job that ends makes room at a full host at once")
    func roomAgain() throws {
        try queue.add(text: jobs(3, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET active = 1")
        let job = try #require(try queue.claim(5, for: worker("a")).first)
        #expect(try queue.claim(5, for: worker("a")).isEmpty)
        #expect(try queue.complete([Completion(id: job.id, epoch: job.epoch, received: 1)]) == [job.id])
        #expect(try other.claim(5, for: worker("b")).count == 1)
    }

    @Test("What an exchange completes makes room for what it claims, also where the server refuses a result")
    func exchange() throws {
        try queue.add(text: jobs(4, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET active = 1")
        var jobs = try queue.exchange([], claiming: 5, for: worker("a")).jobs
        for result in [nil, #"{"status":200}"#, #"{"etag":"\u0000"}"#] {
            let job = try #require(jobs.first)
            let lost = Completion(id: job.id, epoch: job.epoch + 7, received: 1)
            let report = Completion(id: job.id, epoch: job.epoch, received: 3, result: result)
            #expect(try queue.exchange([lost], claiming: 5, for: worker("a")) == ([], []))
            let answer = try queue.exchange([report], claiming: 5, for: worker("a"))
            #expect(answer.taken == [job.id] && answer.jobs.count == 1 && answer.jobs.first?.epoch == 1)
            jobs = answer.jobs
        }
        let job = try #require(jobs.first)
        let last = try queue.exchange([Completion(id: job.id, epoch: 1, received: 3)], claiming: 0, for: worker("a"))
        #expect(last == ([job.id], []))
        #expect(try queue.count(.done) == 4)
        #expect(try queue.value("SELECT count(result) FROM netdash.job") == "1")
    }

    @Test("A claim waits for its only host, which another claim has locked, and has its jobs then")
    func busyHost() throws {
        try queue.add(text: jobs(3, host: "h"))
        let patient = Schema.claimFunction.replacing(Schema.longestHostWait, with: "10min")
        try queue.connection.run(patient.replacing("CREATE FUNCTION", with: "CREATE OR REPLACE FUNCTION"))
        // The thread alone uses them after its start.
        nonisolated(unsafe) let lock = try test.connect()
        nonisolated(unsafe) let watch = try test.open()
        try lock.run("BEGIN")
        try lock.run("UPDATE netdash.host SET due = now() + '1 hour'")
        let waiting = """
            SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
            """
        Thread {
            try? eventually("the claim waits") { try watch.value(waiting) != "0" }
            _ = try? lock.run("COMMIT")
        }.start()
        // The lock's holder has not seen what this worker ended, so what it says of the host is counted again.
        #expect(try queue.claim(2, for: worker("a")).count == 2)
    }

    @Test("A host that stays locked costs neither a claim's reports nor a long wait")
    func lockedHost() throws {
        try queue.add(text: jobs(3, host: "h"))
        let job = try #require(try queue.claim(1, for: worker("a")).first)
        let lock = try test.connect()
        try lock.run("BEGIN")
        try lock.run("SELECT FROM netdash.host FOR UPDATE")
        let report = Completion(id: job.id, epoch: job.epoch, received: 1)
        let answer = try queue.exchange([report], claiming: 5, for: worker("a"))
        #expect(answer.taken == [job.id] && answer.jobs.isEmpty)
        try lock.run("COMMIT")
        #expect(try queue.claim(5, for: worker("a")).count == 2)
    }

    @Test("A worker's own limit per host leaves the host to others")
    func ownLimit() throws {
        try queue.add(text: jobs(10, host: "h"))
        let careful = worker("a", perHost: 2)
        #expect(try queue.claim(5, for: careful).count == 2)
        #expect(try queue.claim(5, for: careful).isEmpty)
        #expect(try other.claim(5, for: worker("b")).count == 5)
    }

    @Test("However many hosts are full for a worker, it claims the jobs of others")
    func manyFullHosts() throws {
        // The full ones come first, because their other jobs are more urgent.
        let urgent = (0..<100).map { jobs(2, host: "h\($0)", priority: 1) }
        try queue.add(text: (urgent + (0..<20).map { jobs(2, host: "i\($0)") }).joined(separator: "\n"))
        let careful = worker("a", slots: 120, perHost: 1)
        var book = WorkerBook(slots: 120, perHost: 1)
        for _ in 0..<12 {
            book.take(try queue.claim(10, for: careful, but: book.hosts(withJobs: 1)))
            _ = book.starts()
        }
        #expect(book.count(.running) == 120 && book.hosts(withJobs: 1).count == 120)
        #expect(book.hosts(withJobs: 2).isEmpty)
        book.take(.done(try #require(book.leased.first).job.id, received: 1, result: nil))
        #expect(book.hosts(withJobs: 1).count == 119)
    }

    @Test("A host with a gap gives one job, and the next one not before the gap")
    func gap() throws {
        try queue.add(text: jobs(5, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET gap = '1 hour'")
        #expect(try queue.claim(5, for: worker("a")).count == 1)
        #expect(try other.claim(5, for: worker("b")).isEmpty)
        try queue.connection.run("UPDATE netdash.host SET next_start = now(), due = now()")
        #expect(try other.claim(5, for: worker("b")).count == 1)
    }

    @Test("A late job of a host with a gap begins while its claim is the host's last start, or after the gap")
    func lateStart() throws {
        try queue.add(text: jobs(5, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET gap = '1 hour'")
        let first = try queue.claim(5, for: worker("a")).map(HeldJob.init)
        #expect(first.count == 1)
        #expect(try queue.begin(first) == ["h"], "its own start is unused")
        #expect(try queue.begin(first).isEmpty, "it is used now")
        #expect(try other.claim(5, for: worker("b")).isEmpty)
        try queue.connection.run("UPDATE netdash.host SET next_start = now(), due = now()")
        let second = try other.claim(5, for: worker("b")).map(HeldJob.init)
        #expect(try queue.begin(first).isEmpty)
        try queue.connection.run("UPDATE netdash.host SET next_start = now()")
        #expect(try queue.begin(first) == ["h"])
        #expect(try other.begin(second).isEmpty)
        try queue.connection.run("UPDATE netdash.host SET next_start = now(), not_before = now() + interval '1 hour'")
        #expect(try other.begin(second).isEmpty, "the host is held")
    }

    @Test("Claims come by priority, of hosts and within one")
    func priority() throws {
        try queue.add(text: jobs(2, host: "a") + "\n" + jobs(2, host: "b") + "\n" + jobs(1, host: "b", priority: 5))
        let jobs = try queue.claim(1, for: worker("w"))
        #expect(jobs.map(\.destination) == ["b5-0"])
    }

    @Test("A host's rate is shared by its running jobs")
    func rate() throws {
        try queue.add(text: jobs(4, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET rate = 4000")
        #expect(try queue.claim(4, for: worker("w")).map(\.rate) == [1000, 1000, 1000, 1000])
        #expect(try queue.shares(of: ["h", "i"]) == ["h": 1000])
    }

    @Test("A host's only job has its whole rate, and later ones share it")
    func wholeRate() throws {
        try queue.add(text: jobs(1, host: "h"))
        try queue.connection.run("UPDATE netdash.host SET rate = 4000")
        #expect(try queue.claim(20, for: worker("w")).map(\.rate) == [4000])
        try queue.add(text: jobs(1, host: "h", priority: 1))
        #expect(try other.claim(20, for: worker("v")).map(\.rate) == [2000])
        #expect(try queue.shares(of: ["h"]) == ["h": 2000])
        try queue.connection.run("UPDATE netdash.host SET rate = NULL")
        try queue.add(text: jobs(1, host: "h", priority: 2))
        #expect(try queue.claim(20, for: worker("w")).map(\.rate) == [nil])
        #expect(try queue.shares(of: ["h"]).isEmpty)
    }

    @Test("A job of the next attempt waits for its time, and others of the host do not")
    func delayed() throws {
        try queue.add(text: jobs(2, host: "h"))
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        try queue.fail([Failure(id: job.id, epoch: job.epoch, cause: "reset", isFinal: false)], base: 3600)
        let next = try queue.claim(5, for: worker("w"))
        #expect(next.count == 1 && next.first?.id != job.id)
        try queue.connection.run("UPDATE netdash.job SET not_before = now() WHERE id = \(job.id)")
        try queue.connection.run("UPDATE netdash.host SET due = now()")
        #expect(try queue.claim(5, for: worker("w")).map(\.attempts) == [1])
    }

    @Test("An older program's claim and beat are refused after a change of the schema")
    func otherSchema() throws {
        try queue.add(text: jobs(1, host: "h"))
        try queue.connection.run("UPDATE netdash.queue SET version = version + 1")
        let refused = FleetError(.otherSchema, QueueErrors.otherSchema("schema 2", known: 1))
        #expect(throws: refused) { try queue.claim(1, for: worker("w")) }
        #expect(throws: refused) { try queue.beat([], for: worker("w"), stats: WorkerStats()) }
    }
}
