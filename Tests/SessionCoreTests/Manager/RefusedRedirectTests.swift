import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// A redirect that its caller refuses is a response like any other.
@Suite("Redirects that a caller refuses", .timeLimit(.minutes(1)))
struct RefusedRedirectTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()
    private let folder: TemporaryFolder
    /// More than is read of an unwanted response.
    private let page = String(repeating: "moved ", count: 50_000)
    private let log = EventLog<String>()

    init() throws {
        folder = try TemporaryFolder()
        try server.start()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        var moved = ScriptedResponse.text(page, status: 302)
        moved.headers["Location"] = "/else"
        server.setRoute("/moved", .respond(moved))
        server.setRoute("/bare", .respond(.text(page, status: 302)))
        let log = log
        manager.onRedirect = { _, _, _ in nil }
        manager.onResponse = { _, head in
            log.add("response \(head.statusCode)")
            return .allow
        }
        manager.onData = { _, data in log.add("data") }
    }

    private var request: TransferRequest { TransferRequest(url: server.url("/moved")) }

    /// Everything that a caller notices of a response.
    private struct Seen: Equatable {
        var events: Set<String>
        var head: Int?
        var bytes: Int
        var chunks: Int
        var error: SessionError.Code?
        var earlier: Int
    }

    private func see(_ path: String, streams: Bool) async throws -> Seen {
        let chunks = EventLog<Int>()
        let options = TaskOptions(delivery: streams ? .stream { chunks.add($0.count) } : .memory)
        let before = log.entries.count
        let task = try manager.dataTask(
            with: TransferRequest(url: server.url(path)), options: options, completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        return Seen(
            events: Set(log.entries.dropFirst(before)), head: completion.head?.statusCode,
            bytes: completion.data.count, chunks: chunks.entries.reduce(0, +),
            error: (completion.error as? SessionError)?.code, earlier: completion.metrics.earlierHeads.count)
    }

    @Test("It goes the way of a redirect without a target", arguments: [false, true])
    func ordinary(streams: Bool) async throws {
        let refused = try await see("/moved", streams: streams)
        #expect(refused == (try await see("/bare", streams: streams)))
        #expect(refused.events == ["response 302", "data"] && refused.head == 302 && refused.earlier == 0)
        #expect(refused.bytes == (streams ? 0 : page.utf8.count) && refused.chunks == (streams ? page.utf8.count : 0))
    }

    @Test("The answer about the response counts")
    func cancelled() async throws {
        manager.onResponse = { _, _ in .cancel }
        #expect(try await see("/moved", streams: false).error == .cancelled)
    }

    @Test("Its bytes can be read one after the other")
    func bytes() async throws {
        let (bytes, head) = try await manager.bytes(for: request)
        var count = 0
        for try await _ in bytes { count += 1 }
        #expect(head.statusCode == 302 && count == page.utf8.count)
    }

    @Test("An upload's response has its body")
    func upload() async throws {
        let task = try manager.uploadTask(
            with: TransferRequest(url: server.url("/moved"), method: "POST"), from: Data("x".utf8),
            completionHandler: nil)
        task.resume()
        let completion = await task.completion()
        #expect(completion.head?.statusCode == 302 && completion.data.count == page.utf8.count)
        #expect(log.entries.contains("response 302"))
    }

    @Test("A download fails with its status and its page", arguments: [true, false])
    func download(hasTarget: Bool) async throws {
        let target = hasTarget ? DownloadTarget(folder: folder.path, name: .fixed("file")) : nil
        let task = try manager.downloadTask(
            with: request, options: TaskOptions(target: target), completionHandler: nil)
        task.resume()
        let error = await task.completion().error as? SessionError
        #expect(error?.code == .http && error?.statusCode == 302 && error?.responseBody?.isEmpty == false)
        #expect(folder.names == [])
    }

    /// Serves redirects that cannot be followed.
    private func serveCircles() {
        var itself = ScriptedResponse.text(page, status: 302)
        itself.headers["Location"] = "/itself"
        server.setRoute("/itself", .respond(itself))
        var again = ScriptedResponse.text(page, status: 307)
        again.headers["Location"] = "/else"
        server.setRoute("/again", .respond(again))
        server.setRoute("/else", .uploadSink())
    }

    /// A body that can be read only once.
    private func stream(_ path: String) throws -> SessionTask {
        var request = URLRequest(url: try #require(URL(string: server.url(path))))
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        return try manager.uploadTask(withStreamedRequest: request, completionHandler: nil)
    }

    @Test("One that could not be followed is a response too")
    func hopeless() async throws {
        serveCircles()
        let circle = try await see("/itself", streams: false)
        #expect(circle.head == 302 && circle.error == nil && circle.bytes == page.utf8.count)
        let task = try stream("/again")
        task.resume()
        let completion = await task.completion()
        #expect(completion.error == nil && completion.head?.statusCode == 307)
        #expect(completion.data.count == page.utf8.count)
    }

    @Test("One that cannot be followed fails as without a closure where the closure wants it followed")
    func followedInCircles() async throws {
        serveCircles()
        manager.onRedirect = { _, _, next in next }
        #expect(try await see("/itself", streams: false).error == .tooManyRedirects)
        let task = try stream("/again")
        task.resume()
        #expect((await task.completion().error as? SessionError)?.code == .notReplayable)
        manager.onRedirect = nil
        #expect(try await see("/itself", streams: false).error == .tooManyRedirects)
    }

    @Test("A closure leads out of a circle, and not round in it for ever")
    func ledOut() async throws {
        serveCircles()
        let url = server.url("/bare")
        manager.onRedirect = { _, _, next in
            var next = next
            next.url = url
            return next
        }
        #expect(try await see("/itself", streams: false).head == 302)
        manager.onRedirect = { _, _, next in
            var next = next
            next.headers.append(name: "X-Turn", value: "again")
            return next
        }
        #expect(try await see("/itself", streams: false).error == .tooManyRedirects)
        #expect(server.requests(for: "/itself").count == 1 + 51)
    }

    @Test("One that is followed is among the responses before the final one")
    func followed() async throws {
        server.setRoute("/else", .respond(.text("there")))
        manager.onRedirect = { _, _, next in next }
        let completion = try await manager.data(for: request)
        #expect(completion.data == Data("there".utf8))
        #expect(completion.metrics.earlierHeads.map(\.statusCode) == [302])
        #expect(Set(log.entries) == ["response 200", "data"])
    }
}
