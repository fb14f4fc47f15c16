import Foundation
import FoundationNetworking
import LoopbackServer
import SessionCore
import Testing

@testable import DocumentationExamples

/// Runs the examples of the documentation, and compares what the documents show with what was run.
@Suite("Documentation examples", .timeLimit(.minutes(1)))
struct DocumentationExampleTests {
    private let server = LoopbackServer()
    private let folder: TemporaryFolder
    private let manager: SessionManager
    private let content = DeterministicContent(seed: 5, count: 300_000)

    init() throws {
        try server.start()
        folder = try TemporaryFolder()
        var configuration = SessionConfiguration()
        configuration.stagingFolder = folder.path + "/staging"
        manager = SessionManager(configuration: configuration)
        manager.completionQueue = DispatchQueue(label: "DocumentationExampleTests")
        manager.notificationQueue = manager.completionQueue
        server.setRoute("/json", .respond(.text(#"{"name":"x"}"#)).header("Content-Type", "application/json"))
        server.setRoute("/file.bin", .file(seed: 5, count: content.count))
        server.setRoute("/sink", .uploadSink())
    }

    private var bytes: [UInt8] { content.bytes(in: 0..<content.count) }

    private func address(_ path: String) throws -> URL { try #require(URL(string: server.url(path))) }

    @Test("B01 B02: the examples of a data task")
    func dataTasks() async throws {
        try DocumentationExampleKinds.data(manager, address("/json"))
        #expect(try await DocumentationExampleKinds.asyncData(manager, address("/json")) == 12)
        await manager.waitForAll()
        #expect(server.requests(for: "/json").count == 2)
    }

    @Test("The example of a streamed body")
    func streamedBody() async throws {
        manager.responseSerializer = DataResponseSerializer()
        let completion = try await DocumentationExampleKinds.stream(manager, address("/file.bin")).completion()
        #expect(completion.error == nil && completion.status.received == content.count)
    }

    @Test("B03 B06 B07: the examples of an upload task from a file, data and a stream")
    func uploadTasks() async throws {
        manager.responseSerializer = DataResponseSerializer()
        try folder.write(bytes, to: "body")
        let file = try await DocumentationExampleKinds.uploadFile(manager, address("/sink"), folder.file("body"))
            .completion()
        #expect(file.error == nil && file.status.sent == content.count)
        let response = try #require(try await DocumentationExampleKinds.uploadData(manager, address("/sink")))
        #expect((200...299).contains(response.statusCode))
        let stream = try await DocumentationExampleKinds.uploadStream(manager, address("/sink"), folder.file("body"))
            .completion()
        #expect(stream.error == nil && stream.status.sent == content.count)
        #expect(server.requests(for: "/sink").map(\.bodyByteCount) == [content.count, 18, content.count])
    }

    @Test("B08: the example of a download into a folder")
    func download() async throws {
        let file = try await DocumentationExampleKinds.download(manager, address("/file.bin"), folder.path)
        #expect(file == folder.file("file.bin"))
        #expect(folder.bytes(of: "file.bin") == bytes)
    }

    @Test("The example of the README ends with the file in its folder")
    func readme() async throws {
        let completion = try await DocumentationExampleReadme.download(server.url("/file.bin"), folder.path)
        #expect(completion.error == nil)
        #expect(completion.filePath == folder.file("file.bin").path)
        #expect(folder.bytes(of: "file.bin") == bytes)
        #expect(DocumentationExampleReadme.place.url.hasPrefix("https://example.org/"))
    }

    @Test("B09: the example of resume data")
    func resumeData() async throws {
        let gate = try server.gate(named: "middle")
        let file = Behaviour.file(seed: 5, count: content.count)
        server.setRoute("/file.bin", .sequence([file.stalling(after: 200_000, until: gate), file]))
        let target = DownloadTarget(folder: folder.path)
        let task = try manager.downloadTask(
            with: TransferRequest(url: server.url("/file.bin")), options: TaskOptions(target: target),
            completionHandler: nil)
        let statuses = task.statuses
        task.resume()
        for await status in statuses where status.received > 100_000 { break }
        let second = try #require(try await DocumentationExampleKinds.resumeData(manager, task))
        #expect(await second.completion().error == nil)
        #expect(folder.bytes(of: "file.bin") == bytes)
    }

    @Test("C10 C11: the examples of pausing, also through a parent, and of a task's events")
    func pausing() async throws {
        server.setRoute("/file.bin", .file(seed: 5, count: content.count))
        let tasks = try (1...2).map { number in
            try manager.downloadTask(
                with: TransferRequest(url: server.url("/file.bin")),
                options: TaskOptions(target: DownloadTarget(folder: folder.path, name: .fixed("\(number)"))),
                completionHandler: nil)
        }
        for task in tasks { task.resume() }
        let complete = DocumentationExampleControl.parent(manager, tasks)
        DocumentationExampleControl.pausing(manager, tasks[0])
        for task in tasks { #expect(await DocumentationExampleControl.events(task)?.error == nil) }
        #expect(folder.bytes(of: "1") == bytes && folder.bytes(of: "2") == bytes)
        while !complete.isFinished { await settle() }
        #expect(complete.fractionCompleted == 1)
    }

    @Test("A11: the example of a persistent session finds its tasks again")
    func persistentSession() async throws {
        let target = DownloadTarget(folder: folder.path, name: .fixed("again"))
        let first = DocumentationExampleControl.persistent(folder.url)
        let task = try first.downloadTask(
            with: TransferRequest(url: server.url("/file.bin")), options: TaskOptions(target: target),
            completionHandler: nil)
        await first.close()
        let second = DocumentationExampleControl.persistent(folder.url)
        let found = try #require(second.task(for: task.id))
        found.resume()
        #expect(await found.completion().error == nil)
        #expect(folder.bytes(of: "again") == bytes)
        await second.close()
    }

    @Test("The example of a challenge leaves a request without one alone")
    func challenge() async throws {
        DocumentationExampleControl.challenge(manager)
        #expect(manager.handlers.onTaskChallenge != nil)
        #expect(try await DocumentationExampleKinds.asyncData(manager, address("/json")) == 12)
    }

    @Test("What the documents show is what is compiled here, and everything here is shown")
    func documentsShowWhatIsRun() throws {
        let examples = try DocumentationText.examples()
        let shown = try DocumentationText.codeBlocks()
        try #require(examples.count > 10)
        for (document, block) in shown {
            #expect(examples.values.contains(block), "\(document) shows code that no test has:\n\(block)")
        }
        for (name, code) in examples {
            #expect(shown.contains { $0.code == code }, "no document shows the example \(name):\n\(code)")
        }
    }

    @Test("Every case of a public enumeration says what it means, which no formatter asks for")
    func everyCaseIsDocumented() throws {
        var count = 0
        let folders = ["Sources/SessionCore", "Sources/TransferValues"]
        for file in try folders.flatMap({ try SourceTree.files(under: $0) }) {
            var indent: String?
            for (line, previous) in zip(file.lines.dropFirst(), file.lines) {
                let start = String(line.prefix { $0 == " " })
                if line.contains("public enum ") || previous.contains("public enum ") && indent == nil {
                    indent = String((line.contains("public enum ") ? line : previous).prefix { $0 == " " })
                } else if let outer = indent, line == outer + "}" {
                    indent = nil
                } else if let outer = indent, start == outer + "    ", line.dropFirst(start.count).hasPrefix("case ") {
                    count += 1
                    #expect(previous.contains("///"), "\(file): \(line)")
                }
            }
        }
        #expect(count > 80)
    }

    private func settle() async { await ManagerFixture.settle(manager) }
}
