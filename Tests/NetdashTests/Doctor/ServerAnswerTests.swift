import Dashboard
import Testing

@testable import TransferService
@testable import netdash

/// What the doctor makes of a server's status and of its responses to ranges.
@Suite("Findings about a server's responses", .timeLimit(.minutes(1)))
struct ServerAnswerTests {
    private static func report(
        _ status: Int?, validator: String? = nil, matching: Int? = nil, other: Int? = nil
    ) -> RangeReport {
        RangeReport(
            plain: status.map { ServerTrial.Answer(status: $0, length: 100, validator: validator) }, matching: matching,
            other: other)
    }

    @Test(
        "Ranges are good with a validator that the server compares",
        arguments: [
            (report(206, validator: "\"v1\"", matching: 206, other: 200), Finding.Verdict.good, "ETag"),
            (
                report(206, validator: "Thu, 01 Jan 2026 00:00:00 GMT", matching: 206, other: 200), .good,
                "Last-Modified"
            ),
            (report(206, validator: "\"v1\"", matching: 206, other: 206), .note, "If-Range ignored"),
            (report(206, validator: "\"v1\"", matching: 206, other: nil), .note, "If-Range ignored"),
            (report(206, validator: "\"v1\"", matching: 200, other: 200), .note, "full file"),
            (report(206), .note, "--verify-overlap"), (report(200), .note, "not supported"),
            (report(416), .good, "empty file"), (report(403), .note, "HTTP 403"), (report(401), .wrong, "--user"),
            (report(nil), .note, "no response"),
        ])
    func ranges(report: RangeReport, verdict: Finding.Verdict, words: String) {
        let finding = RangeChecks.finding(report)
        #expect(finding.verdict == verdict)
        #expect(finding.lines.map(\.string).joined(separator: "\n").contains(words), "\(finding.lines)")
        #expect((verdict == .good) == finding.advice.isEmpty)
    }

    @Test(
        "A server or a proxy that asks for credentials is wrong, with the option that gives them",
        arguments: [
            (200, nil, Finding.Verdict.good, ""), (304, nil, .good, ""), (401, nil, .wrong, "--user"),
            (407, nil, .wrong, "--proxy-user"), (nil, .authenticationRequired, .wrong, "--proxy-user"),
            (nil, .http, .wrong, "--proxy-user"),
            (404, nil, .note, "URL"), (503, nil, .note, "URL"), (405, nil, .good, ""), (501, nil, .good, ""),
        ] as [(Int?, Cause?, Finding.Verdict, String)])
    func statuses(status: Int?, cause: Cause?, verdict: Finding.Verdict, option: String) throws {
        let report = ServerReport(url: "http://h/", cause: cause, status: status)
        let clock = Finding.note("clock", "late", advice: "set it")
        let found = StatusChecks.judged([Finding(topic: "server", fact: "answers"), clock], report)
        #expect(found.count == 2 && found.last == clock)
        let server = try #require(found.first)
        #expect(server.verdict == verdict)
        #expect(server.advice.string.contains(option))
    }

    @Test("Only a server that serves the URL is tried further", arguments: [(200, true), (405, true), (401, false)])
    func trying(status: Int, isTried: Bool) {
        #expect(StatusChecks.isWorthTrying(ServerReport(url: "http://h/", status: status)) == isTried)
    }
}
