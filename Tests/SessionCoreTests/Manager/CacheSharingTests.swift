import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// E11: what a sender may get of a response that another one has got: what a shared cache gives (RFC 9111, 3.5).
@Suite("Responses of other senders in a cache", .timeLimit(.minutes(1)))
struct CacheSharingTests {
    private let server = LoopbackServer()
    private let cache = URLResponseCache(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))

    init() throws { try server.start() }

    private func makeManager(_ options: RequestOptions? = nil) -> SessionManager {
        var configuration = SessionConfiguration.default
        configuration.options = options
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.responseCache = cache
        return manager
    }

    private func named(_ name: String) -> RequestOptions {
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: name, password: "x")
        return options
    }

    private func withJar(_ cookie: String? = nil) -> RequestOptions {
        var options = RequestOptions()
        let jar = CookieJar()
        if let cookie { jar.store([cookie], from: server.url("/")) }
        options.cookies = jar
        return options
    }

    private func get(_ manager: SessionManager, _ path: String) async throws -> TaskCompletion {
        let task = try manager.dataTask(with: TransferRequest(url: server.url(path)), completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    /// Serves bodies that say whose they are, and confirms each by the tag alone, as for a row that has a version.
    private func serve(_ path: String, tag: String, control: String?) {
        server.setRoute(path) { request in
            let name = request.header("Authorization") ?? request.header("Cookie") ?? "nobody"
            var answer =
                request.header("If-None-Match") == tag ? ScriptedResponse(304, framing: .unframed) : .text(name)
            answer.headers["ETag"] = tag
            answer.headers["Cache-Control"] = control
            return answer
        }
    }

    @Test(
        "A 304 gives a response that was got with credentials to others only if the server allows it",
        arguments: [
            (nil, "\"1\"", false), ("private, max-age=0", "\"1\"", false), ("max-age=0", "\"1\"", false),
            ("public, max-age=0", "\"1\"", true), ("s-maxage=0", "\"1\"", true),
            ("max-age=0, must-revalidate", "\"1\"", true), ("public", "W/\"1\"", false),
            ("public, private", "\"1\"", false),
        ] as [(String?, String, Bool)])
    func credentials(control: String?, tag: String, isShared: Bool) async throws {
        serve("/me", tag: tag, control: control)
        let ada = try await get(makeManager(named("ada")), "/me")
        let bob = try await get(makeManager(named("bob")), "/me")
        #expect((bob.data == ada.data) == isShared && bob.isFromCache == isShared)
        let again = try await get(makeManager(named("bob")), "/me")
        #expect(again.isFromCache && again.data == bob.data, "The sender itself asks by every tag")
    }

    @Test(
        "A 304 gives a response that was got with cookies to others unless it is private or has a weak tag",
        arguments: [
            (nil, "\"1\"", true), ("private", "\"1\"", false), ("private=\"x\"", "\"1\"", false),
            (nil, "W/\"1\"", false),
        ] as [(String?, String, Bool)])
    func cookies(control: String?, tag: String, isShared: Bool) async throws {
        serve("/me", tag: tag, control: control)
        let ada = try await get(makeManager(withJar("name=ada")), "/me")
        let bob = try await get(makeManager(withJar("name=bob")), "/me")
        #expect((bob.data == ada.data) == isShared && bob.isFromCache == isShared)
    }

    /// Serves a page that brings a cookie of its own each time, and confirms it without one.
    private func servePage(_ control: String) {
        let count = Locked(0)
        server.setRoute("/page") { request in
            var answer =
                request.header("If-None-Match") == "\"1\"" ? ScriptedResponse(304, framing: .unframed) : .text("page")
            answer.headers["ETag"] = "\"1\""
            answer.headers["Cache-Control"] = control
            if answer.status == 200 {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                answer.headers["Set-Cookie"] = "sid=\(number)"
            }
            return answer
        }
    }

    @Test("A cookie of one sender is never in a head that another one gets, nor in the store")
    func foreignCookie() async throws {
        servePage("max-age=0")
        #expect(try await get(makeManager(withJar()), "/page").head?.headers["Set-Cookie"] == "sid=1")
        let stored = try #require(cache.response(for: TransferRequest(url: server.url("/page"))))
        #expect(stored.head.headers["Set-Cookie"] == nil)
        let other = try await get(makeManager(withJar()), "/page")
        #expect(other.isFromCache && other.head?.headers["Set-Cookie"] == nil)
    }

    @Test(
        "A page that has brought a cookie to a jar is asked about by the next sender, also if it is the same one",
        arguments: ["own", "other jar", "no jar"])
    func broughtCookie(next: String) async throws {
        servePage("max-age=100")
        let ada = makeManager(withJar())
        #expect(try await !get(ada, "/page").isFromCache)
        let other = makeManager(next == "no jar" ? nil : withJar())
        #expect(try await get(next == "own" ? ada : other, "/page").isFromCache)
        #expect(server.requests(for: "/page").map { $0.header("If-None-Match") } == [nil, "\"1\""])
    }

    @Test("Without a jar a page with a cookie is fresh as any other, for senders without a jar alone")
    func cookieWithoutJar() async throws {
        servePage("max-age=100")
        for isAgain in [false, true] {
            #expect(try await get(makeManager(), "/page").isFromCache == isAgain)
        }
        #expect(server.requests(for: "/page").count == 1)
        _ = try await get(makeManager(withJar()), "/page")
        #expect(server.requests(for: "/page").count == 2)
    }

    @Test("A cookie in an entry of Foundation's own is delivered to nobody")
    func entryOfFoundation() async throws {
        let memory = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let url = try #require(URL(string: server.url("/foreign")))
        let fields = ["Set-Cookie": "sid=1", "Cache-Control": "max-age=100", "Date": HTTPDate.text(Int64(time(nil)))]
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
        memory.storeCachedResponse(
            CachedURLResponse(response: head, data: Data("old".utf8)), for: URLRequest(url: url))
        let manager = makeManager()
        manager.responseCache = URLResponseCache(memory)
        let completion = try await get(manager, "/foreign")
        #expect(completion.isFromCache && completion.head?.headers["Set-Cookie"] == nil)
    }
}
