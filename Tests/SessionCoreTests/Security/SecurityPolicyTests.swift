import Foundation
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

    @Test("Without pins the system's trust and the host's name decide")
    func none() throws {
        let policy = SecurityPolicy.default
        #expect(policy.evaluate(trust(leaf, authority)))
        #expect(!policy.evaluate(trust(leaf, authority, trusted: false)))
        #expect(!policy.evaluate(trust(leaf, authority, names: false)))
        #expect(try self.policy(.none, names: false).evaluate(trust(leaf, authority, names: false)))
    }

    @Test("Any server passes only when neither chain nor name are checked")
    func anything() throws {
        let untrusted = trust(leaf, trusted: false, names: false)
        #expect(try policy(.none, invalid: true, names: false).evaluate(untrusted))
        #expect(try !policy(.none, invalid: true).evaluate(trust(leaf, trusted: false)))
    }

    @Test("A pin without a match, or no pin, refuses", arguments: [SecurityPolicy.PinningMode.publicKey, .certificate])
    func noMatch(_ mode: SecurityPolicy.PinningMode) throws {
        #expect(try !policy(mode).evaluate(trust(leaf, authority)))
        #expect(try !policy(mode, invalid: true).evaluate(trust(leaf, authority)))
        #expect(try !policy(mode, stranger).evaluate(trust(leaf, authority)))
    }

    @Test("Leaf and authority can be pinned", arguments: [SecurityPolicy.PinningMode.publicKey, .certificate])
    func match(_ mode: SecurityPolicy.PinningMode) throws {
        for pin in [leaf, authority] {
            #expect(try policy(mode, pin).evaluate(trust(leaf, authority)))
            #expect(try !policy(mode, pin).evaluate(trust(leaf, authority, trusted: false)))
            #expect(try policy(mode, pin, invalid: true).evaluate(trust(leaf, authority, trusted: false)))
        }
    }

    @Test("KB31: the name is checked whatever is pinned")
    func nameIsChecked() throws {
        let elsewhere = trust(leaf, authority, trusted: false, names: false)
        #expect(try !policy(.publicKey, leaf, invalid: true).evaluate(elsewhere))
        #expect(try policy(.publicKey, leaf, invalid: true, names: false).evaluate(elsewhere))
    }

    @Test(
        "A stranger who shows the pinned certificate behind its own is refused",
        arguments: [SecurityPolicy.PinningMode.publicKey, .certificate])
    func borrowedCertificate(_ mode: SecurityPolicy.PinningMode) throws {
        #expect(try !policy(mode, leaf, invalid: true).evaluate(trust(stranger, leaf, authority, trusted: false)))
        #expect(try !policy(mode, authority, invalid: true).evaluate(trust(stranger, authority, trusted: false)))
    }

    @Test("KB35: a pin that is no certificate is refused when it is set, and changes nothing")
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

    @Test("A policy survives coding, and pins come from files in both forms")
    func codingAndFiles() throws {
        let policy = try policy(.certificate, leaf, invalid: true, names: false)
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
}
