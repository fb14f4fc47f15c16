import Dashboard
import Testing

@testable import TransferService
@testable import netdash

/// What the doctor makes of facts.
@Suite("Findings about a machine", .timeLimit(.minutes(1)))
struct FindingTests {
    private typealias Checks = MachineChecks

    private static func service(
        problem: String? = nil, isRunning: Bool = false, unit: ServiceChecks.Unit
    ) -> Finding {
        ServiceChecks.service(problem: problem, isRunning: isRunning, unit: unit, user: "me")
    }

    @Test(
        "A fact that stops transfers is wrong, one that hinders them a note",
        arguments: [
            (Checks.libraries(["libcurl/8"], missing: []), Finding.Verdict.good, "libcurl/8"),
            (Checks.libraries(["libcurl/8"], missing: ["br"]), .note, DoctorFindings.optionalFeatures("br").string),
            (Checks.libraries(["libcurl/8"], missing: ["br", "https"]), .wrong, "br, https"),
            (Checks.terminal(type: nil, size: nil, problem: nil), .good, "--json"),
            (Checks.terminal(type: "vt100", size: Size(columns: 80, rows: 24), problem: nil), .good, "vt100, 80 x 24"),
            (Checks.terminal(type: "x", size: Size(columns: 80, rows: 24), problem: "is unknown"), .wrong, "TERM"),
            (Checks.terminal(type: "x", size: Size(columns: 19, rows: 24), problem: nil), .note, "20 x 5"),
            (
                Checks.authorities(file: "/a", count: 3, folder: nil, variable: nil), .good,
                DoctorFindings.certificates(3, in: "/a").string
            ),
            (Checks.authorities(file: "/a", count: 0, folder: nil, variable: nil), .wrong, "ca-certificates"),
            (Checks.authorities(file: "/a", count: nil, folder: nil, variable: "SSL_CERT_FILE"), .wrong, "unset"),
            (Checks.authorities(file: nil, count: nil, folder: "/d", variable: nil), .good, "/d"),
            (Checks.authorities(file: nil, count: nil, folder: nil, variable: nil), .wrong, "ca-certificates"),
            (Checks.proxies(environment: [:], problem: nil), .good, "none"),
            (Checks.proxies(environment: ["HTTP_PROXY": "http://p"], problem: nil), .note, "http_proxy"),
            (Checks.proxies(environment: [:], problem: "http_proxy: no"), .wrong, "http_proxy: no"),
            (Checks.names("nameserver 192.0.2.1\nsearch x\nnameserver\t2001:db8::1"), .good, "192.0.2.1, 2001:db8::1"),
            (Checks.names("# nameserver 192.0.2.1"), .note, DoctorFindings.noNameServers.string),
            (Checks.names(nil), .note, "resolv.conf"),
            (Checks.route("wired"), .good, "wired"), (Checks.route(nil), .note, "this machine"),
            (Checks.clock(2_000_000_000, isKept: true), .good, "2033-05-18T03:33:20Z"),
            (Checks.clock(2_000_000_000, isKept: nil), .good, "2033"),
            (Checks.clock(2_000_000_000, isKept: false), .note, "certificates"),
            (Checks.clock(1_000_000_000, isKept: true), .wrong, DoctorFindings.setClock.string),
            (Checks.disk("d", problem: nil, free: 1 << 40), .good, "1.0 TiB free"),
            (Checks.disk("d", problem: nil, free: 1 << 20), .note, "-d DIR"),
            (Checks.disk("d", problem: "it is not a folder", free: nil), .wrong, "not a folder"),
            (Checks.descriptors(1024, concurrent: 5), .good, "1024"),
            (Checks.descriptors(1024, concurrent: 500), .note, "ulimit -n"),
            (Checks.jq(path: "/usr/bin/jq"), .good, "/usr/bin/jq"),
            (Checks.jq(path: nil), .good, DoctorFindings.noJQ.string),
            (Checks.configuration(path: "/c", exists: true, problem: nil), .good, "/c"),
            (Checks.configuration(path: "/c", exists: true, problem: "line 3: no"), .wrong, "line 3: no"),
            (Checks.configuration(path: "/c", exists: true, problem: nil, warning: "not run"), .note, "not run"),
            (Checks.configuration(path: nil, exists: false, problem: nil), .note, "HOME"),
            (service(unit: .none), .good, DoctorFindings.serviceStarts.string),
            (service(isRunning: true, unit: .none), .good, DoctorFindings.serviceRuns.string),
            (service(unit: .enabled(lingers: true)), .good, DoctorFindings.serviceLasts.string),
            (service(unit: .enabled(lingers: false)), .note, "enable-linger me"),
            (service(problem: "unsafe", unit: .enabled(lingers: true)), .note, "unsafe"),
        ])
    func rules(finding: Finding, verdict: Finding.Verdict, words: String) {
        #expect(finding.verdict == verdict)
        #expect(finding.lines.map(\.string).joined(separator: "\n").contains(words), "\(finding.lines)")
        #expect((verdict == .good) == finding.advice.isEmpty)
    }

    @Test("A proxy's password does not appear")
    func secrets() {
        let finding = Checks.proxies(environment: ["https_proxy": "http://me:hidden@p:1"], problem: nil)
        #expect(finding.fact.string.contains("p:1"))
        #expect(!finding.fact.string.contains("hidden"))
    }

    @Test(
        "How far the way to a server went decides what to do",
        arguments: [
            (nil, nil, nil, ServerFindings.notResolved), (1, nil, nil, ServerFindings.notConnected),
            (1, 2, nil, ServerFindings.tlsFailed), (1, 2, 3, ServerFindings.notAnswered),
        ])
    func failures(name: Int?, connect: Int?, secure: Int?, advice: SafeText) throws {
        let report = ServerReport(
            url: "https://h/", isEncrypted: true, failure: "it failed", nameLookup: name, connect: connect,
            secureConnect: secure)
        let finding = try #require(ServerChecks.findings(report, now: 0).first)
        #expect(finding.verdict == .wrong)
        #expect(finding.advice == advice)
    }

    @Test(
        "A clock that differs from a server's is told with its direction", arguments: [(61, "ahead"), (-61, "behind")])
    func clocks(difference: Int64, word: String) throws {
        let report = ServerReport(url: "http://h/", statusLine: "HTTP/1.1 200 OK", peer: "192.0.2.1:80", date: 1_000)
        #expect(ServerChecks.findings(report, now: 1_000 + 60).count == 1)
        let findings = ServerChecks.findings(report, now: 1_000 + difference)
        #expect(findings.last?.verdict == .note)
        #expect(findings.last?.fact.string.contains("61 seconds " + word) == true)
    }

    @Test("The sum says what was found")
    func summary() {
        let (good, wrong) = (Finding(topic: "a", fact: "b"), Finding.wrong("a", "b", advice: "c"))
        let note = Finding.note("a", "b", advice: "c")
        #expect(Finding.summary([good]) == DoctorFindings.noErrors)
        #expect(Finding.summary([good, note]) == "no errors, 1 warning")
        #expect(Finding.summary([wrong, note, note]) == "1 error, 2 warnings")
        #expect(Finding.summary([wrong, wrong]) == "2 errors")
    }
}
