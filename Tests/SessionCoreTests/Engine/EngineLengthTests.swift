import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Responses whose lengths contradict each other (RFC 9112, 6.3), with the real engine.
@Suite("Announced lengths", .timeLimit(.minutes(1)))
struct EngineLengthTests {
    private let server = LoopbackServer()
    private let manager: SessionManager

    init() throws {
        try server.start()
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 0
        manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    private func run(
        _ lengths: [String], _ kind: TransferKind, status: Int = 200, chunks: EventLog<[UInt8]>? = nil
    ) async throws -> TaskCompletion {
        var answer = ScriptedResponse.text("okk", status: status)
        answer.headers["Location"] = "/elsewhere"
        answer.framing = .declaredLength(lengths)
        server.setRoute("/file", .respond(answer))
        var request = TransferRequest(url: server.url("/file"))
        let folder = try TemporaryFolder()
        let task: SessionTask
        switch kind {
        case .download:
            let target = DownloadTarget(folder: folder.path, name: .fixed("file"))
            task = try manager.downloadTask(
                with: request, options: TaskOptions(target: target), completionHandler: nil)
        case .upload:
            request.method = "PUT"
            task = try manager.uploadTask(with: request, from: BodySpecification.bytes([1]), completionHandler: nil)
        default:
            let delivery = chunks.map { chunks in TaskOptions(delivery: .stream { chunks.add($0) }) }
            task = try manager.dataTask(with: request, options: delivery ?? TaskOptions(), completionHandler: nil)
        }
        task.resume()
        return await task.completion()
    }

    @Test(
        "No kind of task takes a body of two lengths",
        arguments: [["2", "3"], ["3", "2"], ["2, 3"], ["2, x"]], [TransferKind.data, .download, .upload])
    func contradiction(lengths: [String], kind: TransferKind) async throws {
        for status in [200, 302, 404] {
            let completion = try await run(lengths, kind, status: status)
            let error = try #require(completion.error as? SessionError, "\(status)")
            #expect(error.code == .badResponse && completion.body.isEmpty, "\(status): \(error)")
        }
    }

    @Test("Nothing of such a body is passed on")
    func stream() async throws {
        let chunks = EventLog<[UInt8]>()
        let completion = try await run(["2", "3"], .data, chunks: chunks)
        #expect((completion.error as? SessionError)?.code == .badResponse && chunks.entries.isEmpty)
    }

    @Test("The same length said twice is one length", arguments: [["3", "3"], ["3, 3"], ["3", "3,3"]])
    func repetition(lengths: [String]) async throws {
        let completion = try await run(lengths, .data)
        #expect(completion.error == nil && completion.body == Array("okk".utf8) && completion.lengthWasVerified)
    }
}
