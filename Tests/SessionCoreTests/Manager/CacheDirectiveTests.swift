import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// E11: the rules of RFC 9111 for requests, with the real engine and a real server on loopback.
@Suite("Directives of requests to the cache", .timeLimit(.minutes(1)))
struct CacheDirectiveTests {
    /// A cache of the tests' own, by URL.
    private final class Store: ResponseCache {
        private let kept = Locked<[String: CachedResponse]>([:])

        var urls: [String] { kept.withLock { $0.keys.sorted() } }

        func store(_ response: CachedResponse) { kept.withLock { $0[response.request.url] = response } }
        func response(for request: TransferRequest) -> CachedResponse? { kept.withLock { $0[request.url] } }
        func removeResponse(for request: TransferRequest) { kept.withLock { $0[request.url] = nil } }
    }

    private let server = LoopbackServer()
    private let manager = SessionManager()
    private let store = Store()

    init() throws {
        try server.start()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.responseCache = store
        for path in ["/a", "/b", "/c"] { serve(path) }
    }

    private func serve(_ path: String, _ status: Int = 200, _ fields: [String: String] = [:]) {
        var answer = ScriptedResponse.text("answer")
        answer.status = status
        answer.headers["Cache-Control"] = "max-age=100"
        for (name, value) in fields { answer.headers[name] = value }
        server.setRoute(path, .respond(answer))
    }

    @discardableResult
    private func run(_ path: String, _ method: String = "GET", _ headers: HeaderFields = [:]) async throws -> Bool {
        let request = TransferRequest(url: server.url(path), method: method, headers: headers)
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion().isFromCache
    }

    /// Answers a load of `/a`, once it has said that it was asked, when the gate opens, and anything else at once.
    private func holdLoads(_ asked: DispatchSemaphore, until gate: DispatchSemaphore) {
        server.setRoute("/a") { request in
            var answer = ScriptedResponse.text("answer")
            answer.headers["Cache-Control"] = "max-age=100"
            guard request.method == "GET" else { return answer }
            asked.signal()
            gate.wait()
            return answer
        }
    }

    private func isKept(_ path: String) -> Bool { store.urls.contains(server.url(path)) }

    @Test(
        "E11: what a method may have changed is forgotten (RFC 9111 4.4), unless the server refused",
        arguments: [
            ("PUT", 200, true), ("DELETE", 204, true), ("POST", 201, true), ("PATCH", 200, true), ("MKCOL", 201, true),
            ("POST", 404, false), ("PUT", 500, false), ("HEAD", 200, false), ("OPTIONS", 200, false),
            ("PROPFIND", 207, false),
        ])
    func invalidation(method: String, status: Int, isForgotten: Bool) async throws {
        try await run("/a")
        try await run("/b")
        serve("/a", status)
        try await run("/a", method)
        #expect(isKept("/a") == !isForgotten && isKept("/b"))
    }

    @Test("RFC 9111 4.4: what such a response names at its origin is forgotten too, and nothing elsewhere")
    func named() async throws {
        for path in ["/a", "/b", "/c"] { try await run(path) }
        let other = LoopbackServer()
        try other.start()
        var answer = ScriptedResponse.text("answer")
        answer.headers["Cache-Control"] = "max-age=100"
        other.setRoute("/a", .respond(answer))
        let foreign = TransferRequest(url: other.url("/a"))
        let task = try manager.dataTask(with: foreign, completionHandler: nil)
        task.resume()
        _ = await task.completion()
        serve("/list", 201, ["Location": "/b", "Content-Location": server.url("/c")])
        try await run("/list", "POST")
        #expect(isKept("/a") && !isKept("/b") && !isKept("/c"))
        serve("/list", 201, ["Location": foreign.url])
        try await run("/list", "POST")
        #expect(store.urls.contains(foreign.url))
    }

