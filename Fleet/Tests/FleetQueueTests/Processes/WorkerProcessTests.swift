import Foundation
import Testing

@testable import FleetQueue

@Suite("Workers as processes", needsServer, .timeLimit(.minutes(10)))
struct WorkerProcessTests {
    private let test: TestQueue
    private let queue: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
    }

    private func add(_ count: Int, hosts: Int = 10) throws {
        let counts = try queue.add(text: (0..<count).map { "http://h\($0 % hosts)/\($0)" }.joined(separator: "\n"))
        #expect(counts.added == count)
    }

    @Test("Three workers drain a queue, and each file is placed once")
    func drain() throws {
        let folder = try SimulatedFolder()
        try add(1000)
        let workers = try (1...3).map { try SimulatedWorker("w\($0)", on: test, slots: 8, folder: folder.path) }
        for worker in workers { #expect(worker.process.wait() == 0, "\(worker.process.output)") }
        #expect(try queue.status().jobs == ["done": 1000])
        #expect(folder.count("placed") == 1000 && folder.files == 1000)
        #expect(try queue.status().workers.isEmpty, "they have left")
    }

    @Test("A worker that ends with the queue tells the others, which may wait for its last job")
    func end() throws {
        try queue.listen(probe: "here")
        try eventually("notices arrive") { try queue.notices().contains("here") }
        let one = try SimulatedWorker("w", on: test)
        #expect(one.process.wait() == 0, "\(one.process.output)")
        try eventually("the end is told") { try queue.notices().contains("work") }
    }

    @Test("A killed worker's jobs go to another one when their lease has run out, and each file is placed once")
    func killed() throws {
        let folder = try SimulatedFolder()
        try add(400)
        let other = try SimulatedWorker("other", on: test, lease: 1, milliseconds: 2, folder: folder.path)
        for round in 1...3 {
            let victim = try SimulatedWorker("v\(round)", on: test, lease: 1, milliseconds: 30, folder: folder.path)
            try eventually("the victim has jobs") {
                let count = try queue.value(
                    "SELECT count(*) FROM netdash.job WHERE state = 'running' AND worker = 'v\(round)'")
                return try count != "0" || queue.count(.waiting) == 0
            }
            victim.process.send(SIGKILL)
            victim.process.wait()
        }
        #expect(other.process.wait() == 0, "\(other.process.output)")
        #expect(try queue.status().jobs == ["done": 400])
        #expect(folder.count("placed") == 400 && folder.files == 400)
    }

    @Test("A worker that was stopped past its lease loses its jobs, says so, and goes on")
    func stopped() throws {
        let folder = try SimulatedFolder()
        try add(8, hosts: 1)
        // Long enough that it is stopped before its first job ends.
        let late = try SimulatedWorker("late", on: test, lease: 1, milliseconds: 10_000, folder: folder.path)
        try eventually("the late worker has jobs") { try queue.count(.running) > 0 }
        late.process.send(SIGSTOP)
        let other = try SimulatedWorker("other", on: test, lease: 1, folder: folder.path)
        #expect(other.process.wait() == 0, "\(other.process.output)")
        #expect(try queue.status().jobs == ["done": 8])
        let taken = "SELECT count(*) FROM netdash.job WHERE worker = 'other' AND lapses = 1"
        let winners = try queue.value(taken)
        #expect(winners != "0")
        late.process.send(SIGCONT)
        #expect(late.process.wait() == 0, "\(late.process.output)")
        #expect(try queue.value(taken) == winners)
        #expect(folder.count("placed") == 8 && folder.files == 8)
    }

    @Test("A worker that is told to stop ends its running jobs and hands back the others")
    func finish() throws {
        // More than it can end before it is told.
        try add(500, hosts: 1)
        let one = try SimulatedWorker("w", on: test, slots: 4, milliseconds: 300, drains: false)
        try eventually("it has jobs") { try queue.count(.running) == 5 }
        one.process.send(SIGTERM)
        #expect(one.process.wait() == 0, "\(one.process.output)")
        #expect(try queue.count(.running) == 0)
        #expect(try queue.count(.done) + queue.count(.waiting) == 500)
        #expect(try queue.value("SELECT bool_and(attempts = 0 AND lapses = 0) FROM netdash.job") == "t")
        #expect(one.process.output.contains(WorkerLines.stopping))
    }

    @Test("A second signal parks running jobs for other workers")
    func park() throws {
        try add(5, hosts: 1)
        let one = try SimulatedWorker("w", on: test, slots: 4, milliseconds: 3_600_000, drains: false)
        try eventually("it has jobs") { try queue.count(.running) == 5 }
        one.process.send(SIGTERM)
        try eventually("the unstarted job is back") { try queue.count(.waiting) == 1 }
        one.process.send(SIGTERM)
        #expect(one.process.wait() == 0, "\(one.process.output)")
        #expect(try queue.count(.waiting) == 5)
        #expect(try queue.value("SELECT count(*) FROM netdash.job WHERE received = 1") == "4")
    }

    @Test("A host that answers 429 is asked by no worker until its time, and others are")
    func busyHost() throws {
        try queue.add(text: (0..<40).map { "http://\($0 % 2 == 0 ? "busy" : "h")/\($0)" }.joined(separator: "\n"))
        let workers = try (1...2).map {
            try SimulatedWorker("w\($0)", on: test, slots: 2, milliseconds: 5, drains: false)
        }
        try eventually("the other host is done") { try queue.count(.done) == 20 }
        try eventually("the busy host's jobs are back") { try queue.count(.waiting) == 20 }
        let busy = "(SELECT * FROM netdash.host WHERE host = 'busy') h"
        let jobs = "netdash.job j JOIN \(busy) ON h.id = j.host_id"
        #expect(try queue.value("SELECT sum(j.attempts) FROM \(jobs)") == "0")
        #expect(try queue.value("SELECT h.not_before > now() + interval '500 s' FROM \(busy)") == "t")
        // Each worker had at most its five jobs when the first answer came.
        #expect(try queue.value("SELECT sum(j.epoch) <= 10 FROM \(jobs)") == "t")
        for worker in workers {
            // The other one may have done all of this.
            eventually("it listens to signals") { worker.process.output.contains("started") }
            worker.process.send(SIGTERM)
            #expect(worker.process.wait() == 0, "\(worker.process.output)")
        }
        // A worker that was refused says so, once for all of its refusals.
        let outputs = workers.map(\.process.output)
        let lines = outputs.map { $0.split(separator: "\n").count { $0.contains(" to busy for 600 s: ") } }
        #expect(lines.contains(1) && lines.allSatisfy { $0 <= 1 }, "\(outputs)")
    }

    @Test("Poisoned rows become dead letters with their cause and hold nothing up")
    func poisoned() throws {
        try add(100)
        try queue.connection.run(
            """
            INSERT INTO netdash.job (host_id, url, dest, request, kind, priority) VALUES
                (1, 'nonsense', 'p1', NULL, 'download', 9),
                (1, 'http://h0/', '../../etc/passwd', NULL, 'download', 9),
                (1, 'http://u:p@h0/', 'p3', NULL, 'download', 9),
                (1, 'http://h0/', 'p4', json_build_object('header', ARRAY['A: ' || repeat('a', 1000000)]), 'download', 9),
                (1, 'http://h0/', 'p5', '{"a": 1}', 'download', 9),
                (1, 'http://h0/', 'p6', '{"header": ["Cookie: plain"]}', 'download', 9),
                (1, 'http://h0/', 'p7', NULL, 'sabotage', 9)
            """)
        let one = try SimulatedWorker("w", on: test)
        #expect(one.process.wait() == 0, "\(one.process.output)")
        #expect(try queue.status().jobs == ["done": 100, "dead": 7])
        let causes = Set(try queue.status().causes.map(\.cause))
        #expect(
            causes == [
                JobFaults.noScheme, JobFaults.traversal, JobFaults.userInfo, JobFaults.longField, JobFaults.badRequest,
                JobFaults.plainSecret("Cookie"), JobFaults.otherKind,
            ])
    }

    @Test("A failing job is tried again later, and is dead after its last attempt")
    func flaky() throws {
        try queue.connection.run("UPDATE netdash.queue SET tries = 1")
        try queue.add(text: "http://flaky/a\nhttp://gone/b\nhttp://h/c")
        let one = try SimulatedWorker("w", on: test)
        #expect(one.process.wait() == 0, "\(one.process.output)")
        #expect(try queue.status().causes.map(\.cause) == ["connection reset", "status 404"])
    }

    @Test("Workers with clocks an hour apart share a queue", .enabled(if: access("/usr/bin/faketime", X_OK) == 0))
    func clocks() throws {
        let folder = try SimulatedFolder()
        try add(300)
        let workers = try ["-1h", "+1h"].map { shift in
            try SimulatedWorker(
                "w\(shift)", on: test, folder: folder.path,
                through: ["/usr/bin/faketime", "-f", shift])
        }
        for worker in workers { #expect(worker.process.wait() == 0, "\(worker.process.output)") }
        #expect(try queue.status().jobs == ["done": 300])
        #expect(folder.count("placed") == 300)
        #expect(try queue.value("SELECT bool_and(epoch = 1 AND lapses = 0) FROM netdash.job") == "t")
    }

    @Test("A worker whose disk is full hands its jobs back and claims nothing, and others do the work")
    func fullDisk() throws {
        try add(60, hosts: 3)
        let full = try SimulatedWorker("full", on: test, drains: false, variables: ["SIMULATED_DISK": "full"])
        try eventually("it has met the obstacle") {
            try full.process.output.contains(WorkerLines.obstacle("no space left on device"))
                && queue.count(.waiting) == 60
        }
        let claims = try queue.value("SELECT sum(epoch) FROM netdash.job")
        let other = try SimulatedWorker("other", on: test)
        #expect(other.process.wait() == 0, "\(other.process.output)")
        #expect(try queue.status().jobs == ["done": 60])
        // The other one has claimed each job once, and the full one nothing more.
        #expect(try queue.value("SELECT sum(epoch) - 60 FROM netdash.job") == claims)
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
        full.process.send(SIGTERM)
        #expect(full.process.wait() == 0, "\(full.process.output)")
    }

    @Test("A worker ends when the queue's schema becomes newer, says so, and records nothing more")
    func newerSchema() throws {
        try add(2000)
        let one = try SimulatedWorker("w", on: test, lease: 3, milliseconds: 20, drains: false)
        try eventually("it works") { try queue.count(.done) > 10 }
        try queue.connection.run("UPDATE netdash.queue SET version = version + 1")
        #expect(one.process.wait() == 1)
        #expect(one.process.output.contains(QueueErrors.otherSchema("schema 2", known: 1)), "\(one.process.output)")
        let claims = try queue.value("SELECT sum(epoch) FROM netdash.job")
        let late = try SimulatedWorker("late", on: test)
        #expect(late.process.wait() == 1)
        #expect(late.process.output.contains(QueueErrors.otherSchema("schema 2", known: 1)))
        #expect(try queue.value("SELECT sum(epoch) FROM netdash.job") == claims)
    }
}
