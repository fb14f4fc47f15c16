import Testing

@testable import SessionCore

/// One head of a table: a status and fields, with what the policy must make of it.
private struct Answer: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var head: ResponseHead

    init(_ name: String, _ status: Int, _ fields: [(String, String)] = []) {
        testDescription = name
        head = ResponseHead(statusCode: status, url: "http://h/f.bin")
        for (field, value) in fields { head.headers.append(name: field, value: value) }
    }
}

private let tag = ("ETag", "\"one\"")
private let size: Int64 = 1_000
private let offset: Int64 = 400
private let request = TransferRequest(url: "http://h/f.bin")

private func resource(_ change: (inout StoredMetadata) -> Void = { _ in }) -> StoredMetadata {
    var metadata = StoredMetadata(url: request.url, finalURL: request.url, method: "GET", status: 200)
    metadata.entityTag = tag.1
    metadata.length = size
    metadata.contentType = "application/zip"
    change(&metadata)
    return metadata
}

private func judge(
    _ answer: Answer, metadata: StoredMetadata? = resource(), offset: Int64 = offset,
    history: ResumeHistory = ResumeHistory()
) -> ResumeAction {
    ResumePolicy.judge(answer.head, request: request, metadata: metadata, offset: offset, history: history, now: 0)
}

extension ResumeAction {
    /// The action without what it carries, for tables.
    fileprivate var kind: String {
        switch self {
        case .fresh: "fresh"
        case .append: "append"
        case .newGeneration: "newGeneration"
        case .restart: "restart"
        case .finishWithoutBody: "finish"
        case .retryWithIfMatch: "ifMatch"
        case .retryWithOverlap: "overlap"
        case .askAgain: "again"
        case .waitAndRetry: "wait"
        case .failure(let error): "failure(\(error.code.rawValue))"
        }
    }
}

@Suite("Resume policy")
struct ResumePolicyTests {
    // MARK: - Whether and how to ask

    @Test("A part with a strong entity tag is asked for from its end, with the tag octet for octet")
    func rangeRequest() {
        let fields = ResumePolicy.rangeRequest(resource(), offset: 5_000_000_000 - 4_999_999_600)
        #expect(fields?.range == "bytes=400-")
        #expect(fields?.ifRange == "\"one\"")
    }

    @Test("A date proves a part only when no tag was sent and the answer was made a minute after the last change")
    func dates() {
        let base = resource {
            $0.entityTag = nil
            $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
            $0.date = "Sun, 06 Nov 1994 08:50:37 GMT"
        }
        #expect(ResumePolicy.rangeRequest(base, offset: 1)?.ifRange == "Sun, 06 Nov 1994 08:49:37 GMT")
        var tooFresh = base
        tooFresh.date = "Sun, 06 Nov 1994 08:50:36 GMT"
        var undated = base
        undated.date = nil
        var weaklyTagged = base
        weaklyTagged.entityTag = "W/\"one\""
        for metadata in [tooFresh, undated, weaklyTagged] {
            #expect(ResumePolicy.rangeRequest(metadata, offset: 1) == nil)
        }
    }

    @Test(
        "A part that nothing vouches for is not continued, and the reason is said",
        arguments: [
            resource { $0.method = "POST" }, resource { $0.status = 206 }, resource { $0.status = 203 },
            resource { $0.contentEncoding = "gzip" }, resource { $0.acceptRanges = "None" },
            resource { $0.entityTag = "W/\"one\"" }, resource { $0.entityTag = nil },
            resource { $0.entityTag = "one" }, resource { $0.length = 399 },
        ])
    func notResumable(metadata: StoredMetadata) {
        guard case .no(let reason) = ResumePolicy.mayResume(metadata, partSize: offset) else {
            Issue.record("continued although it must not be")
            return
        }
        #expect(!reason.isEmpty)
        #expect(ResumePolicy.rangeRequest(metadata, offset: offset) == nil)
    }

    @Test("An empty part is never asked for from byte 0, and a full one needs no request")
    func edges() {
        #expect(!ResumePolicy.mayResume(resource(), partSize: 0).isGiven)
        #expect(ResumePolicy.isComplete(resource(), partSize: size))
        #expect(!ResumePolicy.isComplete(resource { $0.length = nil }, partSize: size))
        #expect(ResumePolicy.mayResume(resource { $0.contentEncoding = "identity" }, partSize: 1).isGiven)
    }

