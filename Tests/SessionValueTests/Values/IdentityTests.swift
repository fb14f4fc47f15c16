import Glibc
import Testing

@testable import SessionCore
@testable import SessionHTTP

@Suite("URLs, origins and header fields")
struct IdentityTests {
    @Test("A URL's parts, with what spelling hides taken away")
    func parts() throws {
        let url = try URLParser.parse("HTTPS://User:p%40w@Example.COM.:8443/a/b?c=d#e")
        #expect(url.scheme == "https")
        #expect(url.host == "example.com")
        #expect(url.port == 8443)
        #expect(url.path == "/a/b")
        #expect(url.query == "c=d")
        #expect(url.fragment == "e")
        #expect(url.user == "User")
        #expect(url.hasUserinfo)
        #expect(try URLParser.parse("http://[::1]/").origin == Origin(scheme: "http", host: "[::1]", port: 80))
    }

    @Test(
        "A host beyond ASCII has one form, whatever the locale",
        arguments: [
            ("http://BÜCHER.example/", "xn--bcher-kva.example"),
            ("http://b%C3%BCcher.example/", "xn--bcher-kva.example"),
            ("http://faß.de:81/ä?ö", "xn--fa-hia.de"), ("http://日本語。jp/", "xn--wgv71a119e.jp"),
            ("http://u:p@xn--bcher-kva.example/", "xn--bcher-kva.example"), ("http://☃.net.", "xn--n3h.net"),
        ],
        ["C", "C.UTF-8"])
    func internationalHost(url: (text: String, host: String), locale: String) throws {
        // Of this thread alone.
        let chosen = try #require(newlocale(1 << LC_CTYPE, locale, nil))
        let before = uselocale(chosen)
        defer {
            _ = uselocale(before)
            freelocale(chosen)
        }
        #expect(try Origin(url.text).host == url.host)
    }

    @Test(
        "Letters beyond ASCII go onto the wire in escapes of capital digits; what is written as an escape stays",
        arguments: [
            ("http://h/café", "http://h/caf%C3%A9"),
            ("http://h/%c3%a9é?q=é&r=%c3#x", "http://h/%c3%a9%C3%A9?q=%C3%A9&r=%c3#x"),
            ("http://bücher.example:81/ä", "http://bücher.example:81/%C3%A4"), ("http://h?ü", "http://h?%C3%BC"),
            ("http://h/a b(c)", "http://h/a b(c)"), ("http://h/👴🏿", "http://h/%F0%9F%91%B4%F0%9F%8F%BF"),
            ("/ü?ü", "/%C3%BC?%C3%BC"), ("ü", "%C3%BC"), ("", ""),
        ])
    func escaped(_ url: String, _ wire: String) { #expect(URLParser.escaped(url) == wire) }

    @Test(
        "A place is resolved with the same escapes",
        arguments: [
            ("café", "http://h/a/caf%C3%A9"), ("/é?é", "http://h/%C3%A9?%C3%A9"), ("?é", "http://h/a/%C3%BC?%C3%A9"),
            ("#part", "http://h/a/%C3%BC#part"), ("#two words%20", "http://h/a/%C3%BC#two%20words%20"),
            ("http://other/é b", "http://other/%C3%A9%20b"), ("%c3%a9", "http://h/a/%c3%a9"),
        ])
    func resolvedForm(_ reference: String, _ url: String) throws {
        #expect(try URLParser.resolve(reference, against: "http://h/a/ü") == url)
        #expect(try HTTPManager(baseURL: "http://h/a/").url(of: "café") == "http://h/a/caf%C3%A9")
        #expect(try ParsedURL("http://h/é?é").target == "/%C3%A9?%C3%A9")
    }

    @Test("A host that is no name is refused", arguments: ["http://-ü.example/", "http://ü\u{FFFD}.example/"])
    func invalidHost(text: String) {
        let error = #expect(throws: SessionError.self) { try URLParser.parse(text) }
        #expect(error?.code == .invalidURL)
        #expect(error?.message.contains("host name") == true)
    }

    @Test(
        "URLs that cannot be used",
        arguments: [
            "", "example.com/x", "/x", "http://", "http://a b/", "http://a/\r\nX: y", "http://a/\0",
            "http://a:0/", "http://a:70000/", "http://./", "http://[::1/", "http://a/\u{7F}",
        ])
    func invalid(text: String) {
        #expect(throws: SessionError.self) { try URLParser.parse(text) }
    }

    @Test("Other schemes are named in the refusal", arguments: ["ftp://a/", "file:///etc/passwd", "ws://a/"])
    func schemes(text: String) {
        let error = #expect(throws: SessionError.self) { try URLParser.parse(text) }
        #expect(error?.code == .unsupportedScheme)
    }

    @Test("An error about a URL does not tell its password")
    func errors() {
        let error = #expect(throws: SessionError.self) { try URLParser.parse("ftp://u:hunter2@h/") }
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test("Header fields that would inject something are refused")
    func headers() {
        #expect(throws: Never.self) { try HeaderValidator.validate(["X-A_1!": "täxt\twith tab", "Empty": ""]) }
        for (name, value) in [
            ("", "x"), ("A B", "x"), ("A:", "x"), ("Ä", "x"), ("A\n", "x"), ("A", "x\r\nB: y"), ("A", "x\ny"),
            ("A", "x\0"), ("A", "x\u{1B}[0m"), ("A", "x\u{7F}"),
        ] {
            let error = #expect(throws: SessionError.self) { try HeaderValidator.validate(name: name, value: value) }
            #expect(error?.code == .invalidHeader)
        }
        #expect(throws: SessionError.self) { try HeaderValidator.validate(method: "GET /x") }
        #expect(throws: Never.self) { try HeaderValidator.validate(method: "PROPFIND") }
    }
}
