import Foundation
import LoopbackServer
import SessionCore
import SessionStubs
import Testing

/// The example and the table of the article "Coming from AFNetworking".
@Suite("Coming from AFNetworking", .timeLimit(.minutes(1)))
struct ComingFromAFNetworkingTests {
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

    @Test("The example of the article for users of Alamofire renews its token and decodes the answer")
    func alamofireExampleRuns() async throws {
        let (stubs, manager) = DocumentationExampleAlamofire.stubbed()
        manager.postsNotifications = false
        #expect(try await DocumentationExampleAlamofire.user(manager) == .init(name: "Ada"))
        #expect(
            stubs.requests.map(\.url) == ["https://api.example.org/v1/users/1", "https://api.example.org/v1/users/1"])
        #expect(stubs.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }

    @Test("Every name of ours in the tables exists", arguments: [("AFNetworking", 50), ("Alamofire", 25)])
    func tableNamesWhatExists(_ name: String, _ leastCount: Int) throws {
        let path = "Sources/SessionCore/SessionCore.docc/ComingFrom\(name).md"
        let text = try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
        let index = try CoverageIndex()
        var count = 0
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let columns = line.split(separator: "|", omittingEmptySubsequences: false)
            for link in columns[2].matches(of: /``([^`(]+)(?:\([^`]*\))?(?:-[a-z0-9]+)?``/) {
                let symbol = String(link.output.1).replacing("/", with: ".")
                    .replacing("Foundation.NSNotification", with: "Notification")
                #expect(index.declares(symbol), "there is no \(symbol)")
                count += 1
            }
        }
        #expect(count > leastCount)
    }

    @Test("Every row of the tables has code that is compiled", arguments: [true, false])
    func everyRowIsCompiled(isAFNetworking: Bool) throws {
        let (name, rows) =
            isAFNetworking ? ("AFNetworking", ComingFromRows.afNetworking) : ("Alamofire", ComingFromRows.alamofire)
        let path = "Sources/SessionCore/SessionCore.docc/ComingFrom\(name).md"
        let text = try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
        let shown = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            String(line.split(separator: "|")[0]).trimmingCharacters(in: .whitespaces)
        }
        #expect(shown == rows.map(\.name))
    }
}
