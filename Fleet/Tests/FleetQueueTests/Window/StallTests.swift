import Foundation
import ServiceWire
import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// Windows over a server that answers nothing for a while, without a connection that ends.
@Suite("Windows and a server that stalls", needsServer, .timeLimit(.minutes(10)))
struct StallTests {
    /// The seconds after a stall within which a window has the counts of the database.
    private static let patience = 3.0

    private func add(_ count: Int, to queue: FleetQueue, name: String) throws {
        try queue.add(text: (0..<count).map { "http://h/\(name)\($0)" }.joined(separator: "\n"))
    }

    @Test("A window says that the database does not answer, and has its counts soon after that")
    func frozen() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        let queue = try test.open()
        try add(3, to: queue, name: "a")
        let window = try TestWindow(test)
        try eventually("it has counted") { try window.count(.queued) == 3 }
        let complaints = Complaints(of: window.client)
        let began = FleetClock.now()
        server.freeze()
        eventually("it says so") { complaints.contains("no answer") }
        // A question has an answer too, which says the same.
        let answer = window.client.matches(RowRequest(limit: 1))
        if case .failure(let failure) = answer {
            #expect(failure.message.contains("no answer"))
        } else {
            Issue.record("\(answer)")
        }
        // So has a script, whose list is answered in parts.
        guard case .failed(let failure) = window.client.answer(.page(after: nil, limit: .max)) else {
            Issue.record("a list without a database")
            return
        }
        #expect(failure.kind == "queueAway" && failure.message.contains("no answer"))
        #expect(FleetClock.now() - began < 6)
        let joined = Complaints(of: try window.another())
        eventually("a further dashboard is told") { joined.contains("no answer") }
        while FleetClock.now() < began + 7 { usleep(50_000) }
        server.thaw()
        let thawed = FleetClock.now()
        try add(2, to: queue, name: "b")
        try eventually("it counts again") { (try? window.count(.queued)) == 5 }
        #expect(FleetClock.now() - thawed < Self.patience)
        eventually("it says that too") { complaints.areResolved(by: WindowErrors.back.string) }
        // A dashboard takes back what it has shown.
        #expect(complaints.allEnded == complaints.all && joined.allEnded == joined.all && joined.all.count == 1)
        // What the stall has cost does not make later counts rare.
        try add(1, to: queue, name: "c")
        let last = FleetClock.now()
        try eventually("it counts each second") { try window.count(.queued) == 6 }
        #expect(FleetClock.now() - last < Self.patience)
    }

    @Test("A lock that others hold on the jobs is a stall too")
    func locked() throws {
        let test = try TestQueue()
        let queue = try test.open()
        try add(3, to: queue, name: "a")
        let window = try TestWindow(test)
        try eventually("it has counted") { try window.count(.queued) == 3 }
        let complaints = Complaints(of: window.client)
        try queue.connection.run("BEGIN")
        try queue.connection.run("LOCK TABLE netdash.job IN ACCESS EXCLUSIVE MODE")
        eventually("it says so") { complaints.contains("no answer") }
        try queue.connection.run("UPDATE netdash.job SET state = 'paused' WHERE id = 1")
        try queue.connection.run("COMMIT")
        let freed = FleetClock.now()
        try eventually("it counts again") { (try? window.count(.paused)) == 1 }
        #expect(FleetClock.now() - freed < Self.patience)
    }

    @Test("A window that is told to end while the database stalls ends")
    func ends() throws {
        let server = try TestServer()
        let test = try TestQueue(on: server)
        try add(1, to: try test.open(), name: "a")
        let window = try TestWindow(test)
        try eventually("it has counted") { try window.count(.queued) == 1 }
        let complaints = Complaints(of: window.client)
        server.freeze()
        eventually("it says so") { complaints.contains("no answer") }
        let told = FleetClock.now()
        window.process.send(SIGTERM)
        #expect(window.process.wait() == 0, "\(window.process.output)")
        #expect(FleetClock.now() - told < 5)
    }
}
