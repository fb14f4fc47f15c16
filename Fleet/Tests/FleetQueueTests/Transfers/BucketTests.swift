import Foundation
import LoopbackServer
import Testing

@testable import FleetQueue
@testable import FleetTransfers

/// The program's workers with a bucket of a real server that speaks S3.
@Suite("Workers with a bucket", needsServer, needsBucket, .timeLimit(.minutes(10)))
struct BucketTests {
    private let test: TestQueue
    private let queue: FleetQueue
    private let server = LoopbackServer()
    private let store: BucketServer
    private let spool: SimulatedFolder
    /// A file of three parts.
    private let large: Int64 = 40 << 20

    init() throws {
        test = try TestQueue()
        queue = try test.open()
        spool = try SimulatedFolder()
        store = try BucketServer()
        try server.start()
    }

    private func worker(_ words: String...) throws -> ChildProcess {
        let words = ["worker", "-d", "s3://\(store.name)/in", "--spool", spool.path] + words
        let environment = test.environment.merging(store.environment) { $1 }
        return try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: environment)
    }

    private func add(_ number: Int, count: Int64 = 10_240) throws {
        server.setRoute("/f\(number)", .file(seed: UInt64(number), count: count))
        #expect(try queue.add(text: server.url("/f\(number)")).added == 1)
    }

    private func expectObject(_ number: Int, count: Int64 = 10_240) throws {
        let data = try #require(try store.object("in/f\(number)"))
        let content = DeterministicContent(seed: UInt64(number), count: count)
        #expect(data.count == Int(count) && data.withUnsafeBytes { content.matches($0, offset: 0) }, "f\(number)")
    }

    @Test("Small files and one of several parts become objects, and the spool is empty then")
    func drain() throws {
        for number in 0..<10 { try add(number) }
        try add(10, count: large)
        server.setRoute("/f11", .file(seed: 11, count: 0))
        try queue.add(text: server.url("/f11"))
        let one = try worker("-j", "4", "--drain")
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try queue.status().jobs == ["done": 12])
        for number in 0..<10 { try expectObject(number) }
        try expectObject(10, count: large)
        #expect(try store.object("in/f11") == Data())
        #expect(try store.uploads().isEmpty && spool.files == 0)
        let result = try #require(try queue.value("SELECT result FROM netdash.job WHERE dest = 'f10'"))
        #expect(result.contains(#""object": "s3://\#(store.name)/in/f10""#) && !result.contains("skipped"))
        #expect(!one.output.contains("sesame"))
    }

    @Test("An object may have a name that is a folder of another one's, whichever comes first")
    func nameOfFolder() throws {
        for number in 0..<4 { server.setRoute("/f\(number)", .file(seed: UInt64(number), count: 10_240)) }
        let names = ["docs/a/b", "docs", "notes", "notes/c"]
        let list = names.enumerated().map { server.url("/f\($0)") + "\n out=\($1)\n priority=\(-$0)" }
        #expect(try queue.add(text: list.joined(separator: "\n")).added == 4)
        let one = try worker("-j", "1", "--drain")
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try queue.status().jobs == ["done": 4], "\(one.output)")
        #expect(try queue.value("SELECT sum(attempts) FROM netdash.job") == "0")
        for name in names { #expect(try store.object("in/" + name)?.count == 10_240) }
        #expect(spool.files == 0)
    }

    @Test("A worker is killed between the upload and its report: the next one acknowledges the object as it is")
    func killedBeforeReport() throws {
        try add(0)
        let connection = try test.connect()
        let types = "(bigint[], bigint[], bigint[], jsonb[])"
        try connection.run("ALTER FUNCTION netdash.complete\(types) RENAME TO kept")
        try connection.run(
            """
            CREATE FUNCTION netdash.complete\(types) RETURNS SETOF bigint LANGUAGE sql
            AS 'SELECT 1::bigint FROM pg_sleep(600)'
            """)
        let first = try worker()
        let reporting = "state = 'active' AND query LIKE '%netdash.complete%' AND application_name LIKE '%worker'"
        let found = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND \(reporting)"
        try eventually("it reports") { try queue.value(found) == "1" }
        #expect(try store.object("in/f0") != nil)
        first.send(SIGKILL)
        first.wait()
        try connection.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND \(reporting)"
        )
        try connection.run("DROP FUNCTION netdash.complete\(types)")
        try connection.run("ALTER FUNCTION netdash.kept\(types) RENAME TO complete")
        try expire()
        let second = try worker("--drain")
        #expect(second.wait() == 0, "\(second.output)")
        #expect(try queue.status().jobs == ["done": 1])
        #expect(server.requestCount == 1, "it is not downloaded again")
        #expect(try queue.value("SELECT result->>'skipped' FROM netdash.job") == "true")
        try expectObject(0)
    }

    /// Gives running jobs back as if their workers were silent.
    private func expire() throws {
        try queue.connection.run("UPDATE netdash.job SET lease_until = now() - interval '1 s' WHERE state = 'running'")
        try queue.connection.run("UPDATE netdash.queue SET reaped = '-infinity'")
        #expect(try queue.reap(lease: 0) == 1)
    }

    @Test("A worker that has lost its lease joins no parts, and removes them")
    func lost() throws {
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 0, count: large)
        server.setRoute(
            "/f0", .sequence([file.adjusting { $0.delivery.stalls = [Stall(after: 1 << 20, gate: gate)] }, file]))
        try queue.add(text: server.url("/f0"))
        let late = try worker("--name", "late", "--lease", "600s")
        eventually("it downloads") { gate.arrivals == 1 }
        // The worker's next question to the queue waits for this row.
        let lock = try test.connect()
        try lock.run("BEGIN")
        try lock.run("SELECT FROM netdash.worker WHERE name = 'late' FOR UPDATE")
        gate.release()
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%beat%'"
        try eventually("it asks") { try queue.value(waiting + " AND datname = current_database()") == "1" }
        #expect(try store.parts(of: "in/f0") == 3)
        try expire()
        let other = try worker("--name", "other", "--drain")
        #expect(other.wait() == 0, "\(other.output)")
        #expect(try queue.value("SELECT worker || lapses FROM netdash.job WHERE state = 'done'") == "other1")
        try expectObject(0, count: large)
        #expect(try store.uploads().count == 1, "the late one's parts")
        try lock.run("ROLLBACK")
        try eventually("the late worker removes its parts") { try store.uploads().isEmpty }
        late.send(SIGTERM)
        #expect(late.wait() == 0, "\(late.output)")
        #expect(try queue.value("SELECT worker || lapses FROM netdash.job WHERE state = 'done'") == "other1")
        try expectObject(0, count: large)
    }

    @Test("A killed worker's job is placed by the next one, whatever of it is at the store")
    func killedInParts() throws {
        try add(0, count: large)
        let first = try worker()
        try eventually("parts are there") { try store.parts(of: "in/f0") > 0 }
        first.send(SIGKILL)
        first.wait()
        try expire()
        let second = try worker("--drain")
        #expect(second.wait() == 0, "\(second.output)")
        try expectObject(0, count: large)
        #expect(try queue.status().jobs == ["done": 1] && spool.files == 0)
    }

    @Test("Another object is never replaced, and one with the job's digest or bytes counts as done")
    func existing() throws {
        for number in 0..<3 { try add(number) }
        let content = Data(DeterministicContent(seed: 1, count: 10_240).bytes)
        try store.put("in/f0", Data("mine".utf8))
        let one = try worker("--drain", "--name", "one")
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try queue.status().jobs == ["done": 2, "dead": 1])
        #expect(try queue.status().causes.map(\.cause) == [TransferFaults.otherObject])
        #expect(try store.object("in/f0") == Data("mine".utf8))
        #expect(try store.object("in/f1") == content)
        // The same file as a new job: its bytes are those of the object.
        try queue.connection.run("DELETE FROM netdash.job WHERE dest = 'f1'")
        try add(1)
        let two = try worker("--drain")
        #expect(two.wait() == 0, "\(two.output)")
        #expect(try queue.value("SELECT result->>'skipped' FROM netdash.job WHERE dest = 'f1'") == "true")
        #expect(try queue.status().jobs == ["done": 2, "dead": 1])
    }

    @Test("A store that refuses is the worker's trouble: the job goes back, and the reason is said")
    func refused() throws {
        try add(0)
        let words = ["worker", "-d", "s3://missing", "--spool", spool.path]
        let environment = test.environment.merging(store.environment) { $1 }
        let one = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), words, environment: environment)
        eventually("it says so") {
            one.output.contains(WorkerLines.obstacle(TransferFaults.storeStatus(404, code: "NoSuchBucket")))
        }
        try eventually("the job is back") { try queue.count(.waiting) == 1 }
        one.send(SIGTERM)
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try queue.value("SELECT attempts FROM netdash.job") == "0")
    }
}
