import Foundation
import Testing

@testable import FleetQueue

/// Each test has a server of its own, which it stops.
@Suite("Outages of PostgreSQL", needsServer, .timeLimit(.minutes(10)))
struct OutageTests {
    private func add(_ count: Int, to test: TestQueue) throws {
        try test.open().add(text: (0..<count).map { "http://h\($0 % 10)/\($0)" }.joined(separator: "\n"))
    }

    /// Ends workers that do not drain: one that did could be done before the server stops.
    private func finish(_ workers: [SimulatedWorker], after count: Int, of test: TestQueue) throws {
        let queue = try test.open()
        try eventually("all is done") { try queue.count(.done) == count }
        for worker in workers {
            eventually("it is back") { worker.process.output.contains(WorkerLines.back) }
            worker.process.send(SIGTERM)
            #expect(worker.process.wait() == 0, "\(worker.process.output)")
        }
    }

    @Test("PostgreSQL crashes and restarts during claims: workers come back, and each file is placed once")
    func restart() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        let folder = try SimulatedFolder()
        try add(600, to: test)
        let workers = try (1...2).map {
            try SimulatedWorker(
                "w\($0)", on: test, slots: 8, lease: 3, milliseconds: 10, folder: folder.path, drains: false)
        }
        for round in 1...2 {
            eventually("jobs are done") { folder.count("placed") > round * 100 }
            try server.stop()
            try server.start()
        }
        try finish(workers, after: 600, of: test)
        #expect(try test.open().status().jobs == ["done": 600])
        #expect(folder.count("placed") == 600 && folder.files == 600)
    }

    @Test("A worker that is told twice ends without a database too, and its jobs become free by their leases")
    func stopsWithoutServer() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        try add(5, to: test)
        let worker = try SimulatedWorker("w", on: test, slots: 4, lease: 2, milliseconds: 3_600_000, drains: false)
        let queue = try test.open()
        try eventually("it has jobs") { try queue.count(.running) == 5 }
        try server.stop()
        eventually("it notices") { worker.process.output.contains("retrying in") }
        worker.process.send(SIGTERM)
        eventually("it has heard") { worker.process.output.contains(WorkerLines.stopping) }
        worker.process.send(SIGTERM)
        #expect(worker.process.wait() == 0, "\(worker.process.output)")
        #expect(worker.process.output.contains(WorkerLines.untold(5)))
        try server.start()
        let other = try SimulatedWorker("other", on: test, lease: 2)
        #expect(other.process.wait() == 0, "\(other.process.output)")
        #expect(try test.open().status().jobs == ["done": 5])
    }

    @Test("A worker says that the server stalls, hears its signals meanwhile, and reports when the server goes on")
    func frozen() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        // More than both can do in minutes.
        try add(10_000, to: test)
        let workers = try (1...2).map {
            try SimulatedWorker("w\($0)", on: test, slots: 4, lease: 30, milliseconds: 200, drains: false)
        }
        let queue = try test.open()
        try eventually("both work") { try queue.value("SELECT count(*) FROM netdash.job WHERE worker = 'w2'") != "0" }
        try eventually("one has ended some") { try queue.count(.done) > 4 }
        server.freeze()
        for worker in workers { eventually("it says so") { worker.process.output.contains("has not answered") } }
        // One is told to end, and the other one is told twice: it gives up what it cannot report.
        workers[0].process.send(SIGTERM)
        workers[1].process.send(SIGTERM)
        for worker in workers { eventually("it hears") { worker.process.output.contains(WorkerLines.stopping) } }
        workers[1].process.send(SIGTERM)
        #expect(workers[1].process.wait() == 0, "\(workers[1].process.output)")
        server.thaw()
        #expect(workers[0].process.wait() == 0, "\(workers[0].process.output)")
        #expect(workers[0].process.output.contains(WorkerLines.answers), "\(workers[0].process.output)")
        #expect(try queue.value("SELECT count(*) FROM netdash.job WHERE worker = 'w1' AND state = 'running'") == "0")
    }

    @Test("A worker without jobs ends with one signal while the server stalls: it has nothing to report")
    func frozenIdle() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        let workers = try (1...2).map { try SimulatedWorker("w\($0)", on: test, drains: false) }
        let queue = try test.open()
        try eventually("both have begun") { try queue.value("SELECT count(*) FROM netdash.worker") == "2" }
        server.freeze()
        let told = FleetClock.now()
        workers[0].process.send(SIGTERM)
        eventually("the other one says so") { workers[1].process.output.contains("has not answered") }
        workers[1].process.send(SIGTERM)
        for worker in workers { #expect(worker.process.wait() == 0, "\(worker.process.output)") }
        #expect(FleetClock.now() - told < 20)
    }

    @Test("A list that is added and jobs that are exported wait for a stalled server no longer than for an answer")
    func frozenCopies() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        try test.connect().run("CREATE TABLE lines (line text)")
        /// A server may need more than the second to begin a process for it.
        func connect() throws -> DatabaseConnection {
            var connection: DatabaseConnection?
            eventually("it connects in time") {
                connection = try? DatabaseConnection(try test.address, role: "test", patience: 1)
                return connection != nil
            }
            return try #require(connection)
        }
        let (reading, writing) = (try connect(), try connect())
        let line = [UInt8](repeating: 0x61, count: 65_535) + [0x0A]
        let began = FleetClock.now()
        #expect(throws: FleetError(.away, QueueErrors.away(QueueErrors.noAnswer(seconds: 1)))) {
            try reading.copyOut("COPY (SELECT repeat('a', 1000) FROM generate_series(1, 1000000)) TO STDOUT") { _ in
                server.freeze()
            }
        }
        server.thaw()
        #expect(throws: FleetError(.away, QueueErrors.away(QueueErrors.noAnswer(seconds: 1)))) {
            try writing.copyIn("COPY lines FROM STDIN") {
                server.freeze()
                return line
            }
        }
        server.thaw()
        #expect(FleetClock.now() - began < 30)
    }

    /// The daily run has the minute.
    private static let outage = isLongRun ? 60.0 : 3.0

    @Test("PostgreSQL is away for a while: running jobs go on, and none is claimed again when it is back")
    func away() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        let folder = try SimulatedFolder()
        try add(400, to: test)
        // A lease is longer than the longest wait between two tries to connect.
        let workers = try (1...2).map {
            try SimulatedWorker(
                "w\($0)", on: test, slots: 8, lease: 15, milliseconds: 20, folder: folder.path, drains: false)
        }
        eventually("jobs are done") { folder.count("placed") > 50 }
        try server.stop()
        let end = FleetClock.now() + Self.outage
        for worker in workers {
            eventually("it notices") { worker.process.output.contains("retrying in") }
        }
        // What was claimed before is placed without the server.
        let placed = folder.count("placed")
        while FleetClock.now() < end { usleep(100_000) }
        #expect(folder.count("placed") - placed <= 20)
        try server.start()
        try finish(workers, after: 400, of: test)
        #expect(try test.open().status().jobs == ["done": 400])
        #expect(folder.count("placed") == 400 && folder.count("seen") == 0 && folder.files == 400)
    }

    @Test("A worker that finds no free connection waits for one")
    func connections() throws {
        let server = try TestServer(settings: "-c max_connections=5 -c superuser_reserved_connections=0")
        let test = try TestQueue(on: server)
        try add(20, to: test)
        let worker = try SimulatedWorker("w", on: test, milliseconds: 50, drains: false)
        eventually("it works") { worker.process.output.contains("started") }
        // The worker sleeps while all connections are taken.
        worker.process.send(SIGSTOP)
        try server.stop()
        try server.start()
        var taken: [DatabaseConnection] = []
        while let next = try? test.connect() { taken.append(next) }
        #expect(taken.count == 5)
        let before = try refusals(in: server)
        worker.process.send(SIGCONT)
        try eventually("the worker is refused") { try refusals(in: server) > before }
        taken.removeAll()
        // A connection that was closed a moment ago may still be counted.
        eventually("it works again") { (try? test.open().count(.done)) == 20 }
        worker.process.send(SIGTERM)
        #expect(worker.process.wait() == 0, "\(worker.process.output)")
    }

    /// The number of refused connections in the server's log.
    private func refusals(in server: TestServer) throws -> Int {
        let log = try String(contentsOfFile: server.folder + "/log", encoding: .utf8)
        return log.components(separatedBy: "too many clients").count
    }

    @Test(
        "After a failover to an empty standby a worker ends, says so, and records nothing there",
        arguments: [true, false])
    func emptyStandby(hasQueue: Bool) throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        try add(50, to: test)
        let worker = try SimulatedWorker("w", on: test, milliseconds: 20, drains: false)
        try eventually("it works") { try test.open().count(.done) > 4 }
        // The worker's next question finds its connection cut and the other queue in place.
        worker.process.send(SIGSTOP)
        let connection = try test.connect()
        let cut = try connection.run(
            """
            SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity
            WHERE application_name = 'netdash-fleet worker'
            """)
        try #require(cut.count > 0 && (0..<cut.count).allSatisfy { cut.isTrue($0, 0) })
        if hasQueue {
            try connection.run("UPDATE netdash.queue SET id = gen_random_uuid()")
            try connection.run("UPDATE netdash.job SET state = 'waiting', epoch = 0")
        } else {
            try connection.run("DROP SCHEMA netdash CASCADE")
        }
        worker.process.send(SIGCONT)
        #expect(worker.process.wait() == 1)
        let text = hasQueue ? QueueErrors.otherQueue : QueueErrors.noQueue
        #expect(worker.process.output.contains(text), "\(worker.process.output)")
        if hasQueue { #expect(try test.open().status().jobs == ["waiting": 50]) }
    }

    @Test("Without a server a worker ends with the reason")
    func noServer() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        try server.stop()
        let worker = try SimulatedWorker("w", on: test)
        #expect(worker.process.wait() == 1)
        #expect(worker.process.output.contains("No such file or directory"))
    }
}
