import Foundation
import Testing

@testable import FleetQueue

@Suite("Statements that wait for locks, or are ended by the server", needsServer, .timeLimit(.minutes(10)))
struct InterruptionTests {
    private let test: TestQueue
    private let queue: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
        try queue.add(text: "http://h/a\nhttp://h/b\nhttp://i/c")
    }

    private static let waiting = """
        SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
        """

    /// Locks the jobs as the making of an index does.
    private func lockJobs() throws -> DatabaseConnection {
        let lock = try test.connect()
        try lock.run("BEGIN")
        try lock.run("LOCK TABLE netdash.job IN SHARE MODE")
        return lock
    }

    @Test("A claim waits for the making of an index, and has its jobs then")
    func index() throws {
        // The thread alone uses them after its start.
        nonisolated(unsafe) let lock = try lockJobs()
        nonisolated(unsafe) let watch = try test.open()
        Thread {
            // Longer than a claim waits for a busy host.
            let isLong = " AND query_start < clock_timestamp() - interval '100 ms'"
            try? eventually("the claim waits") { try watch.value(Self.waiting + isLong) != nil }
            _ = try? lock.run("COMMIT")
        }.start()
        #expect(try queue.claim(5, for: worker("a")).count == 3)
    }

    @Test("The short wait for a busy host is the claim's alone", arguments: [true, false])
    func limitOfHost(isBusy: Bool) throws {
        let lock = try test.connect()
        try lock.run("BEGIN")
        if isBusy { try lock.run("SELECT FROM netdash.host FOR UPDATE") }
        try queue.connection.run("SET lock_timeout = '7s'")
        try queue.connection.run("BEGIN")
        #expect(try queue.claim(5, for: worker("a")).isEmpty == isBusy)
        #expect(try queue.value("SHOW lock_timeout") == "7s")
        try queue.connection.run("COMMIT")
    }

    @Test("A worker whose statement the server has ended tries again", arguments: ["lock_timeout", nil])
    func endedStatement(setting: String?) throws {
        if let setting {
            try queue.connection.run("ALTER DATABASE \(test.database) SET \(setting) = '20ms'")
        }
        let lock = try lockJobs()
        let one = try SimulatedWorker("one", on: test)
        if setting == nil {
            try eventually("its claim waits, and is ended") {
                try queue.value("SELECT pg_cancel_backend(pid) FROM (\(Self.waiting)) w") == "t"
            }
        }
        eventually("it says so") { one.process.output.contains("retrying in") }
        try lock.run("COMMIT")
        #expect(one.process.wait() == 0, "\(one.process.output)")
        #expect(try queue.status().jobs == ["done": 3])
    }
}
