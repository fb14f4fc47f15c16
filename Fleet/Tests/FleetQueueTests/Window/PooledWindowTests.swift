import Foundation
import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

@Suite(
    "A window behind PgBouncer",
    .enabled(if: TestPooler.canStart, "PgBouncer is not installed (apt-get install pgbouncer)"),
    .timeLimit(.minutes(10)))
struct PooledWindowTests {
    @Test("A window limits its own statements, and not those of the pooler's other clients")
    func limit() throws {
        let test = try TestQueue()
        try test.open().add(text: "http://h/a\nhttp://h/b")
        let pooler = try TestPooler(for: test.server, connections: 1)
        let address = try QueueAddress("host=\(pooler.folder) user=postgres dbname=\(test.database)")
        let desk = QueueDesk(address, role: "test", patience: 7)
        let limit = try desk.ask { (queue: FleetQueue) throws(FleetError) in
            try queue.connection.run("SHOW statement_timeout").text(0, 0)
        }
        #expect(limit == "7s")
        // The pooler has one connection to the server, which this client has next.
        let other = try FleetQueue(address, role: "other")
        #expect(try other.value("SHOW statement_timeout") == "0")
    }

    @Test("A question that the server ends leaves the desk as it was")
    func slow() throws {
        let test = try TestQueue()
        let desk = QueueDesk(try test.address, role: "test", patience: 1)
        func process() throws -> Int64? {
            try desk.ask { (queue: FleetQueue) throws(FleetError) in
                try queue.connection.run("SELECT pg_backend_pid()").number(0, 0)
            }
        }
        let before = try process()
        let error = #expect(throws: FleetError.self) {
            try desk.ask { (queue: FleetQueue) throws(FleetError) in
                try queue.connection.run("SELECT pg_sleep(600)").count
            }
        }
        #expect(error?.isSlow == true)
        #expect(try process() == before)
    }

    @Test("A change that another one undoes is made again with its whole question")
    func conflict() throws {
        let test = try TestQueue()
        try test.connect().run("CREATE SEQUENCE tries")
        let desk = QueueDesk(try test.address, role: "test", patience: 7)
        let count = try desk.ask { (queue: FleetQueue) throws(FleetError) in
            try queue.connection.run("INSERT INTO netdash.worker (name) VALUES ('w')")
            return try queue.retrying { () throws(FleetError) in
                let isFirst = try queue.connection.run("SELECT nextval('tries') = 1").isTrue(0, 0)
                guard !isFirst else { throw FleetError(.conflict, "deadlock") }
                return try queue.connection.run("SELECT count(*) FROM netdash.worker").number(0, 0)
            }
        }
        #expect(count == 1)
    }
}
