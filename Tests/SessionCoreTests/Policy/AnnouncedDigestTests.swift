import SessionSupport
import Testing

@testable import SessionCore

@Suite("Digests that servers announce")
struct AnnouncedDigestTests {
    private static let sha256 = [UInt8](repeating: 1, count: 32)
    private static let sha512 = [UInt8](repeating: 2, count: 64)
    private static let md5 = [UInt8](repeating: 3, count: 16)
    private static let short = Base64.encode(sha256)
    private static let long = Base64.encode(sha512)

    struct Case: Sendable, CustomTestStringConvertible {
        var fields: HeaderFields
        var status = 200
        var found: Checksum.Algorithm?
        var testDescription: String { "\(status) \(fields)" }
    }

    @Test(
        "What is said of the whole file is trusted, the strongest first",
        arguments: [
            Case(fields: ["Repr-Digest": "sha-256=:\(short):"], found: .sha256),
            Case(fields: ["Repr-Digest": "sha-256=:\(short):, sha-512=:\(long):;p=1"], found: .sha512),
            Case(fields: ["repr-digest": "md5=:AAAA:, SHA-256=:\(short):"], status: 206, found: .sha256),
            Case(fields: ["Digest": "SHA-256=\(short),unixsum=3"], status: 206, found: .sha256),
            Case(fields: ["Digest": "sha-512=\(long)"], found: .sha512),
            Case(fields: ["Content-Digest": "sha-256=:\(short):"], found: .sha256),
            Case(fields: ["Content-Digest": "sha-256=:\(short):"], status: 206),
            Case(fields: ["Content-MD5": Base64.encode(md5)], found: .md5),
            Case(fields: ["Content-MD5": Base64.encode(md5)], status: 206),
            Case(fields: ["Content-Encoding": "gzip", "Repr-Digest": "sha-256=:\(short):"]),
            Case(fields: ["Content-Encoding": "Identity", "Repr-Digest": "sha-256=:\(short):"], found: .sha256),
            Case(fields: ["Repr-Digest": "sha-256=:\(short):"], status: 404),
            Case(fields: ["Repr-Digest": "sha-256=\(short)"]), Case(fields: ["Repr-Digest": "sha-256=:\(long):"]),
            Case(fields: ["Repr-Digest": "sha-256=::"]), Case(fields: ["Digest": "MD5=\(Base64.encode(md5))"]),
            Case(fields: ["Digest": "SHA-256=!!"]), Case(fields: ["Digest": "="]), Case(fields: [:]),
        ])
    func trusted(_ each: Case) {
        let found = AnnouncedDigest.checksum(of: ResponseHead(statusCode: each.status, headers: each.fields))
        #expect(found?.algorithm == each.found)
        let digests = [Checksum.Algorithm.sha256: Self.sha256, .sha512: Self.sha512, .md5: Self.md5]
        #expect(found?.digest == each.found.flatMap { digests[$0] })
    }

    @Test(
        "Base64 is read as it is written, and nothing else is",
        arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar", "\u{0}\u{7f}\u{e9}"])
    func base64(_ text: String) {
        #expect(Base64.decode(Base64.encode(Array(text.utf8))) == Array(text.utf8))
        for wrong in ["=", "A===", "AAA", "AA=A", "AA A", "====", "A-A="] { #expect(Base64.decode(wrong) == nil) }
    }
}
