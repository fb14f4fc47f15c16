import Testing

@testable import SessionCore

/// The collections that a WebDAV server lacks for an upload, as their requests' responses lead on.
@Suite("Missing collections")
struct MissingCollectionsTests {
    private static let url = "http://host/dav/a/b/file?t=1#part"
    private var original: TransferRequest {
        var request = TransferRequest(url: Self.url, method: "PUT", body: .bytes([1]))
        request.headers["Content-Type"] = "image/png"
        request.headers["If-None-Match"] = "*"
        request.headers["X-Token"] = "t"
        return request
    }

    private func begin(_ missing: inout MissingCollections) throws {
        let begins = missing.begin()
        try #require(begins)
    }

    /// The paths of the requests that some statuses lead to, and the last outcome.
    private func walk(_ statuses: [Int]) throws -> (paths: [String], last: UploadOutcome) {
        var missing = try #require(MissingCollections(above: Self.url))
        var last = UploadOutcome.answer
        try begin(&missing)
        var paths: [String] = []
        for status in statuses {
            paths.append(try #require(missing.url).replacing("http://host", with: "").replacing("?t=1", with: ""))
            last = missing.judge(.given(status), original: original)
            if last != .next { return (paths, last) }
        }
        #expect(missing.url == nil)
        let goesOn = missing.begin()
        #expect(!goesOn, "a further 409 is the answer")
        return (paths, last)
    }

    @Test(
        "Every folder above the file is a collection, except the server's root",
        arguments: [
            ("http://host/file", []), ("http://host", []), ("http://host/", []), ("http://host/dav/", []),
            ("http://host/a/b/c", ["http://host/a/b/", "http://host/a/"]),
            ("http://host//a//b?x=/y", ["http://host//a/?x=/y"]),
            (url, ["http://host/dav/a/b/?t=1", "http://host/dav/a/?t=1", "http://host/dav/?t=1"]),
        ])
    func collections(url: String, expected: [String]) {
        #expect(MissingCollections(above: url)?.collections ?? [] == expected)
    }

    @Test(
        "Collections are tried upwards until one exists, and made from there down",
        arguments: [
            ([201], ["b"]), ([405], ["b"]), ([423], ["b"]), ([409, 201, 201], ["b", "a", "b"]),
            ([409, 405, 201], ["b", "a", "b"]), ([409, 409, 201, 201, 201], ["b", "a", "dav", "a", "b"]),
            ([409, 201, 409], ["b", "a", "b"]),
        ])
    func order(statuses: [Int], names: [String]) throws {
        let paths = ["b": "/dav/a/b/", "a": "/dav/a/", "dav": "/dav/"]
        let found = try walk(statuses)
        #expect(found.last == .next && found.paths == names.compactMap { paths[$0] })
    }

    @Test("A refusal names the collection, and a server that may make it later is asked later")
    func refusals() throws {
        func error(_ status: Int, _ path: String) -> SessionError {
            let head = ResponseHead.given(status)
            return ResumePolicy.error(.http, ResponseErrors.collectionRefused(path, head.statusSentence), head)
        }
        for status in [301, 400, 401, 403, 404, 415, 501] {
            #expect(try walk([status]).last == .fail(error(status, "/dav/a/b/")))
        }
        #expect(try walk([409, 403]).last == .fail(error(403, "/dav/a/")))
        #expect(try walk([409, 409, 409]).last == .fail(error(409, "/dav/")))
        #expect(try walk([503]).last == .later(error(503, "/dav/a/b/")))
    }

    @Test("The request has the fields of the upload that do not describe its body")
    func request() throws {
        var missing = try #require(MissingCollections(above: Self.url))
        #expect(missing.request(for: original) == nil)
        try begin(&missing)
        let request = try #require(missing.request(for: original))
        #expect(request.method == "MKCOL" && request.body == .none && request.url == "http://host/dav/a/b/?t=1")
        #expect(request.headers.map(\.name) == ["X-Token"])
    }

    @Test("After a retry the walk begins again")
    func again() throws {
        var missing = try #require(MissingCollections(above: Self.url))
        try begin(&missing)
        let outcome = missing.judge(.given(409), original: original)
        #expect(outcome == .next && missing.url == "http://host/dav/a/?t=1")
        try begin(&missing)
        #expect(missing.url == "http://host/dav/a/b/?t=1")
    }
}
