import Dashboard
import Foundation
import Testing

/// Commands are values that another process can be sent.
@Suite("Commands as bytes")
struct CommandCodingTests {
    private static var job: Job {
        var job = Job(
            kind: .upload, url: "https://h/a", method: "PATCH", headers: ["A": "b"],
            body: .file(path: "/tmp/f"), directory: "/tmp")
        (job.output, job.ifExists, job.tag) = (.name("n/"), .refresh, "mine")
        (job.continues, job.startsPaused, job.usesHTTP2) = (false, true, true)
        job.checksum = Job.Checksum(algorithm: .md5, hex: String(repeating: "a", count: 32))
        job.options = [
            JobOption.Value(.user, "me:secret"), JobOption.Value(.insecure), JobOption.Value(.mirror, "http://m/"),
        ]
        job.rates = TaskRates(download: 5, upload: .off)
        return job
    }

    private static var plan: RatePlan {
        get throws {
            var plan = RatePlan()
            plan.download = try RateSchedule("08:00,512k Sat-18:00,off")
            plan.perTask = try RateSchedule("2M")
            return plan
        }
    }

    private static func commands() throws -> [TransferCommand] {
        [
            .add([job, Job(kind: .download, url: "http://h/"), Job(kind: .data, url: "http://h/", body: .text("x"))]),
            .replace(1, with: job), .replace(1, with: job, over: Job(kind: .data, url: "http://h/")),
            .undo(.resume([1, 2])), .undo(.setLimits(TransferLimits(all: 2, perHost: 1))),
            .amend([1, 2], try JobAmendment("user=me:secret; header=X: 1; dir=/d", defaults: job)),
            .addFailed(url: "x", message: "no"), .pause([1, 2]), .resume([]),
            .cancel([3], deletingParts: true), .clear([4]),
            .remove([3, 4], deletingParts: true), .restore([4]), .startNow([5]), .fetchAgain([6]), .settle([6], .ask),
            .setLimits(TransferLimits(all: 2, perHost: 1)), .setRates(try plan), .limitTasks([7], nil),
            .limitDownloads([7], 5), .setDownloadRate(RateSchedule()),
            .limitTasks([7], TaskRates(upload: 9)), .prioritise([8], by: -1), .moveInQueue([9], by: 2),
            .placeInQueue(9, at: 0), .repeatRequest(10, seconds: 5), .repeatRequest(10, seconds: nil),
        ]
    }

    @Test("Each command comes back as it was")
    func roundTrip() throws {
        for command in try Self.commands() {
            let bytes = try JSONEncoder().encode(command)
            #expect(try JSONDecoder().decode(TransferCommand.self, from: bytes) == command)
        }
    }

    @Test("A job without terms of its own is its kind and URL")
    func short() throws {
        let bytes = try JSONEncoder().encode(Job(kind: .download, url: "http://h/"))
        #expect(
            try JSONDecoder().decode([String: String].self, from: bytes) == ["kind": "download", "url": "http://h/"])
    }

    @Test(
        "What this program does not know is an error, not something else",
        arguments: [
            #"{"explode":{}}"#,
            #"{"setRates":{"_0":{"download":"fast","upload":"off","perHost":"off","perTask":"off"}}}"#,
            #"{"add":{"_0":[{"kind":"torrent","url":"http://h/"}]}}"#,
            #"{"limitTasks":{"_0":[1],"_1":{"download":{"warp":{}}}}}"#,
        ])
    func unknown(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TransferCommand.self, from: Data(text.utf8)) }
    }

    @Test("An option that another version may have is named")
    func unknownOption() throws {
        let text = #"{"name":"teleport","text":"now"}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JobOption.Value.self, from: Data(text.utf8)) }
    }
}
