import Testing

@testable import SessionCore

/// The requests of an upload that resumes by `Content-Range`, and what their responses lead to.
@Suite("Uploads by Content-Range")
struct ContentRangeUploadTests {
    private let content = UploadContent(length: 100, modified: 1)
    private var original: TransferRequest {
        var request = TransferRequest(url: "http://host/file", method: "PUT", body: .bytes([1]))
        request.headers["Content-Type"] = "image/png"
        request.headers["If-None-Match"] = "*"
        return request
    }

    /// An upload whose first request was cut after some bytes were given to its connection.
    private func cut(after count: Int64 = 50, begun: UploadLocation? = nil) -> ResumableUpload {
        var upload = ResumableUpload(UploadPlan(.contentRange), content: content, to: "http://host/file", begun: begun)
        upload.begin()
        upload.moved(handedOut: count, arrived: count)
        upload.begin()
        return upload
    }

    private func range(_ value: String?, status: Int = 308) -> ResponseHead {
        .given(status, value.map { ["Range": $0] } ?? [:])
    }

    @Test("The first request is the caller's own, a question has no body, and the rest names its range")
    func requests() {
        var upload = ResumableUpload(UploadPlan(.contentRange), content: content, to: "http://host/file")
        upload.begin()
        #expect(upload.request(for: original) == original)
        #expect(!upload.keepsBytes && upload.mayRepeat && upload.sendsContent)
        upload = cut()
        let question = upload.request(for: original)
        #expect(question.body == .none && question.method == "PUT")
        #expect(question.headers["Content-Range"] == "bytes */100")
        #expect(question.headers["Content-Type"] == nil && question.headers["If-None-Match"] == nil)
        let outcome = upload.judge(range("bytes=0-41"), original: original)
        #expect(outcome == .next && upload.step == .append(42) && upload.keepsBytes && upload.confirmed == 42)
        upload.begin()
        let rest = upload.request(for: original)
        #expect(rest.headers["Content-Range"] == "bytes 42-99/100" && rest.headers["Content-Type"] == "image/png")
        #expect(upload.piece == 42..<100 && upload.sendsContent)
    }

    @Test("Before a byte was sent nothing is asked, and of an empty file never")
    func unasked() {
        #expect(cut(after: 0).step == .send)
        let empty = UploadContent(length: 0, modified: 1)
        let upload = ResumableUpload(UploadPlan(.contentRange), content: empty, to: "http://host/file")
        #expect(upload.step == .send && upload.location == nil && !upload.mayRepeat)
    }

    @Test("An upload of an earlier run begins with the question")
    func earlierRun() {
        let location = UploadLocation(style: .contentRange, url: "http://host/file", content: content)
        var upload = ResumableUpload(
            UploadPlan(.contentRange, location: location), content: content, to: "http://host/file", begun: location)
        #expect(upload.step == .locate)
        let outcome = upload.judge(range("bytes=0-89"), original: original)
        #expect(outcome == .next && upload.step == .append(90))
    }

    /// What an answer to the question leads to.
    enum Then: Sendable {
        case append(Int64), ordinary, answer, question, fail
    }

    @Test(
        "Only a 308 with a possible range continues; other answers get the complete file again",
        arguments: [
            (308, "bytes=0-49", .append(50)), (308, nil, .append(0)), (308, "bytes=0-50", .fail),
            (308, "bytes=1-49", .fail), (308, "0-49", .fail), (308, "bytes=0-9,20-29", .fail), (308, "bytes=0-", .fail),
            (308, "bytes=0-9223372036854775807", .fail),
            (200, nil, .ordinary), (201, nil, .ordinary), (204, nil, .ordinary), (400, nil, .ordinary),
            (404, nil, .ordinary), (410, nil, .ordinary), (501, nil, .ordinary), (304, nil, .ordinary),
            (401, nil, .answer), (403, nil, .answer), (503, nil, .answer),
        ] as [(Int, String?, Then)])
    func question(status: Int, field: String?, then: Then) {
        var upload = cut()
        let outcome = upload.judge(range(field, status: status), original: original)
        expect(outcome, upload, then)
    }

