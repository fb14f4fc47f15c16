import Testing

@testable import SessionCore

/// The hosts that are reached over https only: what they ask for, which URLs that changes, and their file.
@Suite("Hosts for https only")
struct SecureHostsTests {
    private static func hosts(_ fields: [String], from url: String = "https://a.example/") -> SecureHosts {
        let hosts = SecureHosts { 1_000 }
        hosts.store(fields, from: url)
        return hosts
    }

    @Test(
        "A field is read by its grammar",
        arguments: [
            ("max-age=31536000", 31_536_000, false), ("max-age=60; includeSubDomains", 60, true),
            (" MAX-AGE = \"60\" ;INCLUDESUBDOMAINS; preload", 60, true), ("max-age=0", 0, false),
            ("max-age=99999999999999999999", Int64.max, false), ("includeSubDomains", nil, false),
            ("max-age", nil, false), ("max-age=", nil, false), ("max-age=-1", nil, false),
            ("max-age=1; max-age=2", nil, false), ("max-age=1; includeSubDomains=yes", nil, false), ("", nil, false),
            ("max-age=\"\"", nil, false), ("other=1;;max-age=5;", 5, false),
        ] as [(String, Int64?, Bool)])
    func grammar(field: String, seconds: Int64?, includesSubdomains: Bool) {
        let wish = SecureHostWish(field)
        #expect(wish?.seconds == seconds)
        if seconds != nil { #expect(wish?.includesSubdomains == includesSubdomains) }
    }

    @Test(
        "A plain URL of a host that asked for it becomes an https one, and keeps all but the usual port",
        arguments: [
            ("http://a.example/x?y=1#z", "https://a.example/x?y=1#z"), ("http://A.Example", "https://A.Example"),
            ("HTTP://a.example:80/x", "https://a.example/x"), ("http://a.example:8080/x", "https://a.example:8080/x"),
            ("http://me:pw@a.example./x", "https://me:pw@a.example./x"), ("http://a.example:/x", "https://a.example/x"),
            ("https://a.example/", nil), ("http://b.a.example/", nil), ("http://example/", nil),
            ("http://sub.wide.example/", "https://sub.wide.example/"),
            ("http://wide.example/", "https://wide.example/"),
            ("http://notwide.example/", nil), ("ftp://a.example/", nil), ("a.example", nil), ("http:///x", nil),
        ] as [(String, String?)])
    func upgrade(url: String, secured: String?) {
        let hosts = Self.hosts(["max-age=60"])
        hosts.store(["max-age=60; includeSubDomains"], from: "https://wide.example/")
        #expect(hosts.secured(url) == secured)
    }

    @Test("Only the first field of a named server over TLS counts, and 0 ends it")
    func storing() {
        #expect(Self.hosts(["max-age=60"], from: "http://a.example/").count == 0)
        #expect(Self.hosts(["max-age=60"], from: "https://192.0.2.1/").count == 0)
        #expect(Self.hosts(["max-age=60"], from: "https://[2001:db8::1]/").count == 0)
        #expect(Self.hosts(["bad", "max-age=60"]).count == 0)
        let hosts = Self.hosts(["max-age=60", "max-age=0"])
        #expect(hosts.count == 1 && hosts.hasChanged)
        hosts.store(["max-age=0"], from: "https://a.example/y")
        #expect(hosts.count == 0 && hosts.secured("http://a.example/") == nil)
    }

    @Test("A file of curl's is read, and what is written can be read again")
    func file() {
        let text = """
            # Your HSTS cache. https://curl.se/docs/hsts.html
            .wide.example "20301231 23:59:59"
            once.example "unlimited"
            old.example "19700101 00:10:00"
            bad.example
            worse.example "20301331 00:00:00"
            192.0.2.1 "unlimited"

            """
        let hosts = SecureHosts { 1_000 }
        #expect(hosts.add(file: text) == 3)
        #expect(hosts.count == 2 && !hosts.hasChanged)
        #expect(hosts.secured("http://x.wide.example/") != nil && hosts.secured("http://x.once.example/") == nil)
        let written = hosts.file
        #expect(written.hasSuffix("once.example \"unlimited\"\n.wide.example \"20301231 23:59:59\"\n"))
        let again = SecureHosts { 1_000 }
        #expect(again.add(file: written) == 0 && again.file == written)
        let later = SecureHosts { 2_000_000_000 }
        #expect(later.add(file: text) == 3 && later.count == 1)
    }

    @Test("A rule ends at its time, and the list has a limit")
    func limits() {
        let hosts = SecureHosts { 1_000 }
        for number in 0..<10_005 { hosts.store(["max-age=\(number + 1)"], from: "https://h\(number).example/") }
        #expect(hosts.count == 10_000 && hosts.secured("http://h0.example/") == nil)
        #expect(hosts.secured("http://h10004.example/") != nil)
    }
}
