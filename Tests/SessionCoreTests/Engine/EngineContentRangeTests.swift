import LoopbackServer
import Testing

@testable import SessionCore

/// Uploads that were cut go on by `Content-Range`, and no server keeps a part of a file for the file.
@Suite("Uploads by Content-Range on the wire", .timeLimit(.minutes(1)))
struct EngineContentRangeTests {
    private static let content = DeterministicContent(seed: 9, count: 1_000_000).bytes
    private let server: LoopbackServer

    init() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 2 << 20
        server = LoopbackServer(configuration: configuration)
        try server.start()
    }

    private var request: TransferRequest {
        var request = TransferRequest(url: server.url("/files"), method: "PUT", body: .bytes(Self.content))
        request.headers["Authorization"] = "Basic eDp5"
        request.uploadResumption = .contentRange
        return request
    }

    private var ranges: [String?] { server.requests.map { $0.header("Content-Range") } }

    @Test("An upload that is cut three times sends each byte about once")
    func cut() throws {
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.contentRange, at: "/files")
        keeper.cuts = [400_000, 100_000, 200_000]
        server.keepUploads(keeper)
        let id = harness.add(request, kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        #expect(String(decoding: outcome.body, as: UTF8.self) == "whole")
        #expect(keeper.bytes(in: server.requests) == Self.content)
        #expect(server.requests.reduce(0) { $0 + $1.bodyByteCount } == 1_000_000)
        let question = "bytes */1000000"
        #expect(
            ranges == [
                nil, question, "bytes 400000-999999/1000000", question, "bytes 500000-999999/1000000", question,
                "bytes 700000-999999/1000000",
            ])
        #expect(server.requests.allSatisfy { $0.method == "PUT" && $0.header("Authorization") == "Basic eDp5" })
        #expect(harness.status(id).sent == 1_000_000 && harness.status(id).expectedToSend == 1_000_000)
    }

    @Test("A server that takes the question for an empty file gets the complete file")
    func unaware() throws {
        let harness = try EngineHarness()
        let cut = UploadPolicy(delivery: Delivery(cut: Cut(after: 400_000, manner: .reset)))
        let sink = Behaviour.uploadSink()
        server.setRoute("/files", .sequence([.uploadSink(cut), sink]))
        let id = harness.add(request, kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        #expect(ranges == [nil, "bytes */1000000", nil])
        #expect(server.requests.last?.bodyPrefix == Self.content)
        #expect(harness.restarts(of: id) == [ResumeReasons.noContentRange])
    }

    @Test("A server that claims more than was sent gets no further byte")
    func impossible() throws {
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.contentRange, at: "/files")
        keeper.cuts = [400_000]
        keeper.lie = { _, _ in 999_999 }
        server.keepUploads(keeper)
        var request = request
        request.body = .bytes(Array(Self.content[..<500_000]))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.error?.code == .badResponse)
        #expect(server.requests.count == 2)
    }
}
