import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

@Suite("What the details of a row say is so", .timeLimit(.minutes(1)))
struct TruthfulDetailsTests {
    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var bridge: LocalService { fixture.bridge }

    init() throws {
        fixture = try BridgeFixture { $0.retries = 0 }
        server.setRoute("/f", .file(count: 100_000))
    }

    /// The details of one job when it has ended.
    private func details(of job: Job) throws -> RowDetails {
        bridge.add([job])
        try #require(fixture.observer.waitForEnds())
        return try #require(bridge.details(of: 1))
    }

    @Test(
        "A file that is saved in a content coding is told so in the log and in the details, unless it was asked for",
        arguments: [true, false])
    func storedCoding(isAsked: Bool) throws {
        defer { fixture.end() }
        var response = ScriptedResponse.text("not really gzip")
        response.headers["Content-Encoding"] = "gzip"
        server.setRoute("/g.txt", .respond(response))
        var job = fixture.job(.download, "/g.txt")
        if isAsked { job.headers["Accept-Encoding"] = "gzip" }
        let details = try details(of: job)
        #expect(details.storedCoding == (isAsked ? nil : "gzip"))
        let notices = fixture.observer.events.map(\.what)
        #expect(notices.contains(.notice(ServiceLines.savedEncoded("gzip"))) == !isAsked)
    }

    @Test(
        "A field that the user has declared secret is hidden, in a response too, and one from a command is never shown",
        arguments: ["sesame", "@cmd:echo sesame"])
    func secretField(value: String) throws {
        defer { fixture.end() }
        var response = ScriptedResponse.text("hello")
        response.headers["X-Own"] = "sesame"
        server.setRoute("/own", .respond(response))
        var job = fixture.job(.data, "/own")
        job.options = [JobOption.Value(.secretHeader, "X-Own: " + value)]
        let details = try details(of: job)
        #expect(server.requests(for: "/own").first?.header("X-Own") == "sesame")
        let sent = try #require(details.requestHeaders.first { $0.name == "X-Own" })
        #expect(sent.isSecret ? sent.value == "sesame" && !value.hasPrefix("@") : sent.value == "***")
        #expect(details.responseHeaders.first { $0.name == "X-Own" }?.isSecret == true)
        #expect(!"\(details.log)".contains("sesame"))
    }

    @Test("A wrong checksum was checked, and a file that has one starts again")
    func wrongChecksum() throws {
        defer { fixture.end() }
        var job = fixture.job(.download, "/f")
        job.checksum = Job.Checksum(algorithm: .md5, hex: String(repeating: "0", count: 32))
        #expect(try details(of: job).checksum == DetailLines.differs("md5"))
        #expect(bridge.snapshots(of: [1]).first?.canResume == false)
    }

    @Test("A row that waits for its server is queued while it has used up none of its tries", arguments: [0, 1])
    func heldRow(failedAttempts: Int) {
        defer { fixture.end() }
        var row = TransferRow(id: 1, job: fixture.job(.download, "/f"))
        row.run.lastStatus.phase = .retrying
        row.run.lastStatus.retryCause = .connectionRefused
        row.run.lastStatus.retryAt = 1
        row.run.lastStatus.failedAttempts = failedAttempts
        #expect(row.figures(retryLimit: 5).state == .retrying)
        row.run.lastStatus.backoffReason = .unreachable
        let figures = row.figures(retryLimit: 5)
        #expect(figures.state == (failedAttempts == 0 ? .queued : .retrying))
        #expect(figures.cause == (failedAttempts == 0 ? nil : .connectionRefused))
    }

    @Test("A checksum that nobody came to compare is not said to be wrong")
    func unchecked() throws {
        defer { fixture.end() }
        server.setRoute("/f", .respond(.text("no\n", status: 404)))
        var job = fixture.job(.download, "/f")
        job.checksum = Job.Checksum(algorithm: .md5, hex: String(repeating: "0", count: 32))
        #expect(try details(of: job).checksum == DetailLines.unchecked("md5"))
    }

    @Test("The page that came with a download's status is not kept with its row")
    func pageOfStatus() throws {
        defer { fixture.end() }
        server.setRoute("/f", .respond(.html(String(repeating: "no ", count: 20_000), status: 404)))
        bridge.add([fixture.job(.download, "/f")])
        try #require(fixture.observer.waitForEnds())
        let task = try #require(bridge.state.withLock { $0.rows[1]?.run.task })
        let completion = try #require(task.completionIfDone)
        #expect(completion.head?.statusCode == 404 && completion.error != nil)
        #expect(completion.data.isEmpty && (completion.error as? SessionError)?.responseBody == nil)
    }

    @Test("Parts that are deleted with their task are not there to go on with")
    func deletedPart() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/f", .file(seed: 1, count: 4_000_000).stalling(after: 2_000_000, until: gate))
        bridge.add([fixture.job(.download, "/f")])
        try #require(gate.waitForArrivals())
        bridge.send(.cancel([1], deletingParts: true))
        try #require(fixture.observer.waitForEnds())
        #expect(bridge.snapshots(of: [1]).first?.canResume == false)
        gate.release()
    }

    @Test("The request is shown as it was sent, without the values of secrets that the row does not know")
    func sentFields() throws {
        defer { fixture.end() }
        var job = fixture.job(.data, "/f")
        job.headers = [
            "X-Mine": "1", "Authorization": "Bearer secret",
        ]
        let details = try details(of: job)
        let sent = try #require(server.requests(for: "/f").first).headers.filter { $0.name != "Host" }
        #expect(
            Set(details.requestHeaders.map { "\($0.name): \($0.value)" }) == Set(sent.map { "\($0.name): \($0.value)" })
        )
        #expect(details.requestHeaders.contains { $0.name == "User-Agent" })
        #expect(details.requestHeaders.contains { $0.name == "Accept" })
        #expect(details.requestHeaders.filter(\.isSecret).map(\.name) == ["Authorization"])
    }

    @Test("The length of a body and the rest of a file that is asked for are among what was sent")
    func lengthAndRange() throws {
        defer { fixture.end() }
        server.setRoute("/up", .uploadSink())
        var upload = fixture.job(.upload, "/up")
        upload.body = .text("12345")
        let details = try details(of: upload)
        #expect(details.requestHeaders.contains { $0.name == "Content-Length" && $0.value == "5" })
        server.setRoute("/f", .choosing { _ in .file(count: 1_000_000) })
        let cut = Behaviour.file(seed: 3, count: 1_000_000).cutting(after: 600_000)
        server.setRoute("/g", .choosing { $0.header("Range") == nil ? cut : .file(seed: 3, count: 1_000_000) })
        bridge.add([fixture.job(.download, "/g")])
        try #require(fixture.observer.waitForEnds(2))
        bridge.send(.resume([2]))
        try #require(fixture.observer.waitForEnds(3))
        let range = try #require(server.requests(for: "/g").last?.header("Range"))
        let shown = try #require(bridge.details(of: 2)).requestHeaders.first { $0.name == "Range" }
        #expect(shown?.value.string == range)
    }
}
