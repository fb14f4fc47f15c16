import Testing

@testable import SessionCore

/// Answers to a request for the rest that come from another place than the part's bytes did.
@Suite("Where the rest of a part comes from")
struct ResumeSourceTests {
    private static let request = TransferRequest(url: "http://h/f.bin")

    /// What is made of an answer, without what it carries.
    private func judge(
        _ status: Int, _ fields: KeyValuePairs<String, String>, url: String = Self.request.url, offset: Int64 = 400,
        date: String? = nil, hasChecksum: Bool = false, _ change: (inout StoredMetadata) -> Void
    ) -> String {
        var head = ResponseHead(statusCode: status, url: url)
        for (name, value) in fields { head.headers.append(name: name, value: value) }
        if let date { head.headers.append(name: "Last-Modified", value: date) }
        var metadata = StoredMetadata(url: Self.request.url, finalURL: Self.request.url, method: "GET", status: 200)
        (metadata.entityTag, metadata.length) = ("\"one\"", 1_000)
        change(&metadata)
        switch ResumePolicy.judge(
            head, request: Self.request, metadata: metadata, offset: offset, hasChecksum: hasChecksum, now: 0)
        {
        case .append: return "append"
        case .newGeneration: return "whole"
        case .restart: return "restart"
        case .finishWithoutBody: return "finish"
        case .failure(let error): return error.code.rawValue
        case .fresh, .retryWithIfMatch, .retryWithOverlap, .askAgain, .waitAndRetry: return "other"
        }
    }

    @Test(
        "A tag says nothing of another file: a redirect that leads elsewhere than it did begins anew",
        arguments: [
            ("http://h/a/part.001", "http://h/a/part.001?sig=2", "append"),
            ("http://h/a/part.001", "http://h/a/part.002", "restart"),
            ("http://h/v1/file", "http://h/v2/file", "restart"),
            ("http://one/pub/file", "http://two/mirror/file", "append"),
            ("http://one/pub/file", "http://two/pub/other", "restart"),
            ("http://h/f.bin", "http://h/elsewhere", "restart"), ("http://h/elsewhere", "http://h/f.bin", "restart"),
            ("http://h/f.bin", "http://h/f.bin", "append"),
        ])
    func redirects(before: String, now: String, kind: String) {
        let tag = "\"one\""
        let part = judge(206, ["Content-Range": "bytes 0-999/1000", "ETag": tag], url: now) { $0.finalURL = before }
        #expect(part == kind)
        let complete = judge(416, ["Content-Range": "bytes */1000", "ETag": tag], url: now, offset: 1_000) {
            $0.finalURL = before
        }
        #expect(complete == (kind == "append" ? "finish" : kind))
    }

    @Test(
        "A tag says nothing of another server: what that sends is compared with the end of the part",
        arguments: [
            ("http://two/mirror/file", false), ("http://one:81/pub/file", false), ("https://ONE/pub/file?sig=2", true),
        ])
    func otherServer(now: String, isSame: Bool) {
        var metadata = StoredMetadata(
            url: "http://one/pub/file", finalURL: "http://one/pub/file", method: "GET", status: 200)
        (metadata.entityTag, metadata.length) = ("\"one\"", 1_000_000)
        func range(_ offset: Int64) -> String? { ResumePolicy.rangeRequest(metadata, of: now, offset: offset)?.range }
        #expect(range(400_000) == (isSame ? "bytes=400000-" : "bytes=334464-"))
        #expect(range(400) == (isSame ? "bytes=400-" : "bytes=0-"))
        #expect(ResumePolicy.rangeRequest(metadata, of: now, offset: 400)?.ifRange == "\"one\"")
        for (first, isEnough) in [(0, true), (334_464, true), (334_465, false), (400_000, false)] {
            let fields: KeyValuePairs = [
                "Content-Range": "bytes \(first)-999999/1000000", "ETag": "\"one\"",
                "Content-Length": "\(1_000_000 - first)",
            ]
            let kind = judge(206, fields, url: now, offset: 400_000) { $0 = metadata }
            #expect(kind == (isSame || isEnough ? "append" : "restart"), "\(first)")
        }
        // That a file is as long as the part says nothing either.
        let end = judge(416, ["Content-Range": "bytes */400", "ETag": "\"one\""], url: now) {
            $0 = metadata
            $0.length = nil
        }
        #expect(end == (isSame ? "finish" : "restart"))
    }

    @Test(
        "A URL that a person has given is another source, but for its signature",
        arguments: [
            ("http://h/f?X-Amz-Signature=1", true), ("http://h/f", true), ("http://h/f?id=2", false),
            ("http://h/g", false), ("http://i/f", false),
        ])
    func givenURL(url: String, isSame: Bool) {
        var metadata = StoredMetadata(url: url, finalURL: "http://h/f?X-Amz-Signature=0", method: "GET", status: 200)
        (metadata.isFromAnotherURL, metadata.length) = (true, 100)
        #expect(metadata.isSource(url) == isSame)
        #expect(ResumePolicy.isComplete(metadata, partSize: 100) == isSame, "the other URL's bytes are to be proved")
    }

    @Test(
        "Another URL that has the tag by chance joins nothing: its date has to agree, or a checksum to tell",
        arguments: [
            ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:00 GMT", false, "append"),
            ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 08 Jan 2024 00:00:00 GMT", false, "restart"),
            ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 08 Jan 2024 00:00:00 GMT", true, "restart"),
            ("Mon, 01 Jan 2024 00:00:00 GMT", nil, false, "restart"), (nil, nil, false, "restart"),
            (nil, nil, true, "append"),
        ] as [(String?, String?, Bool, String)])
    func otherDate(_ story: (old: String?, new: String?, hasChecksum: Bool, verdict: String)) {
        let fields: KeyValuePairs = [
            "Content-Range": "bytes 334464-999999/1000000", "Content-Length": "665536", "ETag": "\"one\"",
        ]
        let verdict = judge(206, fields, offset: 400_000, date: story.new, hasChecksum: story.hasChecksum) {
            ($0.isFromAnotherURL, $0.finalURL) = (true, "http://old/f")
            ($0.length, $0.lastModified, $0.acceptRanges) = (1_000_000, story.old, "bytes")
        }
        #expect(verdict == story.verdict)
    }

    @Test("A part that goes on from a URL that a person has given stays where the file has another length")
    func newURL() {
        func judged(_ status: Int, _ fields: KeyValuePairs<String, String>) -> String {
            judge(status, fields) { ($0.isFromAnotherURL, $0.finalURL) = (true, "http://old/f") }
        }
        let tag = "\"one\""
        #expect(judged(206, ["Content-Range": "bytes 400-1999/2000", "ETag": tag]) == "resourceChanged")
        #expect(judged(200, ["Content-Length": "2000"]) == "resourceChanged")
        #expect(judged(416, ["Content-Range": "bytes */300"]) == "resourceChanged")
        #expect(judged(206, ["Content-Range": "bytes 0-999/1000", "ETag": tag]) == "append")
        #expect(judged(206, ["Content-Range": "bytes 400-999/1000", "ETag": tag]) == "restart")
        #expect(judged(200, ["Content-Length": "1000", "ETag": "\"two\""]) == "whole")
    }
}
