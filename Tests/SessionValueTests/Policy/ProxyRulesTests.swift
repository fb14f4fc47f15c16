import Testing

@testable import SessionCore

/// Which proxy a request goes through: texts, environments and exceptions, as curl 7.88 reads them.
@Suite("Rules of proxies", .timeLimit(.minutes(1)))
struct ProxyRulesTests {
    @Test(
        "A proxy is read with its scheme, port, name and password",
        arguments: [
            ("proxy.example", "http://proxy.example:1080", nil, nil), ("HTTP://P:3128/", "http://p:3128", nil, nil),
            ("https://p", "https://p:443", nil, nil), ("socks5h://me:a%3Ab@[::1]:9", "socks5h://[::1]:9", "me", "a:b"),
            ("socks://p", "socks4://p:1080", nil, nil), ("http://me@p:1", "http://p:1", "me", nil),
        ] as [(String, String, String?, String?)])
    func reads(text: String, endpoint: String, user: String?, password: String?) throws {
        let proxy = try Proxy(text)
        #expect(proxy.endpoint == endpoint && proxy.user == user && proxy.password == password)
        #expect(!proxy.description.contains("a:b"))
    }

    @Test(
        "What is no proxy is refused",
        arguments: [
            "", "ftp://p", "http://", "http://p:0", "http://p:70000", "http://p/path", "http://p?q", "http://a%0Ab:c@p",
        ])
    func refuses(text: String) { #expect(throws: SessionError.self) { try Proxy(text) } }

    @Test("The environment is read as curl reads it")
    func environment() throws {
        func endpoints(_ environment: [String: String]) throws -> [String?] {
            let settings = try ProxySettings(environment: environment)
            return [settings.http?.endpoint, settings.https?.endpoint]
        }
        #expect(try endpoints([:]) == [nil, nil])
        #expect(try endpoints(["http_proxy": "a", "https_proxy": "b"]) == ["http://a:1080", "http://b:1080"])
        #expect(try endpoints(["HTTP_PROXY": "a", "HTTPS_PROXY": "b"]) == [nil, "http://b:1080"])
        #expect(try endpoints(["https_proxy": "a", "HTTPS_PROXY": "b"]) == [nil, "http://a:1080"])
        #expect(try endpoints(["ALL_PROXY": "socks5://c:9", "http_proxy": "a"]) == ["http://a:1080", "socks5://c:9"])
        #expect(try endpoints(["http_proxy": "", "all_proxy": "c"]) == ["http://c:1080", "http://c:1080"])
        #expect(try ProxySettings(environment: ["NO_PROXY": "x", "no_proxy": "y"]).exceptions == "y")
        let error = #expect(throws: SessionError.self) {
            try ProxySettings(environment: ["https_proxy": "ftp://me:secret@h"])
        }
        #expect(error?.message.hasPrefix("https_proxy: ") == true && error?.message.contains("secret") == false)
    }

    @Test(
        "Exceptions are names with what is below them, addresses and networks",
        arguments: [
            ("*", "any.example", true), ("example.com", "example.com", true), ("example.com", "www.example.com", true),
            (".example.com", "example.com", true), ("example.com", "badexample.com", false),
            ("EXAMPLE.com.", "example.COM", true),
            ("a, b example.com", "example.com", true), ("example.com", "example.com.", true),
            ("com", "example.com", true),
            ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.168.1.5", "192.168.1.5", true),
            ("192.168.1.5/0", "8.8.8.8", true), ("10.1.0.0/12", "10.15.0.1", true), ("10.1.0.0/12", "10.16.0.1", false),
            ("::1", "[::1]", true), ("[::1]", "[::1]", true), ("fe80::/10", "[fe80::12:3]", true),
            ("fe80::/10", "[fd00::1]", false),
            ("10.0.0.0/x", "10.0.0.1", false), ("10.0.0.0/33", "10.0.0.0", false), ("5", "192.168.1.5", false),
            ("", "h", false),
        ])
    func exceptions(list: String, host: String, isExcepted: Bool) {
        #expect(ProxySettings.isExcepted(host, port: 80, from: list) == isExcepted)
    }

    @Test(
        "A port behind an entry means that port alone, and a star any characters",
        arguments: [
            ("h.example:8080", "h.example", 8080, true), ("h.example:8080", "h.example", 80, false),
            ("example:8080", "h.example", 8080, true), ("127.0.0.1:9", "127.0.0.1", 9, true),
            ("127.0.0.1:9", "127.0.0.1", 8, false), ("[::1]:9", "[::1]", 9, true), ("[::1]:9", "[::1]", 8, false),
            ("::1", "[::1]", 1, true), ("10.0.0.0/8:80", "10.1.2.3", 80, true), ("h:0", "h", 80, false),
            ("*.example.com", "www.example.com", 80, true), ("*.example.com", "a.b.example.com", 80, true),
            ("*.example.com", "example.com", 80, false), ("*.example.com", "badexample.com", 80, false),
            ("*.example.com:8080", "www.example.com", 80, false), ("*.Example.com", "WWW.example.com", 80, true),
            ("192.168.*", "192.168.4.5", 80, true), ("192.168.*", "192.169.4.5", 80, false),
            ("a*c*e", "abcde", 80, true), ("a*c*e", "abde", 80, false), ("ab*b", "ab", 80, false),
            ("fe80::1", "[fe80::1%25eth0]", 80, true),
        ])
    func forms(list: String, host: String, port: Int, isExcepted: Bool) {
        #expect(ProxySettings.isExcepted(host, port: port, from: list) == isExcepted)
    }

    @Test("A URL's scheme chooses the proxy")
    func scheme() throws {
        let settings = ProxySettings(http: try Proxy("a"), https: nil, exceptions: "local")
        #expect(settings.proxy(for: try Origin("http://h/"))?.host == "a")
        #expect(settings.proxy(for: try Origin("https://h/")) == nil)
        #expect(settings.proxy(for: try Origin("http://local/")) == nil)
    }
}
