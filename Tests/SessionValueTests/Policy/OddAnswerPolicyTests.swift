import Testing

@testable import SessionCore

/// Answers to a request for the rest that are none, and what tells them from another file.
@Suite("Odd answers to a range")
struct OddAnswerPolicyTests {
    private static let tag = "\"one\""

    private func judge(
        _ status: Int, _ fields: KeyValuePairs<String, String>, after oddAnswers: Int = 0
    ) -> ResumeAction {
        var metadata = StoredMetadata(url: "http://h/f", finalURL: "http://h/f", method: "GET", status: 200)
        (metadata.entityTag, metadata.length, metadata.acceptRanges) = (Self.tag, 1_000, "bytes")
        var head = ResponseHead(statusCode: status, url: "http://h/f")
        for (name, value) in fields { head.headers.append(name: name, value: value) }
        var history = ResumeHistory(retries: 5, patience: ResumeHistory.oddAnswerLimit)
        history.oddAnswers = oddAnswers
        return ResumePolicy.judge(
            head, request: TransferRequest(url: "http://h/f"), metadata: metadata, offset: 400, history: history, now: 0
        )
    }

    private static let oddAnswers: [(Int, KeyValuePairs<String, String>)] = [
        (206, ["ETag": tag]), (206, ["ETag": tag, "Content-Range": "bytes 401-999/1000"]),
        (206, ["Content-Range": "bytes 400-999/1000"]), (206, ["ETag": tag, "Content-Range": "bytes 0-99/1000"]),
        (206, ["ETag": tag, "Content-Range": "bytes 400-999/1000", "Content-Length": "599"]),
        (206, ["ETag": tag, "Content-Range": "bytes 400-999/1000", "Content-Encoding": "gzip"]),
        (206, ["ETag": tag, "Content-Type": "multipart/byteranges; boundary=b"]),
        (416, [:]), (416, ["Content-Range": "bytes */1000"]), (304, [:]), (202, [:]),
    ]

    @Test("is asked again twice before what is here is given up", arguments: oddAnswers.indices)
    func odd(index: Int) {
        let (status, fields) = Self.oddAnswers[index]
        for count in 0..<ResumeHistory.oddAnswerLimit { #expect(judge(status, fields, after: count) == .askAgain) }
        guard case .restart = judge(status, fields, after: ResumeHistory.oddAnswerLimit) else {
            return #expect(Bool(false), "\(status) \(fields)")
        }
    }

    @Test("A whole file without the tag that it had is asked for again, and then taken")
    func whole() {
        #expect(judge(200, ["Content-Length": "1000"]) == .askAgain)
        for answer in [
            judge(200, ["Content-Length": "1000"], after: 2), judge(200, ["Content-Length": "999"]),
            judge(200, ["Content-Length": "1000", "ETag": "\"two\""]),
        ] {
            guard case .newGeneration = answer else { return #expect(Bool(false), "\(answer)") }
        }
    }

    private static let changes: [(Int, KeyValuePairs<String, String>)] = [
        (206, ["ETag": "\"two\"", "Content-Range": "bytes 400-999/1000"]),
        (206, ["ETag": tag, "Content-Range": "bytes 400-999/1001"]), (206, ["ETag": "\"two\""]),
        (416, ["Content-Range": "bytes */300"]), (416, ["ETag": "\"two\""]), (412, [:]),
    ]

    @Test("An answer that says that the file is another is not asked for again", arguments: changes.indices)
    func changed(index: Int) {
        let (status, fields) = Self.changes[index]
        guard case .restart = judge(status, fields) else { return #expect(Bool(false), "\(status) \(fields)") }
    }
}
