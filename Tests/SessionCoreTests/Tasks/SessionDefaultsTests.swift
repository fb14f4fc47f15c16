import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// What a session does of which nobody has said anything.
@Suite("A session's defaults", .timeLimit(.minutes(1)))
struct SessionDefaultsTests {
    @Test("Nothing is tried again, nothing is limited, and the library names itself alone")
    func values() {
        let configuration = SessionConfiguration.default
        #expect(configuration.maximumRetries == 0)
        #expect(configuration.dataLimit == .max)
        #expect(configuration.additionalHeaders.map(\.name) == ["User-Agent"])
        #expect(configuration.additionalHeaders["User-Agent"]?.hasPrefix("SessionCore/") == true)
        #expect(configuration == SessionConfiguration())
    }

    @Test("A refused connection is told at once")
    func refused() async throws {
        let server = LoopbackServer()
        try server.start()
        let url = server.url("/nobody")
        server.stop()
        let manager = SessionManager()
        let task = try manager.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        let events = task.events
        task.resume()
        var retries = 0
        for await event in events {
            if case .retrying = event { retries += 1 }
        }
        let error = await task.completion().error as? SessionError
        #expect(error?.code == .connectionRefused)
        #expect(retries == 0)
    }

    @Test("So many retries are so many further attempts", arguments: [0, 1, 2])
    func retries(count: Int) async throws {
        let server = LoopbackServer()
        server.setRoute("/busy", .respond(.text("later", status: 503)).header("Retry-After", "0"))
        try server.start()
        var configuration = SessionConfiguration.default
        configuration.maximumRetries = count
        let manager = SessionManager(configuration: configuration)
        let folder = try TemporaryFolder()
        let request = TransferRequest(url: server.url("/busy"))
        await #expect(throws: SessionError.self) {
            _ = try await manager.download(
                for: request, options: TaskOptions(target: DownloadTarget(folder: folder.path)))
        }
        #expect(server.requests.count == count + 1)
        #expect(server.requests.first?.header("User-Agent")?.hasPrefix("SessionCore/") == true)
    }

    @Test("A body beyond the megabytes that a dashboard keeps is collected")
    func largeBody() async throws {
        let server = LoopbackServer()
        server.setRoute("/large", .file(count: 65 << 20))
        try server.start()
        let manager = SessionManager()
        manager.responseSerializer = DataResponseSerializer()
        let completion = try await manager.data(for: TransferRequest(url: server.url("/large")))
        #expect(completion.body.count == 65 << 20)
    }
}
