import Testing

@testable import SessionCore

/// Ranges that were not asked for.
@Suite("Ranges that are all of a file")
struct WholeRangeTests {
    @Test(
        "A 206 that was not asked for is taken where its range is all of the file",
        arguments: [
            ("bytes 0-999/1000", "1000", true), ("bytes 0-999/1000", nil, true), ("bytes 0-998/1000", "999", false),
            ("bytes 1-999/1000", "999", false), ("bytes 0-999/*", "1000", false), ("bytes 0-999/1000", "500", false),
            ("items 0-999/1000", "1000", false), (nil, "1000", false),
        ] as [(String?, String?, Bool)])
    func whole(range: String?, length: String?, isTaken: Bool) throws {
        var head = ResponseHead(statusCode: 206, headers: ["ETag": "\"t\""], url: "http://h/f")
        head.headers["Content-Range"] = range
        head.headers["Content-Length"] = length
        let request = TransferRequest(url: "http://h/f")
        let action = ResumePolicy.judge(head, request: request, metadata: nil, offset: 0, now: 0)
        switch action {
        case .fresh(let length):
            #expect(isTaken)
            // What was cut goes on as that of a 200 does.
            let metadata = StoredMetadata(request: request, head: head, length: length)
            #expect(ResumePolicy.mayResume(metadata, partSize: 400).isGiven)
        case .failure(let error): #expect(!isTaken && error.code == .badResponse)
        default: Issue.record("\(action)")
        }
    }
}