    // MARK: - 206

    @Test("The range that was asked for is appended, and no byte more than it names")
    func append() {
        let complete = Answer("rest", 206, [("Content-Range", "bytes 400-999/1000"), tag, ("Content-Length", "600")])
        #expect(judge(complete) == .append(AppendPlan(offset: 400, overlap: 0, limit: 600, total: 1_000)))
        let short = Answer("window", 206, [("Content-Range", "bytes 400-599/1000"), tag, ("Content-Length", "200")])
        let plan = AppendPlan(offset: 400, overlap: 0, limit: 200, total: 1_000)
        #expect(judge(short) == .append(plan))
        #expect(!plan.completesFile)
        let open = Answer("unknown total", 206, [("Content-Range", "bytes 400-999/*"), tag, ("Content-Length", "600")])
        #expect(judge(open) == .append(AppendPlan(offset: 400, overlap: 0, limit: 600, total: 1_000)))
        let learned = judge(complete, metadata: resource { $0.length = nil })
        #expect(learned == .append(AppendPlan(offset: 400, overlap: 0, limit: 600, total: 1_000)))
    }

    @Test("A range that begins inside the part is compared with it before anything new is taken")
    func overlap() {
        let early = Answer("early", 206, [("Content-Range", "bytes 100-999/1000"), tag])
        #expect(judge(early) == .append(AppendPlan(offset: 400, overlap: 300, limit: 600, total: 1_000)))
        let fromZero = Answer("from zero", 206, [("Content-Range", "bytes 0-999/1000"), tag])
        #expect(judge(fromZero) == .append(AppendPlan(offset: 400, overlap: 400, limit: 600, total: 1_000)))
        let touching = Answer("touching", 206, [("Content-Range", "bytes 0-399/1000"), tag])
        #expect(judge(touching) == .append(AppendPlan(offset: 400, overlap: 400, limit: 0, total: 1_000)))
    }

    @Test(
        "A 206 that does not prove itself starts over",
        arguments: [
            Answer("no Content-Range", 206, [tag]),
            Answer(
                "two", 206, [("Content-Range", "bytes 400-999/1000"), ("Content-Range", "bytes 400-999/1000"), tag]),
            Answer("other unit", 206, [("Content-Range", "items 400-999/1000"), tag]),
            Answer("garbage", 206, [("Content-Range", "bytes x-y/z"), tag]),
            Answer("beyond 2^63", 206, [("Content-Range", "bytes 400-9223372036854775808/9223372036854775809"), tag]),
            Answer("last before first", 206, [("Content-Range", "bytes 400-399/1000"), tag]),
            Answer("total not above last", 206, [("Content-Range", "bytes 400-1000/1000"), tag]),
            Answer("negative", 206, [("Content-Range", "bytes -400-999/1000"), tag]),
            Answer("unsatisfied form", 206, [("Content-Range", "bytes */1000"), tag]),
            Answer("gap", 206, [("Content-Range", "bytes 401-999/1000"), tag]),
            Answer("too early", 206, [("Content-Range", "bytes 0-398/1000"), tag]),
            Answer("other total", 206, [("Content-Range", "bytes 400-999/1001"), tag]),
            Answer("beyond the end", 206, [("Content-Range", "bytes 400-1000/*"), tag]),
            Answer(
                "multipart", 206,
                [("Content-Range", "bytes 400-999/1000"), tag, ("Content-Type", "Multipart/ByteRanges; boundary=x")]),
            Answer("encoded", 206, [("Content-Range", "bytes 400-999/1000"), tag, ("Content-Encoding", "gzip")]),
            Answer("length", 206, [("Content-Range", "bytes 400-999/1000"), tag, ("Content-Length", "599")]),
            Answer("two lengths", 206, [("Content-Range", "bytes 400-999/1000"), tag, ("Content-Length", "600, 601")]),
            Answer("other tag", 206, [("Content-Range", "bytes 400-999/1000"), ("ETag", "\"two\"")]),
            Answer("tag in another case", 206, [("Content-Range", "bytes 400-999/1000"), ("ETag", "\"One\"")]),
            Answer("tag gone", 206, [("Content-Range", "bytes 400-999/1000")]),
            Answer("tag weak now", 206, [("Content-Range", "bytes 400-999/1000"), ("ETag", "W/\"one\"")]),
            Answer("two tags", 206, [("Content-Range", "bytes 400-999/1000"), tag, tag]),
        ])
    fileprivate func refused(answer: Answer) {
        guard case .restart(let reason) = judge(answer) else {
            Issue.record("\(answer.testDescription) became \(judge(answer))")
            return
        }
        #expect(!reason.isEmpty)
        for (retries, restarts, kind) in [(5, 1, "restart"), (5, 2, "failure(badResponse)"), (10, 9, "restart")] {
            var history = ResumeHistory(retries: retries)
            history.restarts = restarts
            #expect(judge(answer, history: history).kind == kind)
        }
    }

