import Foundation
import LoopbackServer
import Testing

@testable import FleetQueue
@testable import FleetTransfers

/// A runner whose bucket is empty and refuses nothing, on a server of this process.
@Suite("Stopping a job whose file is for a bucket", .timeLimit(.minutes(10)))
struct ObjectStopTests {
    private let server = LoopbackServer()
    private let spool: SimulatedFolder
    private let bell: Bell
    private let runner: ObjectRunner

    init() throws {
        try server.start()
        server.setRoute("/bucket/d/f", .respond(ScriptedResponse(404)))
        (spool, bell) = (try SimulatedFolder(), try Bell())
        let environment = [
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "sesame", "AWS_ENDPOINT_URL": server.url(""),
        ]
        let store = try ObjectStore("s3://bucket", environment: environment)
        runner = ObjectRunner(
            store: store, spool: spool.path, slots: 1, policy: try SecretPolicy(""), environment: [:], bell: bell)
    }

    /// What the runner reports, without counts of bytes.
    private func reports() -> [JobReport] {
        runner.takeReports().filter { if case .moved = $0 { false } else { true } }
    }

    /// Waits for reports.
    private func awaitReports() -> [JobReport] {
        var all: [JobReport] = []
        eventually("the runner reports") {
            all += reports()
            return !all.isEmpty
        }
        return all
    }

    /// Lets a job's download end, of which the runner has not heard.
    private func download(epoch: Int64 = 1) throws {
        let gate = try server.gate(named: "middle\(epoch)")
        let file = Behaviour.file(seed: 1, count: 4 << 20)
        server.setRoute("/f", file.adjusting { $0.delivery.stalls = [Stall(after: 1 << 20, gate: gate)] })
        let url = server.url("/f")
        let host = try JobAddress(url).host
        runner.start(ClaimedJob(id: 1, epoch: epoch, host: host, url: url, destination: "d/f"))
        eventually("it downloads") {
            #expect(reports().isEmpty)
            return gate.arrivals == 1
        }
        bell.clear()
        gate.release()
        // Nothing else rings now.
        eventually("the file is there") { bell.clear() > 0 }
        #expect(access(spool.path + "/d/f", F_OK) == 0)
    }

    @Test("It stops also where its download has just ended, or its file is being read", arguments: [false, true])
    func stopsAfterDownload(isRead: Bool) throws {
        try download()
        if isRead { #expect(reports().isEmpty) }
        runner.stop(1)
        let all = awaitReports()
        guard case .stopped(1, _)? = all.first, all.count == 1 else { return #expect(all.isEmpty) }
        #expect(access(spool.path + "/d/f", F_OK) != 0, "the spool keeps nothing")
    }

    @Test("A job that comes again after a stop goes its whole way, whatever is still read of its earlier file")
    func comesAgain() throws {
        try download()
        #expect(reports().isEmpty)
        runner.stop(1)
        let all = awaitReports()
        guard case .stopped(1, _)? = all.first else { return #expect(all.isEmpty) }
        try download(epoch: 2)
        #expect(awaitReports() == [.asks(1)])
    }

    @Test("A file that another worker of the spool has put in the place of a stopped job's stays")
    func replacedFile() throws {
        try download()
        eventually("its file is open") { reports() == [.asks(1)] }
        let path = spool.path + "/d/f"
        unlink(path)
        try "another worker's".write(toFile: path, atomically: true, encoding: .utf8)
        runner.stop(1)
        let all = awaitReports()
        guard case .stopped(1, _)? = all.first, all.count == 1 else { return #expect(all.isEmpty) }
        #expect(access(path, F_OK) == 0)
    }

    @Test("A file that another worker of the spool has taken away halts nobody, and is no attempt")
    func missingFile() throws {
        try download()
        unlink(spool.path + "/d/f")
        let all = awaitReports()
        guard case .failed(1, .inUse)? = all.first, all.count == 1 else { return #expect(all.isEmpty) }
    }
}
