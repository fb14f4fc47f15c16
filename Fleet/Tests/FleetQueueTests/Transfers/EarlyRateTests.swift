import Foundation
import LoopbackServer
import Testing

@testable import FleetQueue
@testable import FleetTransfers

/// Runners on a server of this process that sends as fast as it can.
@Suite("A rate that is told before the download begins", .timeLimit(.minutes(10)))
struct EarlyRateTests {
    private let server = LoopbackServer()
    private let folder: SimulatedFolder
    private let bell: Bell

    init() throws {
        try server.start()
        server.setRoute("/f", .file(seed: 1, count: 1 << 30))
        (folder, bell) = (try SimulatedFolder(), try Bell())
    }

    private func job(_ request: String? = nil) throws -> ClaimedJob {
        let url = server.url("/f")
        return ClaimedJob(
            id: 1, epoch: 1, host: try JobAddress(url).host, url: url, destination: "f", request: request)
    }

    /// Expects that the job's bytes come slowly: its counts are told once a second.
    private func expectSlow(_ runner: some TransferRunner) {
        var counts: [Int64] = []
        var ends: [JobReport] = []
        eventually("two counts are told") {
            for report in runner.takeReports() {
                if case .moved(_, let received, _) = report {
                    if received > 0 { counts.append(received) }
                } else {
                    ends.append(report)
                }
            }
            return counts.count >= 2 || !ends.isEmpty
        }
        #expect(ends.isEmpty && counts.allSatisfy { $0 < 4 << 20 }, "\(counts) \(ends)")
        runner.stop(1)
        eventually("it stops") {
            runner.takeReports().contains { if case .stopped = $0 { true } else { false } }
        }
    }

    @Test("It counts for a job that waits for a command's secret")
    func beforeSecret() throws {
        let runner = SessionRunner(
            root: folder.path, slots: 1, policy: try SecretPolicy("cmd:/bin/echo sesame"), environment: [:], bell: bell)
        runner.start(try job(#"{"bearer":["@cmd:/bin/echo sesame"]}"#))
        runner.limit(1, to: 100_000)
        expectSlow(runner)
    }

    @Test("It counts for a job whose object is still looked for in the bucket")
    func beforeLook() throws {
        server.setRoute("/bucket/f", .respond(ScriptedResponse(404)))
        let environment = [
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "sesame", "AWS_ENDPOINT_URL": server.url(""),
        ]
        let store = try ObjectStore("s3://bucket", environment: environment)
        let runner = ObjectRunner(
            store: store, spool: folder.path, slots: 1, policy: try SecretPolicy(""), environment: [:], bell: bell)
        runner.start(try job())
        runner.limit(1, to: 100_000)
        expectSlow(runner)
    }
}
