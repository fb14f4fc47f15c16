import Dashboard
import Testing
import TransferValues

@testable import TransferService
@testable import netdash

/// What the doctor makes of the options about connections below HTTP.
@Suite("Findings about connections below HTTP")
struct TransportFindingTests {
    private typealias Checks = TransportChecks

    private static func terms(_ texts: [(String, String)]) throws -> RequestTerms {
        var values: [JobOption.Value] = []
        for (name, text) in texts { values.append(JobOption.Value(try #require(JobOption.named(name)), text)) }
        return values.terms
    }

    @Test(
        "The versions of TLS that are left are told, and none is wrong",
        arguments: [
            ([], Finding.Verdict.good, TransportFindings.bothTLS.string),
            ([("tlsv1.2", "")], .good, TransportFindings.bothTLS.string),
            ([("tlsv1.3", "")], .good, TransportFindings.onlyTLS13.string),
            ([("tls-max", "1.2")], .good, TransportFindings.onlyTLS12.string),
            ([("tlsv1.3", ""), ("tls-max", "default")], .good, TransportFindings.onlyTLS13.string),
            ([("tlsv1.3", ""), ("tls-max", "1.2")], .wrong, TransportFindings.noVersion.string),
            ([("cert", "/c/me.p12")], .good, "/c/me.p12"),
        ] as [([(String, String)], Finding.Verdict, String)])
    func versions(options: [(String, String)], verdict: Finding.Verdict, words: String) throws {
        let finding = Checks.secure(try Self.terms(options))
        #expect(finding.verdict == verdict && finding.fact.string.contains(words))
        #expect((verdict == .good) == finding.advice.isEmpty)
    }

    @Test(
        "A file of hosts is counted, may be missing, and is wrong where it cannot be written",
        arguments: [
            (nil, nil, nil, Finding.Verdict.good, "--hsts"), ("/h", (2, 0), nil, .good, "2 hosts in /h"),
            ("/h", (1, 3), nil, .note, "3 lines name no host"), ("/h", nil, nil, .good, "not present"),
            ("/h", nil, "is a folder", .wrong, "is a folder"),
        ] as [(String?, (Int, Int)?, String?, Finding.Verdict, String)])
    func hosts(
        file: String?, counts: (Int, Int)?, problem: String?, verdict: Finding.Verdict, words: String
    ) {
        let counts = counts.map { (hosts: $0.0, unreadable: $0.1) }
        let finding = Checks.secureHosts(file: file, counts: counts, problem: problem)
        #expect(finding.verdict == verdict)
        #expect(finding.lines.map(\.string).joined(separator: "\n").contains(words))
    }

    @Test("Names, marks and NTLM are told as the options and the libraries have them")
    func others() throws {
        #expect(Checks.nameService(TransportTerms()).fact == TransportFindings.systemResolver)
        let given = try Self.terms([
            ("doh-url", "https://dns.example/q?token=hush"), ("ip-tos", "EF"), ("vlan-priority", "7"),
        ]).request.transport
        let service = Checks.nameService(given).fact.string
        #expect(service.contains("dns.example") && !service.contains("hush"))
        #expect(Checks.marking(PacketMarking(), isAllowed: true).fact == TransportFindings.unmarked)
        #expect(Checks.marking(given.marking, isAllowed: true).fact.string == "service type 184, priority 7")
        #expect(Checks.marking(given.marking, isAllowed: false).verdict == .wrong)
        #expect(Checks.ntlm(isSupported: true).verdict == .good && Checks.ntlm(isSupported: false).verdict == .note)
    }
}
