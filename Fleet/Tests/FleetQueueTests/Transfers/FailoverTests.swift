import Foundation
import LoopbackServer
import Testing

@testable import FleetQueue

/// Workers with downloads whose database is replaced by a standby: each test has servers of its own.
@Suite("Failovers", needsServer, .timeLimit(.minutes(10)))
struct FailoverTests {
    private static let files = 30
    private let database: TestServer
    private let test: TestQueue
    private let server = LoopbackServer()
    private let folder: SimulatedFolder

    init() throws {
        database = try TestServer()
        test = try TestQueue(on: database)
        folder = try SimulatedFolder()
        try server.start()
        for number in 0..<Self.files { server.setRoute("/f\(number)", .file(seed: UInt64(number), count: 10_240)) }
        let list = (0..<Self.files).map { server.url("/f\($0)") }
        try test.open().add(text: list.joined(separator: "\n"))
    }

    private func worker(_ words: String...) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["worker", "-d", folder.path, "--lease", "3s", "-j", "2"] + words,
            environment: test.environment)
    }

    /// Makes the last file wait in its middle until the gate opens.
    private func holdLastFile() throws -> Gate {
        let gate = try server.gate(named: "last")
        let name = "/f\(Self.files - 1)"
        let file = Behaviour.file(seed: UInt64(Self.files - 1), count: 10_240)
        server.setRoute(
            name, .sequence([file.adjusting { $0.delivery.stalls = [Stall(after: 5_000, gate: gate)] }, file]))
        return gate
    }

    private func expectFiles() throws {
        #expect(folder.files == Self.files)
        for number in 0..<Self.files {
            let data = try Data(contentsOf: URL(filePath: folder.path + "/f\(number)"))
            let content = DeterministicContent(seed: UInt64(number), count: 10_240)
            #expect(data.count == 10_240 && data.withUnsafeBytes { content.matches($0, offset: 0) }, "f\(number)")
        }
    }

    @Test("A standby without the queue's database is waited for like a server that is away, and said")
    func withoutDatabase() throws {
        let gate = try holdLastFile()
        let one = try worker("--drain")
        try eventually("one is left") { try test.open().count(.done) == Self.files - 1 }
        try database.stop()
        try database.replaceCluster()
        try database.start()
        eventually("it says what is missing") { one.output.contains("database \"\(test.database)\" does not exist") }
        gate.release()
        eventually("the file is there all the same") { folder.files == Self.files }
        try database.stop()
        try database.restoreCluster()
        try database.start()
        #expect(one.wait() == 0, "\(one.output)")
        #expect(one.output.contains(WorkerLines.back))
        #expect(try test.open().status().jobs == ["done": Self.files])
        try expectFiles()
        #expect(server.requestCount == Self.files)
    }

    @Test("A standby with an empty queue gets no report: the worker ends with the reason, and the lost queue goes on")
    func emptyQueue() throws {
        let gate = try holdLastFile()
        let one = try worker()
        try eventually("one is left") { try test.open().count(.done) == Self.files - 1 }
        try database.stop()
        eventually("it notices") { one.output.contains("retrying in") }
        gate.release()
        eventually("the last file is placed without a database") { folder.files == Self.files }
        try database.replaceCluster()
        try database.start()
        try test.createAgain()
        #expect(one.wait() == 1)
        #expect(one.output.contains(QueueErrors.otherQueue), "\(one.output)")
        #expect(try test.open().status().jobs.isEmpty)
        let program = try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["status"], environment: test.environment)
        #expect(program.wait() == 0 && program.output.contains(" 0 done"), "\(program.output)")
        try database.stop()
        try database.restoreCluster()
        try database.start()
        #expect(try test.open().status().jobs == ["done": Self.files - 1, "running": 1])
        let next = try worker("--drain")
        #expect(next.wait() == 0, "\(next.output)")
        #expect(try test.open().status().jobs == ["done": Self.files])
        try expectFiles()
    }

    @Test("A standby that lags behind has finished jobs waiting: they end again, and no file is made anew or lost")
    func lagging() throws {
        try database.stop()
        try database.keepCluster()
        try database.start()
        let gate = try holdLastFile()
        let one = try worker("--drain")
        try eventually("one is left") { try test.open().count(.done) == Self.files - 1 }
        let files = try inodes()
        // It would claim again as soon as there is a database.
        one.send(SIGSTOP)
        try database.stop()
        try database.replaceCluster()
        try database.start()
        #expect(try test.open().count(.waiting) == Self.files)
        one.send(SIGCONT)
        gate.release()
        #expect(one.wait() == 0, "\(one.output)")
        #expect(try test.open().status().jobs == ["done": Self.files])
        try expectFiles()
        let later = try inodes()
        #expect(files.allSatisfy { later[$0.key] == $0.value })
    }

    private func inodes() throws -> [String: UInt64] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
                return (name, (facts[.systemFileNumber] as? UInt64) ?? 0)
            })
    }
}