    @Test("A server that does not know the question is asked once")
    func askedOnce() {
        var upload = cut()
        _ = upload.judge(range(nil, status: 201), original: original)
        upload.begin()
        upload.moved(handedOut: 60, arrived: 60)
        upload.begin()
        #expect(upload.step == .send && upload.request(for: original) == original)
    }

    private func expect(_ outcome: ResumableUpload.Outcome, _ upload: ResumableUpload, _ then: Then) {
        switch then {
        case .append(let offset): #expect(outcome == .next && upload.step == .append(offset))
        case .question: #expect(outcome == .next && upload.step == .locate)
        case .answer: #expect(outcome == .answer)
        case .ordinary:
            #expect(outcome == .restartFromZero(reason: ResumeReasons.noContentRange))
            #expect(upload.step == .send && upload.location == nil && upload.request(for: original) == original)
        case .fail:
            guard case .fail(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(error.code == .badResponse)
        }
    }

    @Test(
        "A server that knows the question is believed when it says that the upload is complete or gone",
        arguments: [
            (100, 200, nil, .answer), (100, 201, nil, .answer), (60, 201, nil, .ordinary), (60, 404, nil, .answer),
            (60, 410, nil, .answer), (100, 308, "bytes=0-99", .question),
        ] as [(Int64, Int, String?, Then)])
    func knownQuestion(handedOut: Int64, status: Int, field: String?, then: Then) {
        var upload = cut()
        _ = upload.judge(range("bytes=0-9"), original: original)
        upload.begin()
        upload.moved(handedOut: handedOut - 10, arrived: handedOut - 10)
        upload.begin()
        #expect(upload.step == .locate)
        let outcome = upload.judge(range(field, status: status), original: original)
        expect(outcome, upload, then)
    }

    @Test(
        "The rest is answered by more rest, by the upload's end, or by a question about the offset",
        arguments: [
            (308, "bytes=0-69", .append(70)), (308, "bytes=0-99", .question), (200, nil, .answer), (201, nil, .answer),
            (416, nil, .question), (409, nil, .question), (400, nil, .question), (413, nil, .answer),
        ] as [(Int, String?, Then)])
    func appending(status: Int, field: String?, then: Then) {
        var upload = cut()
        _ = upload.judge(range("bytes=0-9"), original: original)
        upload.begin()
        upload.moved(handedOut: 90, arrived: 90)
        let outcome = upload.judge(range(field, status: status), original: original)
        expect(outcome, upload, then)
    }

    @Test("A server that takes nothing more is asked three times")
    func stuck() {
        var upload = cut()
        var outcomes: [ResumableUpload.Outcome] = []
        for _ in 0..<5 {
            outcomes.append(upload.judge(range("bytes=0-9"), original: original))
            upload.begin()
            upload.moved(handedOut: 90, arrived: 0)
        }
        #expect(outcomes.dropLast().allSatisfy { $0 == .next })
        guard case .fail(let error)? = outcomes.last else { return #expect(Bool(false), "\(outcomes)") }
        #expect(error.message == ResumeErrors.uploadStuck)
    }

    @Test("Bytes of another file at the URL are never completed with this one", arguments: [0, 30] as [Int64])
    func otherFile(kept: Int64) {
        let other = UploadContent(length: 80, modified: 9)
        let begun = UploadLocation(style: .contentRange, url: "http://host/file", content: other)
        var upload = ResumableUpload(
            UploadPlan(.contentRange, location: begun), content: content, to: "http://host/file", begun: begun)
        #expect(upload.step == .locate)
        let outcome = upload.judge(range(kept == 0 ? nil : "bytes=0-\(kept - 1)"), original: original)
        if kept == 0 {
            #expect(outcome == .next && upload.step == .append(0) && upload.location?.content == content)
        } else {
            #expect(upload.location == begun, "The next try asks again whose bytes they are.")
            guard case .fail(let error) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(error.message == ResumeErrors.otherBytesKept(kept))
        }
    }

    @Test("The stored text comes back")
    func storedText() {
        let location = UploadLocation(style: .contentRange, url: "http://host/file?upload_id=1", content: content)
        let plan = UploadPlan(.contentRange, location: location)
        #expect(UploadPlan(storedText: plan.storedText) == plan)
    }
}