    @Test("A part proven by its date needs the same date again")
    func dateAgain() {
        let metadata = resource {
            $0.entityTag = nil
            $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
            $0.date = "Mon, 07 Nov 1994 08:49:37 GMT"
        }
        let (range, length) = (("Content-Range", "bytes 400-999/1000"), ("Content-Length", "600"))
        let same = Answer("same", 206, [range, length, ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
        let other = Answer("other", 206, [range, ("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT")])
        #expect(judge(same, metadata: metadata).kind == "append")
        #expect(judge(other, metadata: metadata).kind == "restart")
        #expect(judge(Answer("none", 206, [range]), metadata: metadata).kind == "restart")
    }

    @Test("An unknown length and an unknown total together prove nothing")
    func unknownLength() {
        let answer = Answer("open", 206, [("Content-Range", "bytes 400-999/*"), tag])
        #expect(judge(answer, metadata: resource { $0.length = nil }).kind == "restart")
    }

    // MARK: - 200 and the rest

    @Test("A whole file that changed is a new generation, also when its length is that of the part")
    func newGeneration() {
        let changed = Answer("changed", 200, [("ETag", "\"two\""), ("Content-Length", "400")])
        guard case .newGeneration(let metadata, let length, let reason) = judge(changed) else {
            Issue.record("became \(judge(changed))")
            return
        }
        #expect(metadata.entityTag == "\"two\"" && metadata.length == 400)
        #expect(length == .exactly(400))
        #expect(reason.contains("changed"))
        let lying = Answer(
            "lying range", 200,
            [("ETag", "\"two\""), ("Content-Range", "bytes 400-999/1000"), ("Content-Length", "1000")])
        #expect(judge(lying).kind == "newGeneration")
    }

    @Test("A whole file that did not change is asked for once more with If-Match, and then taken")
    func ifMatch() {
        let same = Answer("same", 200, [tag, ("Content-Length", "1000")])
        #expect(judge(same) == .retryWithIfMatch("\"one\""))
        var history = ResumeHistory()
        history.usedIfMatch = true
        #expect(judge(same, history: history).kind == "newGeneration")
        #expect(judge(Answer("changed", 412), history: history).kind == "restart")
    }

    @Test(
        "Starting again says that the file has changed only when it has",
        arguments: [
            ([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], nil, ResumeReasons.rangeIgnored),
            ([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], "bytes", ResumeReasons.announcedRangeIgnored),
            ([], nil, ResumeReasons.rangeIgnored),
            ([("Last-Modified", "Mon, 07 Nov 1994 08:49:37 GMT")], nil, ResumeReasons.fileChanged),
            ([("Content-Length", "999")], nil, ResumeReasons.sizeDiffers(999, was: 1000)),
        ] as [([(String, String)], String?, String)])
    func trueReason(fields: [(String, String)], acceptRanges: String?, words: String) {
        let metadata = resource {
            $0.entityTag = nil
            $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
            $0.date = "Sun, 06 Nov 1994 08:59:37 GMT"
            $0.acceptRanges = acceptRanges
        }
        let length = fields.contains { $0.0 == "Content-Length" } ? [] : [("Content-Length", "1000")]
        guard case .newGeneration(_, _, let reason) = judge(Answer("", 200, fields + length), metadata: metadata) else {
            Issue.record("was not taken as the whole file")
            return
        }
        #expect(reason == words)
    }

    @Test("A web page in place of a file of another type does not replace the part")
    func loginPage() {
        let page = Answer("page", 200, [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", "10")])
        #expect(judge(page).kind == "failure(unexpectedContent)")
        #expect(judge(page, metadata: resource { $0.contentType = "text/html" }).kind == "newGeneration")
        #expect(judge(page, metadata: resource { $0.contentType = nil }).kind == "failure(unexpectedContent)")
    }

    @Test("A 416 finishes only when all lengths agree")
    func unsatisfied() {
        let agreeing = Answer("agreeing", 416, [("Content-Range", "bytes */1000")])
        #expect(judge(agreeing, offset: 1_000) == .finishWithoutBody)
        #expect(judge(agreeing, metadata: resource { $0.length = nil }, offset: 1_000).kind == "restart")
        #expect(judge(agreeing).kind == "restart")
        let tagged = Answer("tagged", 416, [("Content-Range", "bytes */1000"), tag])
        #expect(judge(tagged, offset: 1_000) == .finishWithoutBody)
        #expect(judge(tagged, metadata: resource { $0.length = nil }, offset: 1_000) == .finishWithoutBody)
        let other = Answer("other", 416, [("Content-Range", "bytes */1000"), ("ETag", "\"two\"")])
        #expect(judge(other, offset: 1_000).kind == "restart")
        #expect(judge(other, metadata: resource { $0.length = nil }, offset: 1_000).kind == "restart")
        let weak = Answer("weak", 416, [("Content-Range", "bytes */1000"), ("ETag", "W/\"one\"")])
        #expect(judge(weak, metadata: resource { $0.length = nil }, offset: 1_000).kind == "restart")
        #expect(judge(Answer("shrunk", 416, [("Content-Range", "bytes */300")])).kind == "restart")
        #expect(judge(Answer("silent", 416)).kind == "restart")
        var history = ResumeHistory()
        history.restarts = 1
        #expect(judge(Answer("silent", 416), history: history).kind == "failure(badResponse)")
    }

    @Test("The reason for starting again names what the server said, and nothing it did not say")
    func reasons() {
        func reason(_ answer: Answer, offset: Int64 = 400, length: Int64? = 1_000) -> String? {
            let metadata = resource { $0.length = length }
            guard case .restart(let reason) = judge(answer, metadata: metadata, offset: offset) else { return nil }
            return reason
        }
        let same = reason(Answer("same", 416, [("Content-Range", "bytes */1000")]))
        #expect(same == ResumeReasons.rangeRefused(at: 400, of: 1000))
        let shrunk = reason(Answer("shrunk", 416, [("Content-Range", "bytes */400")]))
        #expect(shrunk == ResumeReasons.sizeDiffers(400, was: 1000))
        let unknown = reason(Answer("unknown", 416, [("Content-Range", "bytes */400")]), length: nil)
        #expect(unknown == ResumeReasons.refusalUnknown)
        let gone = reason(Answer("tag gone", 206, [("Content-Range", "bytes 400-999/1000")]))
        #expect(gone == ResumeReasons.tagMissing)
        let other = reason(Answer("other tag", 206, [("Content-Range", "bytes 400-999/1000"), ("ETag", "\"two\"")]))
        #expect(other == ResumeReasons.tagDiffers)
    }

    @Test(
        "Every other answer to a range request leaves the part alone",
        arguments: [
            (201, "restart"), (203, "restart"), (226, "restart"), (304, "restart"), (412, "restart"),
            (204, "failure(noContent)"), (205, "failure(noContent)"), (300, "failure(badResponse)"),
            (302, "failure(badResponse)"), (400, "failure(http)"), (401, "failure(authenticationRequired)"),
            (403, "failure(http)"), (404, "failure(http)"), (407, "failure(authenticationRequired)"),
            (410, "failure(http)"), (451, "failure(http)"), (408, "wait"), (425, "wait"), (429, "wait"),
            (500, "wait"), (503, "wait"), (599, "wait"), (199, "failure(badResponse)"), (999, "failure(badResponse)"),
        ])
    func otherStatuses(status: Int, kind: String) {
        #expect(judge(Answer("status", status)).kind == kind)
    }

    @Test("A busy server says how long to wait, and a transfer out of tries fails with its status")
    func retryAfter() {
        let answer = Answer("busy", 503, [("Retry-After", "2"), ("Content-Type", "text/html")])
        guard case .waitAndRetry(let wait, let error) = judge(answer) else {
            Issue.record("became \(judge(answer))")
            return
        }
        #expect(wait == 2_000)
        #expect(error.code == .http)
        #expect(error.statusCode == 503)
    }

    // MARK: - Fresh

    @Test(
        "Fresh answers",
        arguments: [
            (200, "fresh"), (201, "fresh"), (203, "fresh"), (206, "failure(badResponse)"),
            (204, "failure(noContent)"), (205, "failure(noContent)"), (304, "failure(noContent)"),
            (302, "failure(badResponse)"), (404, "failure(http)"), (412, "failure(http)"), (416, "failure(http)"),
            (401, "failure(authenticationRequired)"), (429, "wait"), (502, "wait"), (100, "failure(badResponse)"),
        ])
    func fresh(status: Int, kind: String) {
        #expect(judge(Answer("status", status), metadata: nil, offset: 0).kind == kind)
    }

    private func metadata(of head: ResponseHead) throws -> StoredMetadata {
        StoredMetadata(request: request, head: head, length: try BodyLength(head, method: request.method))
    }

    @Test("Facts of a fresh answer keep validators as they were sent and drop a malformed tag")
    func facts() throws {
        let head = Answer(
            "fresh", 200, [("etag", "\"a b\""), ("Content-Length", "0"), ("Content-Type", "Text/Plain; x=y")]
        ).head
        let metadata = try self.metadata(of: head)
        #expect(metadata.entityTag == nil)
        #expect(metadata.length == 0)
        #expect(StoredMetadata.mediaType(metadata.contentType) == "text/plain")
        let good = try self.metadata(of: Answer("tagged", 200, [("etag", "\"ab\"")]).head)
        #expect(good.entityTag == "\"ab\"")
        #expect(good.length == nil)
    }

    @Test(
        "An answer says as much about going on with its file as the facts that are stored of it",
        arguments: [
            (200, [("ETag", "\"a\"")], .unknown), (200, [("ETag", "W/\"a\"")], .no), (200, [("ETag", "a")], .no),
            (200, [("ETag", "\"a\""), ("ETag", "\"a\"")], .no), (206, [("ETag", "\"a\"")], .no),
            (200, [("ETag", "\"a\""), ("Accept-Ranges", "None")], .no),
            (200, [("ETag", "\"a\""), ("Accept-Ranges", "bytes")], .yes),
            (200, [("ETag", "\"a\""), ("Accept-Ranges", "lines, Bytes")], .yes),
            (200, [("ETag", "\"a\""), ("Accept-Ranges", "lines")], .unknown),
            (200, [("Accept-Ranges", "bytes")], .no),
            (200, [("ETag", "\"a\""), ("Content-Encoding", "gzip")], .no),
            (200, [("ETag", "\"a\""), ("Content-Encoding", " identity")], .unknown),
            (200, [("ETag", "\"a\""), ("Content-Length", "4")], .no),
            (
                200,
                [
                    ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:50:37 GMT"),
                ], .unknown
            ),
            (200, [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")], .no), (200, [], .no),
        ] as [(Int, [(String, String)], Resumability)])
    func evidence(status: Int, fields: [(String, String)], resumability: Resumability) throws {
        let head = Answer("answer", status, fields).head
        let length = try BodyLength(head, method: request.method)
        let answer = DownloadEvidence.answer(FreshAnswer(request: request, head: head, length: length))
        let stored = DownloadEvidence.stored(answer.metadata)
        #expect(answer.resumability(partSize: 5) == resumability)
        #expect(stored.resumability(partSize: 5) == resumability)
        let seen = answer.resumability(partSize: 5, hasSeenPart: true)
        #expect(seen == (resumability == .unknown ? .yes : resumability), "a part that was sent says it too")
        #expect(answer.length == stored.length)
    }

    @Test("Two different lengths, or one that is no number, are a bad response")
    func badLengths() {
        for value in ["1, 2", "9223372036854775808", "-1", "0x10", "", "1 2", "+5"] {
            let answer = Answer(value, 200, [("Content-Length", value)])
            #expect(judge(answer, metadata: nil, offset: 0).kind == "failure(badResponse)", "\(value)")
        }
        let repeated = Answer("repeated", 200, [("Content-Length", "7"), ("Content-Length", "7")])
        #expect(judge(repeated, metadata: nil, offset: 0).kind == "fresh")
    }
}
