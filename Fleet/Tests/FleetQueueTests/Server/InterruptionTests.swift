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

    /// A runner of which one host's jobs fail and another one's find their files open.
    private final class FailingRunner: TransferRunner {
        private var reports: [JobReport] = []

        func start(_ job: ClaimedJob) {
            reports.append(.failed(job.id, job.host == "h" ? .again("reset") : .inUse("open")))
        }
        func stop(_ id: Int64) {}
        func takeReports() -> [JobReport] {
            defer { reports = [] }
            return reports
        }
    }

    @Test("A failure that the queue has taken is told and counted once, however often the next report is ended")
    func endedHandBack() throws {
        let parameters = "bigint[], bigint[], bigint[], text[], text[], interval[]"
        try queue.connection.run("CREATE SEQUENCE netdash.calls")
        try queue.connection.run("ALTER FUNCTION netdash.hand_back(\(parameters)) RENAME TO usual_hand_back")
        try queue.connection.run(
            """
            CREATE FUNCTION netdash.hand_back(\(parameters)) RETURNS SETOF bigint LANGUAGE plpgsql AS $$ BEGIN
                PERFORM nextval('netdash.calls');
                RAISE EXCEPTION 'ended' USING ERRCODE = '57014';
            END $$
            """)
        let (bell, name) = (try Bell(), WorkerIdentity(name: "w", slots: 4))
        var lines: [String] = []
        let worker = FleetWorker(try test.address, as: name, runner: FailingRunner(), bell: bell) { lines.append($0) }
        var isMended = false
        try worker.run {
            guard !isMended, let calls = try? queue.value("SELECT last_value FROM netdash.calls"), calls == "3" else {
                return isMended ? .finish : .work
            }
            _ = try? queue.connection.run("DROP FUNCTION netdash.hand_back(\(parameters))")
            _ = try? queue.connection.run(
                "ALTER FUNCTION netdash.usual_hand_back(\(parameters)) RENAME TO hand_back")
            isMended = true
            return .work
        }
        #expect(lines.count { $0 == WorkerLines.failed(1, "reset", false) } == 1, "\(lines)")
        #expect(lines.count { $0.hasPrefix("Job 3 waits") } == 1 && lines.count { $0 == WorkerLines.back } == 1)
        #expect(lines.count { $0.contains("retrying in") } == 1, "the same reason is said once")
        #expect(lines.last == WorkerLines.ended(done: 0, failed: 2))
    }
}
