import Testing

@testable import SessionCore

@Suite("Requests that cannot be sent") struct RequestValidationTests {
    @Test(
        "A URL that is wrong at first sight is refused with a reason",
        arguments: [
            ("", .invalidURL, "empty"), ("http://a b/", .invalidURL, "space"),
            ("http://a/\u{7F}", .invalidURL, "space"),
            ("http://a/\r\nX: y", .invalidURL, "control character"), ("example.org/x", .invalidURL, "no scheme"),
            ("ftp://host/", .unsupportedScheme, "http and https"), ("://host/", .invalidURL, "write http://"),
            ("httpx://host/", .unsupportedScheme, "http and https"), ("localhost:80/x", .invalidURL, "write http://"),
            ("http:", .invalidURL, "no host"), ("http:/", .invalidURL, "no host"), ("http://", .invalidURL, "no host"),
            ("http:///path", .invalidURL, "no host"), ("http://?q", .invalidURL, "no host"),
            ("http://#f", .invalidURL, "no host"), ("http://:80/", .invalidURL, "no host"),
            ("http://user@/", .invalidURL, "no host"), ("http://user@:80", .invalidURL, "no host"),
            ("http://host@", .invalidURL, "no host"), ("http:host", .invalidURL, "no host"),
        ] as [(String, SessionError.Code, String)])
    func refusedURL(url: String, code: SessionError.Code, words: String) {
        do throws(SessionError) {
            try RequestValidation.check(TransferRequest(url: url))
            Issue.record("\(url) was accepted")
        } catch {
            #expect(error.code == code)
            #expect(error.message.contains(words))
            #expect(error.failingURL == (url.isEmpty ? nil : url))
        }
    }

    @Test(
        "A URL that may be right is left to the engine's parser",
        arguments: [
            "http://h", "HTTPS://host", "hTTp://host:80/x", "http://user:password@host/", "http://a@b@c/",
            "http://[::1]/",
            "http://host?x=:", "http://host/@:", "http://bücher.example/ü",
        ])
    func acceptedURL(url: String) throws {
        try RequestValidation.check(TransferRequest(url: url))
    }
}
