import Foundation
import Testing

@testable import SessionCore

@Suite("What a completion says") struct TaskCompletionTests {
    private static let resumeData = ResumeData(url: "http://h/", headers: [:], partPath: "part", target: nil)

    private static func completion(
        error: SessionError? = nil, result: BodyResult = BodyResult(), body: [UInt8] = [],
        change: (inout TaskCompletion.Draft) -> Void = { _ in }
    ) -> TaskCompletion {
        var status = TaskStatus()
        status.received = 7
        let outcome = TransferOutcome(
            error: error, head: ResponseHead(statusCode: 206, url: "http://h/"), result: result, status: status)
        var draft = TaskCompletion.Draft(outcome, body: Data(body), serializer: DataResponseSerializer())
        change(&draft)
        return TaskCompletion(draft)
    }

    @Test("It says what the outcome says")
    func outcome() {
        let result = BodyResult(
            verifiedDigest: "ab", wasSkipped: true, lengthWasVerified: false, resumeData: Self.resumeData)
        let completion = Self.completion(error: SessionError(.timedOut, "Too late"), result: result, body: [1, 2])
        #expect((completion.error as? SessionError)?.message == "Too late")
        #expect(completion.head?.statusCode == 206 && completion.status.received == 7)
        #expect(completion.verifiedDigest == "ab" && completion.wasSkipped && !completion.lengthWasVerified)
        #expect(completion.resumeData == Self.resumeData && !completion.isFromCache)
        #expect(completion.data == Data([1, 2]) && completion.body == [1, 2])
        #expect(completion.object == nil && completion.filePath == nil && completion.fileURL == nil)
    }

    @Test("What was made of the outcome is said in its place")
    func draft() {
        let failed = Self.completion(body: [1]) {
            $0.error = SessionError(.http, "404")
            $0.object = .made("object")
        }
        #expect((failed.error as? SessionError)?.code == .http && failed.object as? String == "object")
        let moved = Self.completion(result: BodyResult(filePath: "/staged")) {
            $0.filePath = "/a b"
            $0.object = .file
        }
        #expect(moved.filePath == "/a b" && moved.fileURL?.path == "/a b" && moved.object as? URL == moved.fileURL)
    }
}
