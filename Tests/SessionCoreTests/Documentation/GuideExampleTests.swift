import Foundation
import LoopbackServer
import SessionCore
import SessionStubs
import Testing

@testable import DocumentationExamples

/// Runs the examples of the guides for users of other libraries.
@Suite("Examples of guides", .timeLimit(.minutes(1)))
struct GuideExampleTests {
    @Test("The example downloads a file to where its closure says")
    func exampleRuns() async throws {
        let server = LoopbackServer()
        try server.start()
        let content = DeterministicContent(seed: 7, count: 200_000)
        server.setRoute("/old/file.bin", .redirect(to: "/file.bin"))
        server.setRoute("/file.bin", .file(seed: 7, count: content.count))
        let folder = try TemporaryFolder()
        let address = try #require(URL(string: server.url("/old/file.bin")))
        let (manager, task) = try DocumentationExampleControl.comingFromAFNetworking(address, folder.url)
        manager.postsNotifications = false
        let completion = await task.completion()
        #expect(completion.error == nil)
        #expect(completion.fileURL == folder.file("file.bin"))
        #expect(folder.bytes(of: "file.bin") == content.bytes(in: 0..<content.count))
    }

    @Test("The example for users of Alamofire renews its token and decodes the answer")
    func alamofireExampleRuns() async throws {
        let (stubs, manager) = DocumentationExampleAlamofire.stubbed()
        manager.postsNotifications = false
        #expect(try await DocumentationExampleAlamofire.user(manager) == .init(name: "Ada"))
        #expect(
            stubs.requests.map(\.url) == ["https://api.example.org/v1/users/1", "https://api.example.org/v1/users/1"])
        #expect(stubs.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }
}
