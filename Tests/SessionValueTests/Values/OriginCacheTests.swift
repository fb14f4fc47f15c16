import Testing

@testable import SessionCore

@Suite("Origins that were read before")
struct OriginCacheTests {
    @Test(
        "A remembered origin is the one that reading the URL gives",
        arguments: [
            "http://example.org/a", "http://example.org/b?c=d#e", "HTTP://Example.ORG:80/a", "https://example.org/a",
            "http://example.org:8080/a", "http://[::1]:8080/a", "http://user:secret@example.org/a",
            "http://example.org",
            "http://example.org?query", "http://example.org@evil.example/a", "http://ex%61mple.org/a",
        ])
    func agrees(_ url: String) throws {
        let cache = OriginCache()
        let origin = try Origin(url)

        for _ in 0..<2 {
            #expect(cache.entry(of: url)?.origin == origin)
            #expect(cache.entry(of: url)?.text == origin.description)
        }
        #expect(cache.entry(of: "http://other.example/")?.origin.host == "other.example")
    }

    @Test("A URL that cannot be read has no origin")
    func refuses() {
        let cache = OriginCache()

        #expect(cache.entry(of: "ftp://example.org/a") == nil)
        #expect(cache.entry(of: "example.org/a") == nil)
        #expect(cache.entry(of: "") == nil)
    }

    @Test(
        "The name of a server shows no password, also where the URL cannot be read",
        arguments: [
            ("http://user:pa@secret@host:81/f", "host"), ("http://u:secret@host/f", "host"), ("http://host/f", "host"),
            ("http://u:pa@secret@[::1]:81/f", "[::1]"),
        ])
    func serverName(url: String, name: String) {
        #expect(Origin.serverName(of: url) == name)
    }
}
