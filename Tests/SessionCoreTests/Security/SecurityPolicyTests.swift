import Foundation
import SessionSupport
import Testing

@testable import SessionCore

/// The policy as a function of values.
@Suite("Security policy", .timeLimit(.minutes(1)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct SecurityPolicyTests {
    private let server: OpenSSLServer
    private let leaf: Data
    private let authority: Data
    private let stranger: Data

    init() throws {
        server = try OpenSSLServer(.init(hasAuthority: true))
        leaf = try server.certificate()
        authority = try server.certificate("authority")
        stranger = try OpenSSLServer().certificate()
    }

    private func trust(_ chain: Data..., trusted: Bool = true, names: Bool = true) -> ServerTrust {
        ServerTrust(host: "127.0.0.1", certificates: chain, isTrustedBySystem: trusted, namesHost: names)
    }

    private func policy(
        _ mode: SecurityPolicy.PinningMode, _ pins: Data..., invalid: Bool = false, names: Bool = true
    ) throws -> SecurityPolicy {
        var policy = try SecurityPolicy(pinningMode: mode, pinnedCertificates: Set(pins))
        policy.allowsInvalidCertificates = invalid
        policy.validatesDomainName = names
        return policy
    }

    @Test("I01 I05 I11: without pins the system's trust and the host's name decide")
    func none() throws {
        let policy = SecurityPolicy.default
        #expect(policy.pinningMode == .none && policy.pinnedCertificates.isEmpty)
        #expect(policy.validatesDomainName && !policy.allowsInvalidCertificates)
        #expect(SecurityPolicy.PinningMode.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(policy.evaluate(trust(leaf, authority)))
        #expect(!policy.evaluate(trust(leaf, authority, trusted: false)))
        #expect(!policy.evaluate(trust(leaf, authority, names: false)))
        #expect(try self.policy(.none, names: false).evaluate(trust(leaf, authority, names: false)))
    }

    @Test("I03 I09: any server passes only when neither chain nor name are checked")
    func anything() throws {
        let untrusted = trust(leaf, trusted: false, names: false)
        var open = SecurityPolicy.default
        (open.allowsInvalidCertificates, open.validatesDomainName) = (true, false)
        #expect(open.evaluate(untrusted))
        #expect(try policy(.none, invalid: true, names: false).evaluate(untrusted))
        #expect(try !policy(.none, invalid: true).evaluate(trust(leaf, trusted: false)))
    }

    @Test(
        "I15: a pin without a match, or no pin, refuses",
        arguments: [SecurityPolicy.PinningMode.publicKey, .certificate])
    func noMatch(_ mode: SecurityPolicy.PinningMode) throws {
        #expect(try !policy(mode).evaluate(trust(leaf, authority)))
        #expect(try !policy(mode, invalid: true).evaluate(trust(leaf, authority)))
        #expect(try !policy(mode, stranger).evaluate(trust(leaf, authority)))
    }

    @Test(
        "I07 I12 I13: leaf and authority can be pinned",
        arguments: [SecurityPolicy.PinningMode.publicKey, .certificate])
    func match(_ mode: SecurityPolicy.PinningMode) throws {
        for pin in [leaf, authority] {
            #expect(try policy(mode, pin).evaluate(trust(leaf, authority)))
            #expect(try !policy(mode, pin).evaluate(trust(leaf, authority, trusted: false)))
            #expect(try policy(mode, pin, invalid: true).evaluate(trust(leaf, authority, trusted: false)))
        }
    }

    @Test("I04 I10 I14 KB31: the name is checked whatever is pinned")
    func nameIsChecked() throws {
        let elsewhere = trust(leaf, authority, trusted: false, names: false)
        #expect(try !policy(.publicKey, leaf, invalid: true).evaluate(elsewhere))
        #expect(try policy(.publicKey, leaf, invalid: true, names: false).evaluate(elsewhere))
    }

    @Test(
        "I13 I14: a stranger who shows the pinned certificate behind its own is refused",
        arguments: [SecurityPolicy.PinningMode.publicKey, .certificate])
    func borrowedCertificate(_ mode: SecurityPolicy.PinningMode) throws {
        #expect(try !policy(mode, leaf, invalid: true).evaluate(trust(stranger, leaf, authority, trusted: false)))
        #expect(try !policy(mode, authority, invalid: true).evaluate(trust(stranger, authority, trusted: false)))
    }

    @Test("I02 KB35: a pin that is no certificate is refused when it is set, and changes nothing")
    func badPin() throws {
        #expect(throws: SessionError.self) {
            try SecurityPolicy(pinningMode: .publicKey, pinnedCertificates: [Data([1])])
        }
        var policy = try policy(.publicKey, leaf)
        #expect(throws: SessionError.self) { try policy.pin([leaf + Data([0])]) }
        #expect(policy.pinnedCertificates == [leaf])
    }

    @Test("A chain that cannot be read is refused")
    func garbage() throws {
        #expect(try !policy(.publicKey, leaf, invalid: true).evaluate(trust(Data([1, 2]), trusted: false)))
        #expect(try !policy(.certificate, leaf, invalid: true).evaluate(trust(Data(), trusted: false)))
        #expect(try !policy(.certificate, leaf, invalid: true).evaluate(trust(trusted: false)))
    }

    @Test("I06 I08 I17 I18: a policy survives copying and coding, and pins come from files in both forms")
    func codingAndFiles() throws {
        let policy = try policy(.certificate, leaf, invalid: true, names: false)
        var strict = policy
        strict.allowsInvalidCertificates = false
        #expect(policy.allowsInvalidCertificates && strict != policy && strict.pinnedCertificates == [leaf])
        let copy = try JSONDecoder().decode(SecurityPolicy.self, from: JSONEncoder().encode(policy))
        #expect(copy == policy && copy.evaluate(trust(leaf, trusted: false)))
        // The folder has server and authority as PEM, and both again as DER.
        let found = try SecurityPolicy.certificates(in: server.folder.url)
            .subtracting([leaf, authority])
        #expect(found.isEmpty)
        #expect(try SecurityPolicy.certificates(in: server.folder.url).count >= 2)
        try server.folder.write([1, 2, 3], to: "bad.cer")
        #expect(throws: SessionError.self) { try SecurityPolicy.certificates(in: server.folder.url) }
    }

    @Test("I02: pins may be texts in PEM form, with as many certificates as they have")
    func pemPins() throws {
        let texts = try ["server", "authority"].map { try server.pem($0) }
        var policy = SecurityPolicy()
        try policy.pin([Data(texts.joined(separator: "\nnote\n").utf8)])
        #expect(policy.pinnedCertificates == [leaf, authority])
        try policy.pin([Data(texts[0].utf8), authority])
        #expect(policy.pinnedCertificates == [leaf, authority])
        let broken = [
            String(texts[0].dropLast(40)), texts[0].replacing("MI", with: "!!"), "-----BEGIN CERTIFICATE-----",
            texts[0] + texts[1].replacing("-----END CERTIFICATE-----", with: ""),
        ]
        for text in broken {
            #expect(throws: SessionError.self) { try policy.pin([Data(text.utf8)]) }
        }
        #expect(policy.pinnedCertificates == [leaf, authority])
    }

    @Test("I16: a renewed certificate with the same key fits the pin of the key, and not that of the certificate")
    func renewedCertificate() throws {
        let renewed = try server.renewedCertificate()
        #expect(renewed != leaf)
        #expect(Certificates.keyDigest(of: [UInt8](renewed)) == Certificates.keyDigest(of: [UInt8](leaf)))
        #expect(try policy(.publicKey, leaf).evaluate(trust(renewed)))
        #expect(try !policy(.certificate, leaf).evaluate(trust(renewed)))
        #expect(try !policy(.publicKey, stranger).evaluate(trust(renewed)))
    }

    @Test(
        "The policy of a host's own name counts before that of its domain, and the longest domain before others",
        arguments: [
            ("api.example.org", 1), ("API.Example.org.", 1), ("www.example.org", 2), ("a.b.example.org", 2),
            ("x.deep.example.org", 3), ("deep.example.org", 2), ("example.org", nil), ("badexample.org", nil),
            ("example.com", nil), ("", nil), ("127.0.0.1", 4),
        ] as [(String, Int?)])
    func hostNames(_ host: String, _ expected: Int?) {
        func numbered(_ number: Int) -> SecurityPolicy {
            var policy = SecurityPolicy()
            (policy.allowsInvalidCertificates, policy.validatesDomainName) = (number & 1 == 0, number & 2 == 0)
            policy.pinningMode = number == 4 ? .certificate : .none
            return policy
        }
        let policies: HostSecurityPolicies = [
            "api.example.org.": numbered(1), "*.EXAMPLE.org": numbered(2), "*.deep.example.org": numbered(3),
            "127.0.0.1": numbered(4),
        ]
        #expect(policies.policy(for: host) == expected.map(numbered))
        #expect(policies["API.example.org"] == numbered(1) && policies["example.org"] == nil)
    }

    @Test(
        "A host's policy is found however its name is written: an international name, an address without brackets",
        arguments: [
            ("bücher.example", "https://bücher.example/"), ("bücher.example", "https://xn--bcher-kva.example/"),
            ("xn--bcher-kva.example", "https://BÜCHER.example/"), ("BÜCHER.example.", "https://b%C3%BCcher.example/"),
            ("*.bücher.example", "https://www.xn--bcher-kva.example/"), ("2001:db8::1", "https://[2001:db8::1]/"),
            ("2001:DB8:0::1", "https://[2001:db8::1]:8443/"), ("[2001:db8::1]", "https://[2001:DB8:0:0::1]/"),
            ("fe80::1%eth0", "https://[fe80::1%25eth0]/"), ("127.0.0.1", "https://127.0.0.1:8443/"),
        ])
    func writtenNames(_ name: String, _ url: String) throws {
        var policy = SecurityPolicy()
        policy.pinningMode = .publicKey
        var policies = HostSecurityPolicies()
        policies[name] = policy
        #expect(policies.policy(for: try Origin(url).host) == policy && policies[name] == policy)
        // The cache asks with the host as the URL has it.
        let written = try #require(URLScan(url).host)
        #expect(policies.policy(for: String(url[written])) == policy)
        policies[name] = nil
        #expect(policies == HostSecurityPolicies())
    }

    @Test(
        "A text that is no host's name is the policy of no host",
        arguments: [
            "https://example.org", "example.org/path", "me@example.org", "example.org:443", "example.org?a", "*", "",
        ])
    func noNames(_ name: String) {
        let policies: HostSecurityPolicies = [name: SecurityPolicy()]
        for host in ["example.org", "https", "me", "path", "www.example.org"] {
            #expect(policies.policy(for: host) == nil)
        }
        #expect(policies[name] != nil)
    }
}
