import CCurl
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Scan of a URL's text")
struct URLScanTests {
    /// The parts of a URL: nil where it has none.
    struct Parts: Equatable {
        var scheme: String?
        var userInfo: String?
        var host: String?
        var port: String?
        var path: String
        var query: String?
        var fragment: String?
    }

    private static func parts(of url: String) -> Parts {
        let scan = URLScan(url)
        func text(_ range: Range<String.Index>?) -> String? { range.map { String(url[$0]) } }
        return Parts(
            scheme: text(scan.scheme), userInfo: text(scan.userInfo), host: text(scan.host), port: text(scan.port),
            path: String(url[scan.path]), query: text(scan.query), fragment: text(scan.fragment))
    }

    @Test(
        "Parts stand where RFC 3986 puts them",
        arguments: [
            (
                "https://u:p@h.example:8080/a/b?x=1#f",
                Parts(
                    scheme: "https", userInfo: "u:p", host: "h.example", port: "8080", path: "/a/b", query: "x=1",
                    fragment: "f")
            ),
            ("http://[::1]:80", Parts(scheme: "http", host: "[::1]", port: "80", path: "")),
            ("http://h?@/x", Parts(scheme: "http", host: "h", path: "", query: "@/x")),
            ("//u@h/x", Parts(userInfo: "u", host: "h", path: "/x")),
            ("http://a@b@h/", Parts(scheme: "http", userInfo: "a@b", host: "h", path: "/")),
            ("h:80/x", Parts(scheme: "h", path: "80/x")), ("/a//b", Parts(path: "/a//b")), ("", Parts(path: "")),
            ("mailto:a@b", Parts(scheme: "mailto", path: "a@b")),
        ])
    func table(url: String, expected: Parts) {
        #expect(Self.parts(of: url) == expected)
    }

    @Test(
        "A host is named after a scheme and two slashes alone",
        arguments: [
            ("http://h", true), ("HTTPS://u@h:1/x?y#z", true), ("ftp://h", true), ("http:///h", false),
            ("http:/h", false), ("http://", false), ("http://:80/", false), ("http://u@/", false), ("//h", false),
            ("http:h", false), ("h/x", false), ("", false),
        ])
    func namedHosts(url: String, expected: Bool) {
        #expect(URLScan(url).namesHost == expected)
    }

    @Test(
        "Schemes are compared without their case",
        arguments: [
            ("http://h", true, false), ("HtTpS://h", true, true), ("httpx://h", false, false),
            ("htt://h", false, false),
            ("ftp://h/https", false, false), ("//https", false, false), ("", false, false),
        ])
    func schemes(url: String, isWeb: Bool, isEncrypted: Bool) {
        #expect(URLScan(url).isWeb == isWeb)
        #expect(URLScan(url).isEncrypted == isEncrypted)
    }

    @Test("Where libcurl takes a URL, it finds the same parts")
    func agreesWithLibcurl() throws {
        var generator = SplitMix(state: 20)
        var taken = 0
        for _ in 0..<20_000 {
            let url = Self.randomURL(&generator)
            guard let handle = URLHandle(),
                handle.set(CURLUPART_URL, url, flags: Int32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK
            else { continue }
            // libcurl also takes schemes that RFC 3986 does not allow, which the library refuses.
            guard let scheme = handle.get(CURLUPART_SCHEME), ["http", "https"].contains(scheme) else { continue }
            taken += 1
            let parts = Self.parts(of: url)
            #expect(parts.scheme.map(ByteText.lowercased(_:)) == scheme, "\(url)")
            #expect(try Self.spelled(#require(parts.host, "\(url)")) == handle.get(CURLUPART_HOST), "\(url)")
            // libcurl drops an empty port and an empty fragment.
            let port = Self.nonEmpty(parts.port).flatMap { Int($0) }
            #expect(port == handle.get(CURLUPART_PORT).flatMap { Int($0) }, "\(url)")
            #expect(parts.query == handle.get(CURLUPART_QUERY), "\(url)")
            #expect(Self.nonEmpty(parts.fragment) == Self.nonEmpty(handle.get(CURLUPART_FRAGMENT)), "\(url)")
            let user = handle.get(CURLUPART_USER)
            let userInfo = handle.get(CURLUPART_PASSWORD).map { (user ?? "") + ":" + $0 } ?? user
            #expect(Self.nonEmpty(parts.userInfo) == Self.nonEmpty(userInfo), "\(url)")
        }
        #expect(taken > 2_000)
    }

    /// A host as libcurl spells it: percent signs decoded, numbers as addresses.
    private static func spelled(_ host: String) -> String? {
        guard let handle = URLHandle(), handle.set(CURLUPART_URL, "http://\(host)/") == CURLUE_OK else { return nil }
        return handle.get(CURLUPART_HOST)
    }

    private static func nonEmpty(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    private static func randomURL(_ generator: inout SplitMix) -> String {
        let pieces = [
            "http", "https", "HTTP", ":", "://", "//", "/", "a", "b.c", "u", "p", "@", ":", "80", "8080", "?", "#",
            "x=1",
            "[::1]", "%41", "..", "-", "&", "=",
        ]
        var url = Bool.random(using: &generator) ? "http://" : ""
        for _ in 0..<Int.random(in: 1...7, using: &generator) { url += pieces.randomElement(using: &generator) ?? "" }
        return url
    }

    /// The same URLs in every run.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }
}
