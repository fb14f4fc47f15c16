import SessionSupport
import Testing

@testable import SessionCore

@Suite("Digests")
struct CodingTests {
    @Test(
        "Digests of “abc”",
        arguments: [
            (Checksum.Algorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ])
    func digests(algorithm: Checksum.Algorithm, expected: String) throws {
        let digest = try Digest.of("abc".utf8, algorithm)
        #expect(ByteText.hexadecimal(digest) == expected)
        #expect(digest.count == algorithm.byteCount)
    }

    @Test("A digest does not depend on how the bytes were cut, and is finished once")
    func pieces() throws {
        let digest = try Digest(.sha256)
        for piece in ["a", "", "bc"] {
            try Array(piece.utf8).withUnsafeBytes { try digest.update($0) }
        }
        #expect(try digest.finalValue() == Digest.of("abc".utf8, .sha256))
        #expect(throws: SessionError.self) { try digest.finalValue() }
    }
}