    @Test("RFC 9111 4.4: a redirected POST has changed its own URL and the one it was sent on to")
    func redirected() async throws {
        for path in ["/a", "/b", "/c"] { try await run(path) }
        serve("/a", 303, ["Location": "/c"])
        try await run("/a", "POST")
        #expect(!isKept("/a") && isKept("/b") && !isKept("/c"))
    }

    @Test("A response on its way while its resource is changed is not stored: it may be older than the change")
    func onItsWay() async throws {
        let gate = DispatchSemaphore(value: 0)
        let asked = DispatchSemaphore(value: 0)
        server.setRoute("/a") { request in
            if request.method == "GET" {
                asked.signal()
                gate.wait()
            }
            var answer = ScriptedResponse.text("answer")
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        let request = TransferRequest(url: server.url("/a"))
        let early = try manager.dataTask(with: request, completionHandler: nil)
        early.resume()
        asked.wait()
        try await run("/a", "PUT")
        gate.signal()
        #expect(await early.completion().error == nil && !isKept("/a"))
        gate.signal()
        try await run("/a")
        #expect(isKept("/a"))
    }

    @Test("So it is if another manager makes the change, and by whatever name of the resource", arguments: ["", "?q"])
    func onItsWayElsewhere(query: String) async throws {
        let gate = DispatchSemaphore(value: 0)
        let asked = DispatchSemaphore(value: 0)
        holdLoads(asked, until: gate)
        let early = try manager.dataTask(
            with: TransferRequest(url: server.url("/a") + query + "#part"), completionHandler: nil)
        early.resume()
        asked.wait()
        let other = SessionManager()
        other.postsNotifications = false
        other.responseSerializer = DataResponseSerializer()
        other.responseCache = store
        let change = TransferRequest(url: server.url("/a") + query, method: "PUT")
        let task = try other.dataTask(with: change, completionHandler: nil)
        task.resume()
        _ = await task.completion()
        gate.signal()
        #expect(await early.completion().error == nil && store.urls.isEmpty)
    }

    @Test("RFC 9111 4.4: a change counts for a resource under all names of its URL")
    func names() async throws {
        for path in ["/a?q", "/a"] {
            let url = server.url(path)
            server.setRoute("/a", .respond(.text("answer")))
            let named = url.replacingOccurrences(of: "http://", with: "http://ada:x@")
            for (kept, changed) in [(url + "#part", url), (url, url + "#part"), (named, url), (url, named)] {
                var request = TransferRequest(url: kept)
                let task = try manager.dataTask(with: request, completionHandler: nil)
                task.resume()
                #expect(await task.completion().head?.url == kept)
                #expect(store.urls == [url])
                request.cachePolicy = .returnCacheDataDontLoad
                let again = try manager.dataTask(with: request, completionHandler: nil)
                again.resume()
                let completion = await again.completion()
                #expect(completion.isFromCache && completion.head?.url == kept)
                let change = TransferRequest(url: changed, method: "PUT")
                let put = try manager.dataTask(with: change, completionHandler: nil)
                put.resume()
                _ = await put.completion()
                #expect(store.urls.isEmpty)
            }
        }
        #expect(CacheInvalidation.resource("HTTP://Host:80?q#f") == "http://host/?q")
        #expect(CacheInvalidation.resource("https://[::1]:80/a%2Fb?") == "https://[::1]:80/a%2Fb?")
        #expect(CacheInvalidation.resource("http://h/x/../\u{FC}?\u{FC}") == "http://h/%C3%BC?%C3%BC")
        #expect(CacheInvalidation.resource("http://h?") == "http://h/?")
    }

    @Test("RFC 9111 4.4: so it does for a name with dot segments, and for one beyond ASCII that a response gives")
    func requestedNames() async throws {
        func change(_ method: String, _ url: String) async throws {
            let task = try manager.dataTask(with: TransferRequest(url: url, method: method), completionHandler: nil)
            task.resume()
            #expect(await task.completion().error == nil)
        }
        try await run("/a")
        try await change("PUT", server.url("/x/../a"))
        #expect(!isKept("/a"))
        try await change("GET", server.url("/b/./../a"))
        #expect(isKept("/a"))
        serve("/%C3%BC")
        try await run("/\u{FC}")
        #expect(isKept("/%C3%BC"))
        serve("/list", 201, ["Location": "/\u{FC}"])
        try await change("POST", server.url("/list"))
        #expect(!isKept("/%C3%BC"))
    }

    @Test("RFC 9111 4.4: uploads and downloads change what they name as data tasks do")
    func otherTasks() async throws {
        for path in ["/a", "/b"] { try await run(path) }
        var request = TransferRequest(url: server.url("/a"), method: "PUT")
        let upload = try manager.uploadTask(with: request, from: BodySpecification.bytes([1]), completionHandler: nil)
        upload.resume()
        _ = await upload.completion()
        let folder = try TemporaryFolder()
        request = TransferRequest(url: server.url("/b"), method: "POST")
        let options = TaskOptions(target: DownloadTarget(folder: folder.path, name: .fixed("file")))
        let download = try manager.downloadTask(with: request, options: options, completionHandler: nil)
        download.resume()
        _ = await download.completion()
        #expect(!isKept("/a") && !isKept("/b"))
    }

    @Test("RFC 9111 5.2.1.5: a request that forbids it leaves nothing behind")
    func noStore() async throws {
        try await run("/a", "GET", ["Cache-Control": "no-cache, No-Store"])
        #expect(!isKept("/a"))
    }

    @Test(
        "RFC 9111 5.2.1: a request that wants a newer response gets one",
        arguments: [
            (["Cache-Control": "no-cache"], false), (["Cache-Control": "max-age=0"], false),
            (["Pragma": "no-cache"], false), (["Cache-Control": "min-fresh=200"], false),
            (["Cache-Control": "max-age=x"], false), (["Cache-Control": "max-age=50"], true),
            (["Cache-Control": "max-stale", "Pragma": "no-cache"], true), (["Cache-Control": "min-fresh=10"], true),
        ] as [([String: String], Bool)])
    func newer(fields: [String: String], isFromCache: Bool) async throws {
        var headers = HeaderFields()
        for (name, value) in fields { headers.append(name: name, value: value) }
        try await run("/a")
        #expect(try await run("/a", "GET", headers) == isFromCache)
        #expect(try await run("/a"), "the newer response is kept")
    }

    @Test("RFC 9111 5.2.1.7: a request that wants a stored response alone gets it, or 504, and no server is asked")
    func onlyIfCached() async throws {
        func answer(_ fields: HeaderFields = [:]) async throws -> TaskCompletion {
            var headers = fields
            headers.append(name: "Cache-Control", value: "only-if-cached")
            let request = TransferRequest(url: server.url("/a"), headers: headers)
            let task = try manager.dataTask(with: request, completionHandler: nil)
            task.resume()
            return await task.completion()
        }
        var missing = try await answer()
        #expect(missing.head?.statusCode == 504 && missing.isFromCache && missing.status.phase == .completed)
        #expect(server.requests(for: "/a").isEmpty)
        try await run("/a")
        let found = try await answer()
        #expect(found.head?.statusCode == 200 && found.data == Data("answer".utf8) && found.isFromCache)
        missing = try await answer(["Authorization": "x"])
        #expect(missing.head?.statusCode == 504)
        missing = try await answer(["Cache-Control": "max-age=0"])
        #expect(missing.head?.statusCode == 504 && server.requests(for: "/a").count == 1)
        #expect(isKept("/a"), "The answer without a server replaces nothing")
        manager.responseCache = nil
        #expect(try await answer().head?.statusCode == 200, "Another cache on the way may have it")
    }

    @Test("RFC 9111 5.2.1: the session's directives count as the request's own, which win")
    func sessionFields() async throws {
        func manager(_ name: String, _ value: String) -> SessionManager {
            var configuration = SessionConfiguration.default
            configuration.additionalHeaders[name] = value
            let manager = SessionManager(configuration: configuration)
            manager.postsNotifications = false
            manager.responseSerializer = DataResponseSerializer()
            manager.responseCache = store
            return manager
        }
        func answer(_ manager: SessionManager, _ fields: HeaderFields = [:]) async throws -> TaskCompletion {
            let request = TransferRequest(url: server.url("/a"), headers: fields)
            let task = try manager.dataTask(with: request, completionHandler: nil)
            task.resume()
            return await task.completion()
        }
        let reticent = manager("Cache-Control", "no-store")
        #expect(try await !answer(reticent).isFromCache && !isKept("/a"))
        let missing = try await answer(manager("cache-control", "only-if-cached"))
        #expect(missing.head?.statusCode == 504 && server.requests(for: "/a").count == 1)
        try await run("/a")
        for demanding in [manager("Cache-Control", "no-cache"), manager("Pragma", "no-cache")] {
            #expect(try await !answer(demanding).isFromCache)
            #expect(try await answer(demanding, ["Cache-Control": "max-age=50"]).isFromCache)
        }
    }

    @Test("A change counts also if its manager has no cache, or is gone", arguments: [false, true])
    func unnoticed(isGone: Bool) async throws {
        let gate = DispatchSemaphore(value: 0)
        let asked = DispatchSemaphore(value: 0)
        holdLoads(asked, until: gate)
        let early = try manager.dataTask(with: TransferRequest(url: server.url("/a")), completionHandler: nil)
        early.resume()
        asked.wait()
        var other: SessionManager? = SessionManager()
        other?.postsNotifications = false
        other?.responseSerializer = DataResponseSerializer()
        let request = TransferRequest(url: server.url("/a"), method: "PUT")
        let change = try #require(try other?.dataTask(with: request, completionHandler: nil))
        if isGone { other = nil }
        change.resume()
        #expect(await change.completion().error == nil)
        gate.signal()
        #expect(await early.completion().error == nil && !isKept("/a"))
        withExtendedLifetime(other) {}
    }

    @Test(
        "What a task has changed is removed from its manager's cache also if the manager is gone",
        arguments: [false, true])
    func managerIsGone(beforeStart: Bool) async throws {
        try await run("/a")
        var other: SessionManager? = SessionManager()
        other?.postsNotifications = false
        other?.responseSerializer = DataResponseSerializer()
        other?.responseCache = store
        let request = TransferRequest(url: server.url("/a"), method: "PUT")
        let change = try #require(try other?.dataTask(with: request, completionHandler: nil))
        let load = try #require(
            try other?.dataTask(with: TransferRequest(url: server.url("/b")), completionHandler: nil))
        if beforeStart { other = nil }
        for task in [change, load] { task.resume() }
        other = nil
        for task in [change, load] { #expect(await task.completion().error == nil) }
        #expect(!isKept("/a"))
        #expect(isKept("/b") == !beforeStart, "Nobody decides any longer what is stored")
    }

    @Test("A request that wants a newer response asks about the kept one")
    func validates() async throws {
        server.setRoute("/a") { request in
            var answer =
                request.header("If-None-Match") == nil
                ? ScriptedResponse.text("answer") : ScriptedResponse(304, framing: .unframed)
            answer.headers["ETag"] = "\"1\""
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        try await run("/a")
        #expect(try await run("/a", "GET", ["Cache-Control": "no-cache"]))
        #expect(server.requests(for: "/a").map { $0.header("If-None-Match") } == [nil, "\"1\""])
    }

    @Test("RFC 9110 6.6.1: a response without a date is as old as its receipt")
    func undated() async throws {
        var answer = ScriptedResponse.text("answer")
        answer.headers["Cache-Control"] = "max-age=100"
        answer.addsDate = false
        server.setRoute("/undated", .respond(answer))
        for isAgain in [false, true] { #expect(try await run("/undated") == isAgain) }
        let kept = try #require(store.response(for: TransferRequest(url: server.url("/undated"))))
        let date = try #require(kept.head.headers["Date"].flatMap { HTTPDate.seconds($0) })
        #expect(abs(date - Int64(time(nil))) < 60)
    }
}
