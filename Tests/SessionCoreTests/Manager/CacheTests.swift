import Foundation
import FoundationNetworking
import LoopbackServer
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
        let completion = await task.completion()
        // The answer is stored right after the end was recorded, on the delegate queue.
        await ManagerFixture.settle(manager.operationQueue)
        return completion
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
        #expect(CacheRules.isFresh(head, now: Self.now) == expected)
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
