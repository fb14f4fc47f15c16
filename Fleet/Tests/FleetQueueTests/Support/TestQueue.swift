import Foundation
import Synchronization
import Testing

@testable import FleetQueue

/// A queue in a database of its own.
struct TestQueue {
    let server: TestServer
    let database: String

    /// The server of all tests that leave it as it is.
    private static let shared = Result { try TestServer() }
    private static let count = Atomic<Int>(0)

    init(on server: TestServer? = nil, isEmpty: Bool = false) throws {
        self.server = try server ?? Self.shared.get()
        database = "queue\(Self.count.add(1, ordering: .relaxed).newValue)"
        let connection = try DatabaseConnection(try Self.address(self.server, "postgres"), role: "test")
        try connection.run("CREATE DATABASE \(database)")
        if !isEmpty { try FleetQueue.create(address) }
    }

    /// Makes an empty queue under the same name on a server that has lost it.
    ///
    /// It appears under its name when it is complete.
    func createAgain() throws {
        let (new, connection) = (
            "new_\(database)", try DatabaseConnection(try Self.address(server, "postgres"), role: "test")
        )
        try connection.run("CREATE DATABASE \(new)")
        try FleetQueue.create(try Self.address(server, new))
        try connection.run("ALTER DATABASE \(new) RENAME TO \(database)")
    }

    private static func address(_ server: TestServer, _ database: String) throws -> QueueAddress {
        try QueueAddress("host=\(server.folder) user=postgres dbname=\(database)")
    }

    var address: QueueAddress { get throws { try Self.address(server, database) } }

    func open(expected: String? = nil) throws -> FleetQueue {
        try FleetQueue(try address, role: "test", expected: expected)
    }

    /// A connection for statements of the test.
    func connect() throws -> DatabaseConnection { try DatabaseConnection(try address, role: "test") }

    /// The variables by which a program finds the queue.
    var environment: [String: String] {
        ["PGHOST": server.folder, "PGUSER": "postgres", "PGDATABASE": database, "PATH": "/usr/bin:/bin"]
    }
}

extension FleetQueue {
    /// Adds a list's text.
    @discardableResult
    func add(text: String, folder: String = "") throws -> AddCounts {
        var reader = try ListReader(folder: folder)
        var entries = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap {
            reader.take(Array($0.utf8))
        }
        if let last = reader.finish() { entries.append(last) }
        var rest = entries[...]
        return try add({ rest.popFirst() }) { _, _ in }
    }

    /// The only value of a statement.
    func value(_ statement: String) throws -> String? { try connection.run(statement)[0, 0] }

    /// The number of jobs in a state.
    func count(_ state: JobState) throws -> Int {
        Int(try value("SELECT count(*) FROM netdash.job WHERE state = '\(state.rawValue)'") ?? "") ?? -1
    }
}

/// The seconds after which a wait counts as one without end, on a machine that does ten things at once too.
let hangLimit = 120.0

/// Waits until a condition of the queue is true; an issue is recorded when it stays false.
func eventually(_ what: Comment, _ condition: () throws -> Bool) rethrows {
    let end = FleetClock.now() + hangLimit
    while FleetClock.now() < end {
        if try condition() { return }
        usleep(10_000)
    }
    Issue.record(what)
}

/// A worker's identity with a short name.
func worker(_ name: String, slots: Int = 4, perHost: Int? = nil, lease: Double = 60) -> WorkerIdentity {
    WorkerIdentity(name: name, slots: slots, perHost: perHost, lease: lease)
}

/// Whether tests have their full length, as in the daily run.
let isLongRun = ProcessInfo.processInfo.environment["NETDASH_FLEET_LONG"] == "1"

/// A reason to skip a suite where PostgreSQL cannot start.
let needsServer = ConditionTrait.enabled(
    if: TestServer.canStart, "PostgreSQL cannot start: \(TestServer.obstacle ?? "")")
