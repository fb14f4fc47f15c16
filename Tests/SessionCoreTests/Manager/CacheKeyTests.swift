import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// E11: Foundation's cache tells no URLs apart that differ in their queries, schemes or escapes; this one does.
@Suite("Keys of the response cache", .timeLimit(.minutes(1)))
struct CacheKeyTests {
    private let memory = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    private var cache: URLResponseCache { URLResponseCache(memory) }

    private func store(_ url: String, _ body: String) {
        let request = TransferRequest(url: url)
        cache.store(
            CachedResponse(
                request: request, head: ResponseHead(statusCode: 200, url: url), data: Data(body.utf8)))
    }

    private func body(_ url: String) -> String? {
        cache.response(for: TransferRequest(url: url)).map { String(decoding: $0.data, as: UTF8.self) }
    }

    @Test("Queries have entries of their own")
    func queries() {
        let urls = ["http://host/a?id=1", "http://host/a?id=2", "http://host/a", "http://host/a?", "http://host?id=1"]
        for url in urls { store(url, url) }
        #expect(urls.map(body) == urls)
        #expect(body("http://host/a?id=3") == nil && body("http://host/b?id=1") == nil)
        store(urls[0], "new")
        #expect(body(urls[0]) == "new" && body(urls[1]) == urls[1])
    }

    @Test(
        "URLs for which Foundation has one entry are not answered with each other's response",
        arguments: [
            ("http://host/a", "https://host/a"), ("http://host/a%2Fb", "http://host/a/b"),
            ("http://host/a?x", "https://host/a?x"), ("http://host:81/a", "http://host/a"),
        ])
    func others(first: String, second: String) {
        store(first, "first")
        #expect(body(first) == "first" && body(second) == nil)
        store(second, "second")
        #expect(body(second) == "second" && body(first) != "second")
    }

    @Test("Entries that URLSession has stored are used for their own URL alone")
    func entriesOfFoundation() throws {
        func add(_ text: String) throws {
            let url = try #require(URL(string: text))
            let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:]))
            memory.storeCachedResponse(
                CachedURLResponse(response: head, data: Data(text.utf8)), for: URLRequest(url: url))
        }
        try add("http://host/a?id=1")
        #expect(body("http://host/a") == nil && body("http://host/a?id=2") == nil)
        try add("http://host/a")
        #expect(body("http://host/a") == "http://host/a")
    }

    // MARK: - On the wire

    private func makeManager() -> SessionManager {
        let manager = SessionManager()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.responseCache = cache
        return manager
    }

    private func run(
        _ manager: SessionManager, _ url: String, _ policy: CachePolicy = .useProtocolCachePolicy
    ) async throws -> TaskCompletion {
        var request = TransferRequest(url: url)
        request.cachePolicy = policy
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    @Test("E11: every query gets its own response, fresh, revalidated and from the cache alone")
    func wire() async throws {
        let server = LoopbackServer()
        try server.start()
        let conditions = Locked<[String?]>([])
        server.setRoute("/item") { request in
            conditions.withLock { $0.append(request.header("If-None-Match")) }
            // Every item has the same tag.
            guard request.header("If-None-Match") == nil else { return ScriptedResponse(304, framing: .unframed) }
            var answer = ScriptedResponse.text(request.target)
            answer.headers["ETag"] = "\"1\""
            answer.headers["Cache-Control"] = request.target.contains("fresh") ? "max-age=100" : "max-age=0"
            return answer
        }
        let manager = makeManager()
        for query in ["?fresh=1", "?fresh=2", "?stale=1", "?stale=2"] {
            let url = server.url("/item") + query
            for isAgain in [false, true] {
                let completion = try await run(manager, url)
                #expect(completion.body == Array("/item\(query)".utf8) && completion.isFromCache == isAgain)
            }
        }
        #expect(conditions.withLock { $0 } == [nil, nil, nil, "\"1\"", nil, "\"1\""])
        let unknown = server.url("/item?stale=3")
        let missing = try await run(manager, unknown, .returnCacheDataDontLoad)
        #expect((missing.error as? SessionError)?.code == .notFound)
        #expect(try await run(manager, unknown, .returnCacheDataElseLoad).body == Array("/item?stale=3".utf8))
    }
}
