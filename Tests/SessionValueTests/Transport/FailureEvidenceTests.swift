import Testing

@testable import SessionCore

/// What a failed attempt and a head say about their host.
@Suite("Evidence about a host")
struct FailureEvidenceTests {
    private func evidence(
        _ code: SessionError.Code, status: Int? = nil, _ change: (inout FailureEvidence) -> Void = { _ in }
    ) -> FailureEvidence {
        var evidence = FailureEvidence(SessionError(code, "", statusCode: status))
        change(&evidence)
        return evidence
    }

    @Test("A host refuses with 429 and 503, and by closing a fresh connection without a response")
    func refusals() {
        #expect(evidence(.http, status: 429).isRefusal)
        #expect(evidence(.http, status: 503).isRefusal)
        #expect(!evidence(.http, status: 500).isRefusal)
        #expect(!evidence(.http, status: 429) { $0.asksItsHost = false }.isRefusal)
        #expect(evidence(.connectionLost) { $0.hasOwnConnection = true }.isRefusal)
        #expect(!evidence(.connectionLost).isRefusal, "it may have been idle for too long")
        #expect(!evidence(.connectionLost) { ($0.hasOwnConnection, $0.isAnswered) = (true, true) }.isRefusal)
    }

    @Test("A host that cannot be reached is in trouble, unless this machine has no route to it")
    func unreachable() {
        var asked: [String?] = []
        let failed = evidence(.timedOut) { ($0.address, $0.stead) = ("192.0.2.1", "proxy") }
        let trouble = failed.trouble {
            asked.append($0); return true
        }
        #expect(trouble?.reason == .unreachable && trouble?.address == "192.0.2.1" && trouble?.unreached == "proxy")
        #expect(asked == ["192.0.2.1"])
        #expect(failed.trouble { _ in false }?.reason == .noNetwork)
        let local = evidence(.timedOut) { $0.isLocal = true }
        #expect(local.trouble { _ in false }?.reason == .unreachable)
        let connected = evidence(.timedOut) { ($0.isConnected, $0.stead) = (true, "proxy") }
        #expect(connected.trouble { _ in true }?.unreached == nil)
        #expect(evidence(.certificate).trouble { _ in false } == nil)
    }

    @Test("A host that is late by a transfer's own limit is in no trouble, unless this machine has no route to it")
    func ownLimit() {
        #expect(evidence(.stalled).trouble { _ in true }?.reason == .silent)
        let late = evidence(.stalled) { $0.exceededOwnLimit = true }
        #expect(late.trouble { _ in true } == nil)
        #expect(late.trouble { _ in false }?.reason == .noNetwork)
    }

    @Test("The failure of another source concerns no host, except that a missing network concerns all")
    func otherSources() {
        let failed = evidence(.timedOut) { ($0.asksItsHost, $0.hasOtherSources) = (false, true) }
        #expect(failed.trouble { _ in true } == nil)
        #expect(failed.trouble { $0 != nil }?.reason == .noNetwork)
        #expect(evidence(.timedOut) { $0.asksItsHost = false }.trouble { _ in false } == nil)
    }

    @Test(
        "A head shows how much its host can take",
        arguments: [
            (200, nil, HostAvailability.Evidence.served, true), (404, nil, .answered, true),
            (429, nil, .moving, false), (503, "1", .moving, false), (503, nil, .answered, false),
        ] as [(Int, String?, HostAvailability.Evidence, Bool)])
    func heads(status: Int, wait: String?, evidence: HostAvailability.Evidence, isWelcoming: Bool) {
        var fields = HeaderFields()
        if let wait { fields["Retry-After"] = wait }
        let shown = HeadEvidence(.given(status, fields))
        #expect(shown.evidence == evidence && shown.isWelcoming == isWelcoming)
    }

    @Test("A URL's host is an address in digits, or a name")
    func addresses() {
        let hosts = ["192.0.2.1", "[2001:db8::1]", "[fe80::1%25eth0]", "host"]
        #expect(hosts.map { Attempt.address(in: $0) } == ["192.0.2.1", "2001:db8::1", nil, nil])
    }
}
