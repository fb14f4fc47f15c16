import Dashboard
import Testing

@testable import TransferService
@testable import netdash

/// Metalinks as jobs, and what is refused of them.
@Suite("Metalinks")
struct MetalinkTests {
    private static let digest = String(repeating: "ab", count: 32)

    private static func document(_ files: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- made by hand -->
        <metalink xmlns="urn:ietf:params:xml:ns:metalink"><generator>x/1</generator>\(files)</metalink>

        """
    }

    private static func file(_ name: String = "f.iso", _ content: String = "<url>https://h/f.iso</url>") -> String {
        "<file name=\"\(name)\">\(content)</file>"
    }

    private static func jobs(_ text: String) throws(UsageError) -> [Job] {
        try Metalink.jobs(in: Array(text.utf8), name: "l.meta4", defaults: Job(kind: .download, url: ""))
    }

    @Test("A file has its name, its strongest digest, its length, and its places by priority")
    func whole() throws {
        let text = Self.document(
            Self.file(
                "dir/a &amp; b.iso",
                """
                <size> 5000 </size><hash type="md5">00</hash><hash type="SHA-256">\(Self.digest)</hash>
                <pieces length="10" type="sha-1"><hash>00</hash></pieces>
                <url priority="3">https://three/f</url><url>ftp://no/f</url><url priority="1">http://one/f?a=1&#38;b=2</url>
                <url location="de"><![CDATA[https://last/f]]></url><metaurl mediatype="torrent">https://t/f</metaurl>
                """) + Self.file("second"))
        let jobs = try Self.jobs(text)
        #expect(jobs.map(\.output) == [.name("dir/a & b.iso"), .name("second")])
        #expect(jobs.map(\.url) == ["http://one/f?a=1&b=2", "https://h/f.iso"])
        #expect(jobs[0].checksum == Job.Checksum(algorithm: .sha256, hex: Self.digest))
        #expect(jobs[0].options.map(\.line) == ["length=5000", "mirror=https://three/f", "mirror=https://last/f"])
        #expect(jobs[1].checksum == nil && jobs[1].options.isEmpty)
    }

    @Test("A Metalink of version 3 says the same in other places")
    func older() throws {
        let text = """
            <metalink version="3.0" xmlns="http://www.metalinker.org/"><publisher><url>http://p/</url></publisher><files>
            <file name="f.iso"><size>5000</size><verification><hash type="md5">00</hash>
            <hash type="sha256">\(Self.digest)</hash><pieces length="10" type="sha1"><hash piece="0">00</hash></pieces>
            </verification><resources maxconnections="5"><url type="bittorrent" preference="100">http://t/f.torrent</url>
            <url type="ftp" preference="90">ftp://no/f</url><url type="http" preference="10">http://ten/f</url>
            <url type="http" preference="95">http://most/f</url><url type="http">http://last/f</url></resources></file>
            </files></metalink>
            """
        let job = try #require(try Self.jobs(text).first)
        #expect(job.url == "http://most/f" && job.output == .name("f.iso"))
        #expect(job.checksum == Job.Checksum(algorithm: .sha256, hex: Self.digest))
        #expect(job.options.map(\.line) == ["length=5000", "mirror=http://ten/f", "mirror=http://last/f"])
    }

    @Test("Files whose digests are of pieces alone, or of an unknown kind, are told as not verified")
    func unverified() throws {
        let pieces = "<pieces length=\"10\" type=\"sha-256\"><hash>00</hash></pieces>"
        let url = "<url>https://h/f</url>"
        let files = [
            ("pieces", pieces + url), ("other", "<hash type=\"sha-384\">00</hash>" + url), ("none", url),
            ("whole", "<hash type=\"sha-256\">\(Self.digest)</hash>" + pieces + url),
        ]
        var told: [String] = []
        _ = try Metalink.jobs(
            in: Array(Self.document(files.map { Self.file($0.0, $0.1) }.joined()).utf8), name: "l.meta4",
            defaults: Job(kind: .download, url: "")
        ) { told.append($0) }
        #expect(told == ["pieces", "other"])
    }

    @Test("Prefixes mean nothing, and a list of URLs is no Metalink")
    func prefixes() throws {
        let text =
            "<m:metalink xmlns:m='urn:ietf:params:xml:ns:metalink'><m:file name='f'><m:url>http://h/f</m:url></m:file></m:metalink>"
        #expect(try Self.jobs(text).map(\.url) == ["http://h/f"])
        func format(_ text: String) -> String? {
            let defaults = Job(kind: .download, url: "")
            return ListFormat.of(ListDocument(bytes: Array(text.utf8), name: "l", defaults: defaults))?.name
        }
        #expect(format("\u{FEFF}\n <metalink") == ListUsage.metalink)
        #expect(format("http://h/f\n") == nil && format("") == nil)
    }

    static let bombs =
        "<!DOCTYPE m [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"/>"

    @Test(
        "What is wrong is refused in one sentence",
        arguments: [
            (document(file("../x")), MetalinkUsage.unsafeName("../x")),
            (document(file("/etc/x")), MetalinkUsage.unsafeName("/etc/x")),
            (document(file("a/../../x")), MetalinkUsage.unsafeName("a/../../x")),
            (document(file("a\\b")), MetalinkUsage.unsafeName("a\\b")),
            (document(file("")), MetalinkUsage.unsafeName("")),
            (document(file("a&#10;b")), MetalinkUsage.unsafeName("a\nb")),
            (document(file("f", "<url>ftp://h/f</url>")), MetalinkUsage.noURL("f")),
            (document(file("f", "")), MetalinkUsage.noURL("f")), (document(""), MetalinkUsage.noFile),
            (document(file() + file()), "twice"),
            (document(file("f", "<size>big</size><url>http://h/f</url>")), MetalinkUsage.size("big", of: "f")),
            (
                document(file("f", "<hash type=\"sha-256\">12</hash><url>http://h/f</url>")),
                MetalinkUsage.digest("sha-256", of: "f")
            ),
            ("<metalink version=\"5.0\" xmlns=\"http://h/\"/>", MetalinkUsage.version("5.0")),
            ("<metalink version=\"3.0\" xmlns=\"http://www.metalinker.org/\"/>", MetalinkUsage.noFile),
            ("<html/>", MetalinkUsage.root("html")), (document(file()) + "<x/>", MarkupUsage.afterRoot),
            ("<a><b>text", MarkupUsage.end), ("<a><b></a>", MarkupUsage.notClosed),
            (bombs, MarkupUsage.documentType), (document("&a;"), MarkupUsage.entity),
            (document("&#1;"), MarkupUsage.entity),
            (document("<![CDATA["), MarkupUsage.end),
            (String(repeating: "<a>", count: 100), MarkupUsage.tooDeep),
            ("<a b='1' b='2'/>", MarkupUsage.attributeTwice),
            ("<a b=1/>", MarkupUsage.noQuotes),
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", MarkupUsage.notUTF8), ("<", MarkupUsage.tag),
        ])
    func refused(text: String, words: String) {
        do throws(UsageError) {
            _ = try Self.jobs(text)
            Issue.record("It was read: \(text)")
        } catch {
            #expect(error.message.contains(words), "\(error)")
            #expect(error.message.contains("l.meta4"))
        }
    }

    @Test("Bytes that are no UTF-8 are refused")
    func noText() {
        #expect(throws: Markup.Fault.self) { try Markup.read(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) }
    }
}
