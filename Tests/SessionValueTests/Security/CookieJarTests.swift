import Testing

@testable import SessionCore

/// Cookies and `.netrc` files: who gets what.
@Suite("Cookies and netrc files", .timeLimit(.minutes(1)))
struct CookieJarTests {
    private func jar(_ fields: [String], from url: String = "https://a.example/login/form", now: Int64 = 1_000)
        -> CookieJar
    {
        let jar = CookieJar { now }
        jar.store(fields, from: url)
        return jar
    }

    @Test(
        "A cookie goes back where it belongs, and nowhere else",
        arguments: [
            ("s=1; Path=/", "https://a.example/", "s=1"), ("s=1; Path=/", "https://b.example/", nil),
            ("s=1; Path=/", "https://www.a.example/", nil),
            ("s=1; Path=/; Domain=a.example", "https://www.a.example/", "s=1"),
            ("s=1; Path=/; Domain=example", "https://b.example/", nil),
            ("s=1; Path=/; Domain=other", "https://a.example/", nil),
            ("__Host-s=1; Path=/; Secure; Domain=a.example", "https://a.example/", nil),
            ("__Host-s=1; Path=/; Secure; Domain=", "https://a.example/", "__Host-s=1"),
            ("s=1", "https://a.example/login/x", "s=1"), ("s=1", "https://a.example/other", nil),
            ("s=1; Path=/a", "https://a.example/a/b", "s=1"), ("s=1; Path=/a", "https://a.example/ab", nil),
            ("s=1; Path=/; Secure", "http://a.example/", nil), ("s=1; Path=/", "http://a.example/", "s=1"),
            ("s=1; Path=/; Max-Age=0", "https://a.example/", nil),
            ("s=1; Path=/; Max-Age=9", "https://a.example/", "s=1"),
            ("s=1; Path=/; Expires=Thu, 01-Jan-1970 00:00:01 GMT", "https://a.example/", nil),
            ("s=1; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "https://a.example/", "s=1"),
            ("__Host-s=1; Path=/login; Secure", "https://a.example/login", nil),
            ("=1", "https://a.example/login/", nil),
            ("__Secure-s=1; Path=/", "https://a.example/", nil),
        ])
    func scope(field: String, url: String, expected: String?) { #expect(jar([field]).field(for: url) == expected) }

    @Test(
        "A cookie with a domain goes to its hosts, and a public suffix is no domain",
        arguments: [
            ("a.example.com", "example.com", "b.example.com", true),
            ("a.example.com", "example.com", "example.com", true),
            ("a.example.com", ".Example.COM", "b.example.com", true),
            ("a.example.com", "..example.com", "b.example.com", false),
            ("a.example.com", "example.com", "badexample.com", false),
            ("example.com", "example.com", "b.example.com", true),
            ("a.example.com", "b.example.com", "b.example.com", false),
            ("example.com", "a.example.com", "a.example.com", false),
            ("a.example.com", "com", "b.com", false), ("shop.co.uk", "co.uk", "other.co.uk", false),
            ("me.github.io", "github.io", "you.github.io", false),
            ("a.me.github.io", "me.github.io", "b.me.github.io", true),
            ("github.io", "github.io", "github.io", true), ("github.io", "github.io", "you.github.io", false),
            ("www.city.kawasaki.jp", "city.kawasaki.jp", "x.city.kawasaki.jp", true),
            ("a.b.kawasaki.jp", "b.kawasaki.jp", "c.b.kawasaki.jp", false),
            ("127.0.0.1", "127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", "127.0.0.1", false),
            ("[::1]", "[::1]", "[::1]", true), ("[::ffff:1.2.3.4]", "3.4]", "[::ffff:1.2.3.4]", false),
            ("localhost", "localhost", "localhost", true), ("localhost", "localhost", "a.localhost", false),
            ("a.localhost", "localhost", "b.localhost", false), ("a.example.com", "", "a.example.com", true),
            ("a.example.com", "", "b.a.example.com", false), ("a.example.com", "example.com.", "a.example.com", false),
            ("a.bücher.example", "xn--bcher-kva.example", "b.bücher.example", true),
        ])
    func domains(host: String, domain: String, other: String, isSent: Bool) {
        let jar = jar(["s=1; Path=/; Domain=" + domain], from: "https://\(host)/")
        #expect((jar.field(for: "https://\(other)/") == "s=1") == isSent)
    }

    @Test("The last domain of a cookie counts, and one for a host stands beside one for its domain")
    func severalDomains() {
        let jar = jar(["s=1; Domain=example.com; Domain=a.example.com; Path=/"], from: "https://a.example.com/")
        #expect(jar.field(for: "https://b.example.com/") == nil)
        jar.store(["s=2; Path=/"], from: "https://a.example.com/")
        #expect(jar.field(for: "https://a.example.com/") == "s=1; s=2")
        jar.store(["s=3; Path=/; Domain=a.example.com"], from: "https://b.a.example.com/")
        #expect(jar.field(for: "https://a.example.com/") == "s=2; s=3")
        jar.store(["s=; Path=/; Domain=a.example.com; Max-Age=0"], from: "https://a.example.com/")
        #expect(jar.field(for: "https://a.example.com/") == "s=2")
    }

    @Test("A plain server neither replaces a secure cookie of its domain nor sets one beside it")
    func secureOverlay() {
        let jar = jar(["s=1; Path=/; Secure; Domain=example.com"], from: "https://a.example.com/")
        for field in ["s=2; Path=/; Domain=example.com", "s=2; Path=/", "s=2; Path=/x"] {
            jar.store([field], from: "http://b.example.com/")
        }
        #expect(jar.field(for: "https://b.example.com/x") == "s=1")
        jar.store(["t=2; Path=/; Domain=example.com"], from: "http://b.example.com/")
        jar.store(["s=3; Path=/; Domain=example.com"], from: "https://b.example.com/")
        #expect(jar.field(for: "https://a.example.com/") == "t=2; s=3")
    }

    @Test("A cookie for a domain is written for its hosts and read again")
    func fileOfDomain() {
        let jar = jar(["s=1; Path=/; Domain=example.com; HttpOnly", "t=2; Path=/"], from: "https://a.example.com/")
        let lines = jar.file.split(separator: "\n").filter { !$0.hasPrefix("# ") }
        #expect(
            lines == ["#HttpOnly_.example.com\tTRUE\t/\tFALSE\t0\ts\t1", "a.example.com\tFALSE\t/\tFALSE\t0\tt\t2"])
        let other = CookieJar { 1_000 }
        other.add(file: jar.file)
        #expect(other.field(for: "https://a.example.com/") == "s=1; t=2")
        #expect(other.field(for: "https://b.example.com/") == "s=1")
    }

    @Test("An answer sets so many cookies, a jar has so many, and a request gets so many bytes of them")
    func bounds() {
        let url = "https://a.example/"
        let many = jar((0..<80).map { "c\($0)=1; Path=/" }).field(for: url)
        #expect(many?.split(separator: ";").count == 50)
        let large = jar((0..<20).map { "c\($0)=" + String(repeating: "x", count: 1_000) + "; Path=/" }).field(for: url)
        #expect((7_000...8_190).contains(large?.utf8.count ?? 0))
        let path = jar(["s=1; Path=/" + String(repeating: "x", count: 5_000)])
        #expect(!path.file.contains("xxx"))
        let jar = CookieJar { 1_000 }
        for host in 0..<80 {
            jar.store((0..<50).map { "c\($0)=1; Path=/" }, from: "https://h\(host).example/")
        }
        #expect(jar.file.split(separator: "\n").count { !$0.hasPrefix("#") } == 3_000)
        #expect(jar.field(for: "https://h0.example/") == nil)
        #expect(jar.field(for: "https://h79.example/")?.split(separator: ";").count == 50)
    }

    @Test("Longer paths come first, a later value replaces an earlier one, and limits hold")
    func order() {
        let jar = jar(["a=1; Path=/", "b=2; Path=/login", "a=3; Path=/"])
        #expect(jar.field(for: "https://a.example/login/") == "b=2; a=3")
        jar.store((0..<60).map { "c\($0)=x; Path=/" }, from: "https://a.example/")
        #expect(jar.field(for: "https://a.example/")?.split(separator: ";").count == 50)
        jar.store(["big=" + String(repeating: "x", count: 5000)], from: "https://b.example/")
        #expect(jar.field(for: "https://b.example/") == nil)
    }

    @Test("A plain server cannot set a secure cookie")
    func secure() { #expect(jar(["s=1; Secure"], from: "http://a.example/").field(for: "https://a.example/") == nil) }

    @Test(
        "The end of a cookie is read as browsers read it (RFC 6265, 5.1.1)",
        arguments: [
            "Thu, 01-Jan-1970 00:00:01 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Thursday, 01-Jan-70 00:00:00 GMT",
            "Thu Jan  1 00:00:00 1970", "Thu, 1 Jan 1970 0:0:0 GMT", "01 jan 1970 00:00:00", "1970 Jan 01 00:00:00",
            "Thu, 01 January 1970 00:00:00 GMT", "00:00:00 1-Jan-1970", "Mon, 01-Jan-1990 00:00:00 UTC",
            "Sat, 31 Dec 1994 23:59:59 +0100", "Thu, 01/Jan/1970 00:00:00", "Thu,01-Jan-1970 00:00:00GMT",
            "Fri, 01 Jan 1601 00:00:00 GMT", "Tue, 30-Feb-1999 00:00:00; Max-Age=0", "x; Max-Age=-1",
            "Thu, 01 JAN 99 1:2:3 Z",
        ])
    func deleted(expires: String) {
        let jar = jar(["s=1; Path=/"], from: "https://a.example/", now: 1_000_000_000)
        jar.store(["s=; Path=/; Expires=" + expires], from: "https://a.example/")
        #expect(jar.field(for: "https://a.example/") == nil)
    }

    @Test(
        "What is no date leaves the cookie to its session",
        arguments: [
            "", "tomorrow", "Thu, 01 Jan 1970", "Thu, 32 Jan 1970 00:00:00", "Thu, 29 Feb 1999 00:00:00 GMT",
            "Thu, 01 Jan 1970 24:00:00", "Thu, 01 Jan 1600 00:00:00", "Thu, 01 Jnn 1970 00:00:00", "123 Jan 1 00:00:00",
        ])
    func undated(expires: String) {
        #expect(jar(["s=1; Path=/; Expires=" + expires], now: 1_000_000_000).field(for: "https://a.example/") == "s=1")
    }

    @Test(
        "A secure cookie is kept for this machine without encryption too",
        arguments: [
            ("http://localhost:8080/", true), ("http://a.localhost/", true), ("http://127.0.0.1/", true),
            ("http://127.1.2.3/", true), ("http://[::1]:1/", true), ("http://127.0.0.1.example/", false),
            ("http://localhost.example/", false), ("http://128.0.0.1/", false),
        ])
    func thisMachine(url: String, isKept: Bool) {
        #expect((jar(["s=1; Secure; Path=/"], from: url).field(for: url) == "s=1") == isKept)
    }

    @Test("Lines of a file that other programs write are read, and those that are no cookies are counted")
    func foreignFile() {
        let jar = CookieJar { 1_000 }
        let contents = jar.add(
            file: "a.example\tfalse\t/\tfalse\t2000.742\ts\t1\r\na.example\tFALSE\t/\tFALSE\t-1\tt\t2\n"
                + "a.example\tFALSE\t/\tFALSE\t999.9\tu\t3\na.example\tFALSE\t/\tFALSE\t1e9\tv\t4\n# x\n\n"
                + "[{\"name\":\"w\"}]\n")
        #expect(jar.field(for: "http://a.example/") == "s=1; t=2")
        #expect(contents.cookies == 3 && contents.unreadableLines == 2)
        #expect(jar.add(file: "# Netscape HTTP Cookie File\n\n") == CookieJar.FileContents())
    }

    @Test("A file is read and written as curl does it")
    func file() {
        let jar = CookieJar { 1_000 }
        jar.add(
            file:
                "# comment\n.a.example\tTRUE\t/\tFALSE\t0\ts\t1\n#HttpOnly_b.example\tFALSE\t/p\tTRUE\t2000\tt\t2\nnonsense\n"
                + "old.example\tFALSE\t/\tFALSE\t500\tu\t3\n")
        #expect(jar.field(for: "http://www.a.example/x") == "s=1")
        #expect(jar.field(for: "https://b.example/p") == "t=2" && jar.field(for: "http://b.example/p") == nil)
        let lines = jar.file.split(separator: "\n").filter { !$0.hasPrefix("# ") }
        #expect(lines == [".a.example\tTRUE\t/\tFALSE\t0\ts\t1", "#HttpOnly_b.example\tFALSE\t/p\tTRUE\t2000\tt\t2"])
    }

    @Test("A netrc file tells the name and password of a machine")
    func netrc() throws {
        let file = try NetrcFile(
            """
            # machines
            machine a.example login me password "se cret"
            machine b.example
              login you
              password other
            macdef init
            machine x login y

            default login anonymous password guest
            """)
        #expect(file.credentials(host: "A.example") == RequestCredentials(user: "me", password: "se cret"))
        #expect(file.credentials(host: "b.example")?.password == "other")
        #expect(file.credentials(host: "x")?.user == "anonymous")
        #expect(try NetrcFile("machine a login b").credentials(host: "sub.a") == nil)
        #expect(file.hasPasswords)
        #expect(try !NetrcFile("machine a login b").hasPasswords)
        for text in ["login me", "machine", "machine a secret", "machine a password \"secret\nlogin b"] {
            let error = #expect(throws: SessionError.self) { try NetrcFile(text) }
            #expect(error?.message.contains("secret") == false)
        }
    }
}
