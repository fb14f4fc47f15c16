import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// E11: answers from the response cache, with the real engine and a real server on loopback.
@Suite("Response cache", .timeLimit(.minutes(1)))
struct CacheTests {
    private let server = LoopbackServer()
    private let manager: SessionManager

    init() throws {
        try server.start()
        manager = SessionManager()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.responseCache = URLResponseCache(
            URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))
        serve("/fresh", "max-age=100")
        serve("/stale", "max-age=0")
    }

    private func serve(_ path: String, _ control: String) {
        var answer = ScriptedResponse.text("answer")
        answer.headers["Cache-Control"] = control
        server.setRoute(path, .respond(answer))
    }

    @discardableResult
    private func run(_ path: String, _ policy: CachePolicy = .useProtocolCachePolicy) async throws -> TaskCompletion {
        var request = TransferRequest(url: server.url(path))
        request.cachePolicy = policy
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    private func requestCount(_ path: String) -> Int { server.requests(for: path).count }

    @Test("E11: a fresh answer is used again, whole and marked; a stale one is loaded")
    func protocolPolicy() async throws {
        let first = try await run("/fresh")
        let second = try await run("/fresh")
        #expect(!first.isFromCache && second.isFromCache && second.error == nil)
        #expect(second.body == first.body && second.head?.headers["Cache-Control"] == "max-age=100")
        #expect(second.status.phase == .completed && requestCount("/fresh") == 1)
        try await run("/stale")
        #expect(try await !run("/stale").isFromCache)
        #expect(requestCount("/stale") == 2)
    }

    @Test("An answer is kept before its task has ended, so that whoever asks again at once finds it")
    func keptBeforeTheEnd() async throws {
        let ends = Locked<[Bool]>([])
        manager.onWillCacheResponse = { task, response in
            ends.withLock { $0.append(task.hasEnded) }
            return response
        }
        try await run("/fresh")
        #expect(ends.withLock { $0 } == [false])
    }

    @Test("E11: a stale answer with a validator is asked about, and what the server says still holds is used again")
    func revalidation() async throws {
        let version = Locked(1)
        server.setRoute("/tagged") { request in
            let tag = "\"\(version.withLock { $0 })\""
            var answer =
                request.header("If-None-Match") == tag
                ? ScriptedResponse(304, framing: .unframed) : ScriptedResponse.text("version \(tag)")
            answer.headers["ETag"] = tag
            answer.headers["Cache-Control"] = "max-age=0"
            answer.headers["X-Round"] = request.header("If-None-Match") == nil ? "first" : "later"
            return answer
        }
        let heard = Locked<[Int]>([])
        manager.onResponse = { _, head in
            heard.withLock { $0.append(head.statusCode) }
            return .allow
        }
        let first = try await run("/tagged")
        #expect(!first.isFromCache && first.body == Array("version \"1\"".utf8))
        for _ in 0..<2 {
            let again = try await run("/tagged")
            #expect(again.isFromCache && again.error == nil && again.body == first.body)
            #expect(again.head?.statusCode == 200 && again.head?.headers["X-Round"] == "later")
            #expect(again.head?.headers["Content-Length"] == first.head?.headers["Content-Length"])
            #expect(again.status.statusCode == 200 && again.status.received == Int64(first.body.count))
        }
        version.withLock { $0 = 2 }
        let changed = try await run("/tagged")
        #expect(!changed.isFromCache && changed.body == Array("version \"2\"".utf8))
        #expect(try await run("/tagged").body == changed.body)
        #expect(
            server.requests(for: "/tagged").map { $0.header("If-None-Match") } == [
                nil, "\"1\"", "\"1\"", "\"1\"", "\"2\"",
            ])
        // What only confirms is no response that anybody decides about.
        #expect(heard.withLock { $0 } == [200, 200])
    }

    @Test("A fresh answer is asked about where the request says so, by its date too; without a validator it is loaded")
    func revalidatingPolicy() async throws {
        let date = "Tue, 14 Nov 2023 22:13:10 GMT"
        server.setRoute("/dated") { request in
            if request.header("If-Modified-Since") == date { return ScriptedResponse(304, framing: .unframed) }
            var answer = ScriptedResponse.text("dated")
            answer.headers["Last-Modified"] = date
            answer.headers["Cache-Control"] = "max-age=100"
            return answer
        }
        try await run("/dated")
        let confirmed = try await run("/dated", .reloadRevalidatingCacheData)
        #expect(confirmed.isFromCache && confirmed.body == Array("dated".utf8))
        #expect(requestCount("/dated") == 2)
        try await run("/fresh")
        #expect(try await !run("/fresh", .reloadRevalidatingCacheData).isFromCache)
        #expect(requestCount("/fresh") == 2)
    }

    @Test("A 304 that nobody has asked for, or of another URL, is an answer like any other")
    func unasked() async throws {
        server.setRoute("/odd", .respond(ScriptedResponse(304, framing: .unframed)))
        #expect(try await run("/odd").head?.statusCode == 304)
    }

    @Test("Ignoring the cache loads; else-load takes whatever is there")
    func otherPolicies() async throws {
        #expect(try await !run("/stale", .returnCacheDataElseLoad).isFromCache)
        #expect(try await run("/stale", .returnCacheDataElseLoad).isFromCache)
        #expect(try await !run("/stale", .reloadIgnoringCacheData).isFromCache)
        #expect(requestCount("/stale") == 2)
    }

    @Test("Don't-load never asks the server: the answer is there or the task fails")
    func dontLoad() async throws {
        let missing = try await run("/fresh", .returnCacheDataDontLoad)
        #expect((missing.error as? SessionError)?.code == .notFound)
        #expect(requestCount("/fresh") == 0)
        try await run("/fresh")
        #expect(try await run("/fresh", .returnCacheDataDontLoad).isFromCache)
        #expect(requestCount("/fresh") == 1)
    }

    @Test("Uploads, downloads and streamed bodies neither ask nor fill the cache")
    func neverForOthers() async throws {
        try await run("/fresh")
        let folder = try TemporaryFolder()
        var request = TransferRequest(url: server.url("/fresh"))
        request.cachePolicy = .returnCacheDataElseLoad
        let streamed = EventLog<[UInt8]>()
        let tasks = [
            try manager.uploadTask(with: request, from: request.body, completionHandler: nil),
            try manager.downloadTask(
                with: request, options: TaskOptions(target: DownloadTarget(folder: folder.path, name: .fixed("file"))),
                completionHandler: nil),
            try manager.dataTask(
                with: request, options: TaskOptions(delivery: .stream { streamed.add($0) }), completionHandler: nil),
        ]
        for task in tasks {
            task.resume()
            #expect(await !task.completion().isFromCache)
        }
        #expect(requestCount("/fresh") == 4)
        #expect(streamed.entries.flatMap { $0 } == Array("answer".utf8))
    }

    @Test("Foundation's cache policy of a request is honoured")
    func foundationPolicy() async throws {
        try await run("/stale")
        var request = URLRequest(url: try #require(URL(string: server.url("/stale"))))
        request.cachePolicy = .returnCacheDataElseLoad
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        #expect(await task.completion().isFromCache)
    }

    // MARK: - Rules

    private static let now: Int64 = 1_700_000_000
    /// Ten seconds before now.
    private static let date = "Tue, 14 Nov 2023 22:13:10 GMT"

    @Test(
        "An answer is fresh for its explicit lifetime only",
        arguments: [
            (["Cache-Control": "public, MAX-AGE=11", "Date": date], true),
            (["Cache-Control": "max-age=10", "Date": date], false),
            (["Cache-Control": "max-age=60", "Age": "55", "Date": date], false),
            (["Cache-Control": "max-age=60, no-cache", "Date": date], false),
            (["Cache-Control": "max-age=60"], false),
            (["Cache-Control": "max-age=x", "Expires": "Tue, 14 Nov 2023 23:13:10 GMT", "Date": date], false),
            (["Expires": "Tue, 14 Nov 2023 22:13:21 GMT", "Date": date], true),
            (["Expires": "0", "Date": date], false),
            (["Cache-Control": "max-age=9", "Age": "9223372036854775807", "Date": date], false),
            (["Date": date], false),
        ] as [([String: String], Bool)])
    func freshness(_ fields: [String: String], _ expected: Bool) {
        var head = ResponseHead(statusCode: 200)
        for (name, value) in fields { head.headers.append(name: name, value: value) }
        #expect(CacheRules.isFresh(head, for: TransferRequest(url: "http://host/"), now: Self.now) == expected)
    }

    @Test(
        "A request may want a newer answer than a fresh one",
        arguments: [
            ([:], true), (["Cache-Control": "no-cache"], false), (["Cache-Control": "NO-CACHE=\"x\""], false),
            (["Cache-Control": "max-age=0"], false), (["Cache-Control": "max-age=9"], false),
            (["Cache-Control": "max-age=10"], true), (["Cache-Control": "max-age=-1"], false),
            (["Cache-Control": "min-fresh=50"], true), (["Cache-Control": "min-fresh=51"], false),
            (["Cache-Control": "min-fresh=9223372036854775807"], false), (["Pragma": "x, No-Cache"], false),
            (["Pragma": "x"], true), (["Cache-Control": "max-age=60", "Pragma": "no-cache"], true),
        ] as [([String: String], Bool)])
    func wishes(_ fields: [String: String], _ expected: Bool) {
        let head = ResponseHead(
            statusCode: 200, headers: ["Cache-Control": "max-age=60", "Date": Self.date], url: "http://host/")
        var request = TransferRequest(url: head.url)
        for (name, value) in fields { request.headers.append(name: name, value: value) }
        #expect(CacheRules.isFresh(head, for: request, now: Self.now) == expected)
    }

    @Test("A 304 makes the kept head as old as itself, with a date or without")
    func renewal() {
        var kept = ResponseHead(statusCode: 200, headers: ["Date": Self.date, "Age": "50"])
        kept.headers["Content-Length"] = "3"
        let answer = ResponseHead(statusCode: 304, headers: ["Content-Length": "0"])
        let undated = CacheRules.renewed(kept, by: answer, now: Self.now)
        #expect(undated.headers["Date"] == "Tue, 14 Nov 2023 22:13:20 GMT" && undated.headers["Age"] == nil)
        #expect(undated.headers["Content-Length"] == "3")
        var dated = answer
        (dated.headers["Date"], dated.headers["Age"]) = (Self.date, "12")
        let renewed = CacheRules.renewed(kept, by: dated, now: Self.now)
        #expect(renewed.headers["Date"] == Self.date && renewed.headers["Age"] == "2")
    }

    @Test(
        "RFC 9111 4.4: the URLs that a request changes",
        arguments: [
            ("PUT", 200, "", ["http://h/a"]), ("post", 302, "", ["http://h/a"]), ("POST", 400, "", []),
            ("GET", 200, "/b", []), ("POST", 201, "b", ["http://h/a", "http://h/b"]),
            ("POST", 201, "http://h:81/b", ["http://h/a"]), ("POST", 201, "https://h/b", ["http://h/a"]),
            ("DELETE", 204, "http://h:80/b", ["http://h/a", "http://h:80/b"]),
        ] as [(String, Int, String, [String])])
    func changes(method: String, status: Int, location: String, urls: [String]) {
        var head = ResponseHead(statusCode: status, url: "http://h/a")
        if !location.isEmpty { head.headers["Location"] = location }
        #expect(CacheInvalidation.urls(after: [head], to: TransferRequest(url: head.url, method: method)) == urls)
    }

    @Test("What depends on more than its URL is not stored")
    func storable() {
        let request = TransferRequest(url: "http://127.0.0.1/a")
        let head = ResponseHead(statusCode: 200, url: request.url)
        #expect(CacheRules.isStorable(head, of: request))
        var other = head
        other.url = "http://127.0.0.1/b"
        #expect(!CacheRules.isStorable(other, of: request))
        for (name, value) in [("Cache-Control", "private, No-Store"), ("Vary", "Accept-Encoding, Cookie")] {
            var head = head
            head.headers.append(name: name, value: value)
            #expect(!CacheRules.isStorable(head, of: request))
        }
        for name in ["Authorization", "Range", "If-None-Match"] {
            var request = request
            request.headers.append(name: name, value: "x")
            #expect(!CacheRules.isCacheable(request) && !CacheRules.isStorable(head, of: request))
        }
    }
}
