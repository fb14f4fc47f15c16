import Dispatch
import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// The session manager with the real engine and a real server on loopback.
@Suite("Session manager on loopback", .timeLimit(.minutes(1)))
struct ManagerLoopbackTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder
    private let manager: SessionManager
    private let content = DeterministicContent(seed: 21, count: 4_000_000)

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 4
        configuration.stagingFolder = folder.path + "/staging"
        manager = SessionManager(configuration: configuration)
        manager.completionQueue = DispatchQueue(label: "ManagerLoopbackTests")
        manager.notificationQueue = manager.completionQueue
    }

    private func urlRequest(_ path: String) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: server.url(path))))
    }

    private var allBytes: [UInt8] { content.bytes(in: 0..<content.count) }

    @Test("B02: a data task's JSON reaches its handler")
    func dataTask() async throws {
        server.setRoute("/json", .respond(.text(#"{"name":"x"}"#)).header("Content-Type", "application/json"))
        let log = EventLog<String>()
        let task = try manager.dataTask(with: try urlRequest("/json")) { response, object, error in
            let name = (object as? [String: any Sendable])?["name"] as? String
            log.add("\(response?.statusCode ?? 0) \(name ?? "none") \(error == nil)")
        }
        task.resume()
        #expect(await log.wait(count: 1) == ["200 x true"])
        #expect(task.status.phase == .completed)
        #expect(task.response?.value(forHTTPHeaderField: "content-type") == "application/json")
    }

    @Test("B07 LT8: a body stream arrives whole")
    func streamedUpload() async throws {
        server.setRoute("/sink", .uploadSink())
        var request = try urlRequest("/sink")
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data(allBytes))
        let task = try manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil)
        #expect(task.countOfBytesSent == content.count)
        #expect(server.requests(for: "/sink").first?.bodyByteCount == content.count)
    }

    @Test("B08 C10 C11 KB17: a download paused and resumed through its progress ends whole at its destination")
    func pausedDownload() async throws {
        let gate = try server.gate(named: "middle")
        server.setRoute("/file", .file(seed: 21, count: content.count).stalling(after: 2_000_000, until: gate))
        let target = folder.file("final")
        let changes = EventLog<Int64>()
        let task = try manager.downloadTask(
            with: try urlRequest("/file"), progress: { changes.add($0.completedUnitCount) },
            destination: { _, _ in target }, completionHandler: nil)
        let progress = try #require(manager.downloadProgress(for: task))
        progress.resume()
        _ = await changes.wait { $0.last ?? 0 > 1_000_000 }
        for _ in 1...20 {
            progress.pause()
            #expect(task.state == .suspended)
            progress.resume()
            #expect(task.state == .running)
        }
        gate.release()
        let completion = await task.completion()
        #expect(completion.error == nil)
        #expect(folder.bytes(of: "final") == allBytes)
        #expect(progress.isFinished)
        let counts = changes.entries
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(counts.filter { $0 == content.count }.count == 1)
    }

    @Test("An upload that is refused at once leaves its progress where sending has stopped", arguments: [401, 413])
    func refusedUpload(status: Int) async throws {
        server.setRoute("/refuse", .refusing(ScriptedResponse(status)))
        let task = try manager.uploadTask(
            with: TransferRequest(url: server.url("/refuse"), method: "POST"), from: Data(count: 8 << 20),
            completionHandler: nil)
        let progress = try #require(manager.uploadProgress(for: task))
        task.resume()
        #expect(await task.completion().head?.statusCode == status)
        #expect(!progress.isFinished && progress.totalUnitCount == 8 << 20 && progress.fractionCompleted < 1)
        #expect(task.countOfBytesExpectedToSend == 8 << 20)
    }

    @Test("B09 KB13 KB23 E15: a cancelled download goes on from its resume data")
    func resumeData() async throws {
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 21, count: content.count)
        server.setRoute("/file", .sequence([file.stalling(after: 2_000_000, until: gate), file]))
        let target = DownloadTarget(folder: folder.path, name: .fixed("file"))
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/file")), options: TaskOptions(target: target),
            completionHandler: nil)
        let stream = task.statuses
        task.resume()
        for await status in stream where status.received > 500_000 { break }
        let received = EventLog<ResumeData?>()
        task.cancel { received.add($0) }
        let data = try #require(await received.wait(count: 1).first ?? nil)
        let offsets = EventLog<Int64>()
        let totals = EventLog<Int64>()
        manager.onResumeAtOffset = { _, place in
            offsets.add(place.offset)
            totals.add(place.expectedTotal ?? -1)
        }
        let second = try manager.downloadTask(withResumeData: data, completionHandler: nil)
        second.resume()
        let completion = await second.completion()
        #expect(completion.error == nil)
        #expect(completion.fileURL == folder.file("file"))
        #expect(folder.bytes(of: "file") == allBytes)
        #expect(totals.entries == [Int64(content.count)])
        #expect(offsets.entries.count == 1 && (offsets.entries.first ?? 0) > 0)
        gate.release()
    }

    @Test("D6: a 404 is not moved and its body is in the error")
    func notFoundDownload() async throws {
        server.setRoute("/file", .respond(.html("<p>no</p>", status: 404)))
        let target = folder.file("final")
        let task = try manager.downloadTask(
            with: try urlRequest("/file"), destination: { _, _ in target }, completionHandler: nil)
        task.resume()
        let error = try #require(await task.completion().error as? SessionError)
        #expect(error.statusCode == 404)
        #expect(error.responseBody == Array("<p>no</p>".utf8))
        #expect(folder.bytes(of: "final") == nil)
    }

    @Test("E03 KB42: a refused redirect is the answer, a changed one is followed")
    func redirects() async throws {
        server.setRoute("/a", .redirect(to: "/b"))
        server.setRoute("/b", .respond(.text("b")))
        manager.responseSerializer = DataResponseSerializer()
        manager.onRedirect = { _, _, request in
            var changed = request
            changed.headers["X-Hop"] = "1"
            return changed
        }
        let followed = try await manager.data(for: TransferRequest(url: server.url("/a")))
        #expect(followed.head?.statusCode == 200)
        #expect(followed.head?.url == server.url("/b"))
        #expect(followed.metrics.earlierHeads.map(\.statusCode) == [302])
        #expect(followed.metrics.earlierHeads.first?.url == server.url("/a"))
        manager.onRedirect = { _, _, _ in nil }
        let refused = try await manager.data(for: TransferRequest(url: server.url("/a")))
        #expect(refused.head?.statusCode == 302)
        #expect(refused.metrics.earlierHeads.isEmpty)
        #expect(server.requests(for: "/b").count == 1)
    }

    @Test("E09: a response may be stored as a file")
    func responseStoredAsAFile() async throws {
        server.setRoute("/file", .file(seed: 21, count: content.count))
        manager.onResponse = { _, _ in .becomeDownload }
        let task = try manager.dataTask(with: TransferRequest(url: server.url("/file")), completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil)
        #expect(task.kind == .download)
        let file = try #require(completion.fileURL)
        #expect(FileManager.default.contents(atPath: file.path).map { [UInt8]($0) } == allBytes)
    }

    @Test("A response that became a download is not asked about again when it breaks off and goes on")
    func askedOnce() async throws {
        server.setRoute("/file", .flaky(ServedResource(seed: 21, count: content.count), after: 1_000_000, .close))
        let asked = Locked<[Int]>([])
        manager.onResponse = { _, head in
            asked.withLock { $0.append(head.statusCode) }
            return .becomeDownload
        }
        let task = try manager.dataTask(with: TransferRequest(url: server.url("/file")), completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil)
        #expect(task.responseHead?.statusCode == 206)
        #expect(asked.withLock { $0 } == [200])
    }

    @Test("E08: a response may be refused")
    func refusedResponse() async throws {
        server.setRoute("/file", .file(seed: 21, count: content.count))
        manager.onResponse = { _, _ in .cancel }
        let cancelled = try manager.dataTask(with: TransferRequest(url: server.url("/file")), completionHandler: nil)
        cancelled.resume()
        #expect((await cancelled.completion().error as? SessionError)?.code == .cancelled)
    }

    @Test("KB21: a streamed body arrives in order without being collected")
    func streamedBody() async throws {
        server.setRoute("/file", .file(seed: 21, count: content.count))
        manager.responseSerializer = DataResponseSerializer()
        let received = Locked([UInt8]())
        let task = try manager.dataTask(
            with: TransferRequest(url: server.url("/file")),
            options: TaskOptions(delivery: .stream { bytes in received.withLock { $0 += bytes } }),
            completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil && completion.body.isEmpty)
        #expect(received.withLock { $0 } == allBytes)
    }

    @Test("A20: a session finished while a transfer runs lets it end, then says so")
    func finishingInvalidation() async throws {
        server.setRoute("/file", .file(seed: 21, count: content.count).limited(to: 16_000_000))
        let log = EventLog<String>()
        manager.onInvalidate = { _, _ in log.add("invalid") }
        manager.onComplete = { _, error in log.add("complete \(error == nil)") }
        manager.responseSerializer = DataResponseSerializer()
        try manager.dataTask(with: TransferRequest(url: server.url("/file")), completionHandler: nil).resume()
        manager.invalidate(cancellingTasks: false)
        #expect(await log.wait(count: 2) == ["complete true", "invalid"])
    }
}
