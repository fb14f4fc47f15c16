import Testing

@testable import Dashboard
@testable import TransferValues

@Suite("Checksums that lie beside their files")
struct PublishedChecksumTests {
    private static let one = String(repeating: "1", count: 64)
    private static let two = String(repeating: "2", count: 64)
    private static let long = String(repeating: "3", count: 128)

    @Test("The files that may be there are those of the folder and of the download, without its query")
    func places() {
        let urls = PublishedChecksum.candidates(beside: "https://u:p@h:1/d/a%20b.iso?sign=1#x").map(\.url)
        #expect(
            urls == [
                "https://u:p@h:1/d/SHA256SUMS", "https://u:p@h:1/d/SHA512SUMS", "https://u:p@h:1/d/a%20b.iso.sha256",
                "https://u:p@h:1/d/a%20b.iso.sha512",
            ])
        for url in ["https://h/", "https://h", "https://h/d/?x=a", "nonsense"] {
            #expect(PublishedChecksum.candidates(beside: url).isEmpty)
        }
    }

    @Test(
        "A list of a folder names the download exactly",
        arguments: [
            ("\(one)  a b.iso\n\(two)  c.iso\n", one), ("\(one) *./a b.iso\r\n", one),
            ("SHA256 (a b.iso) = \(one.uppercased())", one), ("\(one)  old/a b.iso\n\(two)  a b.iso", two),
            ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n\(one)  a b.iso\n", one),
            ("\(one)  a b.iso\n\(one)  a b.iso\n", one), ("\(one)  a b.iso\n\(two)  a b.iso\n", nil),
            ("\(one)  c.iso", nil), (one, nil), ("<html>", nil), ("", nil), ("\(long)  a b.iso", nil),
            ("\(one)  dir/a b.iso", nil),
        ])
    func lists(text: String, hex: String?) {
        let candidate = PublishedChecksum.candidates(beside: "http://h/a%20b.iso")[0]
        #expect(candidate.checksum(in: text) == hex.map { Job.Checksum(algorithm: .sha256, hex: $0) })
    }

    @Test(
        "A file of one download may have its digest alone, or under another name",
        arguments: [
            (one, one), (" \(one)\n", one), ("\(one)  /build/x.iso", one), ("\(one)  a b.iso\n\(two)  c.iso", one),
            ("\(one)  x\n\(two)  y", nil), ("\(one)\n\(two)", nil), ("<html>\(one)</html>", nil), (long, nil),
        ])
    func ofOne(text: String, hex: String?) {
        let candidate = PublishedChecksum.candidates(beside: "http://h/a%20b.iso")[2]
        #expect(candidate.checksum(in: text) == hex.map { Job.Checksum(algorithm: .sha256, hex: $0) })
    }
}
