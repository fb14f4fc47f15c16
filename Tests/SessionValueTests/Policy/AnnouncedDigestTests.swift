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
        "A digest of what is sent is one of the range alone, but not where it is the file's",
        arguments: [
            Case(fields: ["Content-Digest": "sha-256=:\(short):"], status: 206, found: .sha256),
            Case(fields: ["Content-MD5": Base64.encode(md5)], status: 206, found: .md5),
            Case(fields: ["Content-Digest": "sha-256=:\(short):"], status: 200),
            Case(fields: ["Content-Digest": "sha-512=:\(long):"], status: 206),
            Case(
                fields: ["Content-Digest": "sha-256=:\(short):", "Repr-Digest": "sha-256=:\(short):"], status: 206),
            Case(fields: ["Content-Digest": "sha-256=:\(short):", "Content-Encoding": "gzip"], status: 206),
            Case(fields: ["Repr-Digest": "sha-256=:\(short):"], status: 206), Case(fields: [:], status: 206),
        ])
    func ranges(_ each: Case) {
        let head = ResponseHead(statusCode: each.status, headers: each.fields)
        let file = Checksum(algorithm: .sha512, digest: Self.sha512)
        #expect(AnnouncedDigest.range(of: head, file: file)?.algorithm == each.found)
    }

    @Test(
        "A body is compared once all of it is there, and one of unknown length when it is read",
        arguments: [(nil, 3), (3, 3), (3, 2), (4, 3)] as [(Int64?, Int)])
    func checks(count: Int64?, received: Int) throws {
        let bytes: [UInt8] = [1, 2, 3]
        for isRight in [true, false] {
            let digest = isRight ? try Digest.of(bytes.prefix(received), .sha256) : Self.sha256
            let check = try #require(DigestCheck(Checksum(algorithm: .sha256, digest: digest), count: count))
            for byte in bytes.prefix(received) { withUnsafeBytes(of: byte) { check.add($0) } }
            let isOver = count.map { $0 == received } ?? true
            #expect((check.error?.code == .checksum) == (isOver && !isRight))
            #expect((check.error != nil) == (isOver && !isRight), "it may be read again")
        }
    }

    @Test(
        "Base64 is read as it is written, and nothing else is",
        arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar", "\u{0}\u{7f}\u{e9}"])
    func base64(_ text: String) {
        #expect(Base64.decode(Base64.encode(Array(text.utf8))) == Array(text.utf8))
        for wrong in ["=", "A===", "AAA", "AA=A", "AA A", "====", "A-A="] { #expect(Base64.decode(wrong) == nil) }
    }
}
