import Foundation
import FoundationNetworking
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// E11: what a server says about a stored response, and what shows that it is out of date.
@Suite("Validation of cached responses", .timeLimit(.minutes(1)))
struct CacheValidationTests {
    private let server = LoopbackServer()
    private let manager = SessionManager()

    init() throws {
        try server.start()
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        manager.responseCache = URLResponseCache(URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil))
    }

    private func run(
        _ path: String, _ policy: CachePolicy = .useProtocolCachePolicy
    ) async throws -> TaskCompletion {
        var request = TransferRequest(url: server.url(path))
        request.cachePolicy = policy
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return await task.completion()
    }

    /// Serves the answers one after the other, the last one from then on.
    private func serve(_ path: String, _ answers: ScriptedResponse...) {
        let rest = Locked(answers)
        server.setRoute(path) { _ in
            rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first } ?? ScriptedResponse.text("none")
        }
    }

    private func answer(
        _ text: String, status: Int = 200, control: String? = "max-age=0", tag: String? = nil
    ) -> ScriptedResponse {
        var answer = status == 304 ? ScriptedResponse(304, framing: .unframed) : .text(text, status: status)
        answer.headers["Cache-Control"] = control
        answer.headers["ETag"] = tag
        return answer
    }

    private func conditions(_ path: String) -> [String?] {
        server.requests(for: path).map { $0.header("If-None-Match") }
    }

    @Test("A redirect's target is not asked about with the tag of another resource")
    func redirected() async throws {
        var moved = answer("", status: 302)
        moved.headers["Location"] = "/target"
        serve("/page", answer("page", tag: "\"1\""), moved)
        server.setRoute("/target") { request in
            request.header("If-None-Match") == nil
                ? ScriptedResponse.text("target") : ScriptedResponse(304, framing: .unframed)
        }
        _ = try await run("/page")
        let completion = try await run("/page")
        #expect(completion.head?.statusCode == 200 && completion.data == Data("target".utf8))
        #expect(conditions("/page") == [nil, "\"1\""] && conditions("/target") == [nil])
    }

    @Test("A 304 of another version confirms nothing: the response is loaded")
    func otherVersion() async throws {
        serve(
            "/page", answer("first", tag: "W/\"1\""), answer("", status: 304, tag: "\"1\""),
            answer("", status: 304, tag: "\"2\""), answer("second", tag: "\"2\""))
        _ = try await run("/page")
        let confirmed = try await run("/page")
        #expect(confirmed.isFromCache && confirmed.data == Data("first".utf8))
        let changed = try await run("/page")
        #expect(!changed.isFromCache && changed.head?.statusCode == 200 && changed.data == Data("second".utf8))
        #expect(conditions("/page") == [nil, "W/\"1\"", "\"1\"", nil])
    }

    @Test("A 304 of another version confirms nothing either if the server sends it without being asked")
    func unaskedOtherVersion() async throws {
        serve(
            "/page", answer("old", tag: "\"1\""), answer("", status: 304, tag: "\"2\""),
            answer("", status: 304, tag: "\"3\""))
        _ = try await run("/page")
        let completion = try await run("/page")
        #expect(completion.head?.statusCode == 304 && !completion.isFromCache && completion.data.isEmpty)
        #expect(conditions("/page") == [nil, "\"1\"", nil])
    }

    @Test("A response whose 304 forbids to store it is used for this request, and for no later one")
    func confirmedForOnce() async throws {
        serve(
            "/page", answer("old", control: "max-age=100", tag: "\"1\""),
            answer("", status: 304, control: "no-store", tag: "\"1\""), answer("new"))
        _ = try await run("/page")
        let completion = try await run("/page", .reloadRevalidatingCacheData)
        #expect(completion.isFromCache && completion.data == Data("old".utf8))
        #expect(try await run("/page").data == Data("new".utf8))
    }

    @Test("All lines of a repeated field of a 304 count")
    func repeatedFields() {
        let kept = ResponseHead(statusCode: 200, headers: ["Link": "<a>", "Cache-Control": "max-age=0"])
        var answer = ResponseHead(statusCode: 304)
        for link in ["<b>", "<c>"] { answer.headers.append(name: "link", value: link) }
        for word in ["no-cache", "max-age=60"] { answer.headers.append(name: "Cache-Control", value: word) }
        let renewed = CacheRules.renewed(kept, by: answer, now: 0)
        #expect(renewed.headers.values(named: "Link") == ["<b>", "<c>"])
        #expect(renewed.headers.values(named: "Cache-Control") == ["no-cache", "max-age=60"])
        #expect(!CacheRules.isFresh(renewed, for: TransferRequest(url: "http://h/"), now: 0))
    }

    @Test(
        "A newer response that cannot be stored replaces the stored one all the same",
        arguments: [
            (200, "no-store", false), (404, "max-age=9", false), (410, "max-age=9", false), (500, "no-store", true),
            (403, "max-age=9", true),
        ])
    func superseded(status: Int, control: String, keepsOld: Bool) async throws {
        serve("/page", answer("old", control: "max-age=100"), answer("new", status: status, control: control))
        _ = try await run("/page")
        #expect(try await run("/page", .reloadIgnoringCacheData).data == Data("new".utf8))
        #expect(try await run("/page").isFromCache == keepsOld)
    }

    @Test("So does a redirect, and one that fails on its way does not")
    func supersededByRedirect() async throws {
        for (path, status, keepsOld) in [("/there", 200, false), ("/nowhere", 404, true)] {
            var moved = answer("", status: 302)
            moved.headers["Location"] = path
            serve("/page", answer("old", control: "max-age=100"), moved)
            serve(path, answer("new", status: status))
            _ = try await run("/page", .reloadIgnoringCacheData)
            _ = try await run("/page", .reloadIgnoringCacheData)
            #expect(try await run("/page").isFromCache == keepsOld)
        }
    }

    @Test("So does one that a closure has followed, and the target's response is stored for no URL")
    func supersededByConsent() async throws {
        manager.onRedirect = { _, _, request in request }
        var moved = answer("", status: 302)
        moved.headers["Location"] = "/there"
        serve("/page", answer("old", control: "max-age=100"), moved)
        serve("/there", answer("new", control: "max-age=100"))
        _ = try await run("/page")
        #expect(try await run("/page", .reloadIgnoringCacheData).data == Data("new".utf8))
        #expect(try await !run("/page").isFromCache)
        #expect(try await !run("/there").isFromCache)
    }

    // MARK: - Time

    private static let now: Int64 = 1_700_000_000

    private func isFresh(_ fields: HeaderFields, storedAt: Int64, after seconds: Int64) -> Bool {
        let head = CacheRules.received(ResponseHead(statusCode: 200, headers: fields), now: storedAt)
        return CacheRules.isFresh(head, for: TransferRequest(url: "http://h/"), now: storedAt + seconds)
    }

    @Test("A server whose clock is ahead makes nothing fresh for longer than it says")
    func clockAhead() {
        let ahead = HTTPDate.text(Self.now + 86_400)
        let end = HTTPDate.text(Self.now + 86_400 + 60)
        for fields: HeaderFields in [["Date": ahead, "Cache-Control": "max-age=60"], ["Date": ahead, "Expires": end]] {
            #expect(isFresh(fields, storedAt: Self.now, after: 59))
            #expect(!isFresh(fields, storedAt: Self.now, after: 60))
        }
    }

    @Test("A clock that was turned back makes nothing fresh, and neither does an age that no number holds")
    func unknownAge() {
        let fields: HeaderFields = ["Cache-Control": "max-age=60"]
        #expect(!isFresh(fields, storedAt: Self.now, after: -1) && isFresh(fields, storedAt: Self.now, after: 1))
        let old: HeaderFields = ["Cache-Control": "max-age=60", "Age": "99999999999999999999"]
        #expect(!isFresh(old, storedAt: Self.now, after: 0))
    }

    @Test("A response is as old as its head, however long its body takes")
    func slowBody() throws {
        var metrics = TransferMetrics()
        (metrics.firstByte, metrics.total) = (1.5, 62)
        let arrival = CacheRules.arrival(metrics, now: 1_000_060)
        #expect(arrival == 1_000_000)
        var fields = HeaderFields()
        fields["Age"] = "100"
        fields["Date"] = HTTPDate.text(1_000_000)
        fields["Cache-Control"] = "max-age=120"
        let head = CacheRules.received(ResponseHead(statusCode: 200, headers: fields), now: arrival)
        let request = TransferRequest(url: "http://h/")
        #expect(CacheRules.isFresh(head, for: request, now: 1_000_010))
        #expect(!CacheRules.isFresh(head, for: request, now: 1_000_060))
        #expect(CacheRules.arrival(TransferMetrics(), now: 5) == 5)
    }

    @Test("A response whose body was paused is as old as its head too")
    func pausedBody() {
        var metrics = TransferMetrics()
        metrics.beginAttempt(at: 0)
        metrics.keepTime(isStopped: true, at: 1_000)
        metrics.keepTime(isStopped: false, at: 601_000)
        (metrics.attemptStartedAt, metrics.firstByte, metrics.total) = (nil, 1, 3)
        #expect(CacheRules.arrival(metrics, now: 1_000) == 398)
    }

    @Test("RFC 9111 4.2.3: behind a cache that keeps the date its seconds count once, and a larger age counts")
    func ageBehindACache() {
        func fields(_ age: String, dated seconds: Int64) -> HeaderFields {
            ["Cache-Control": "max-age=3600", "Age": age, "Date": HTTPDate.text(Self.now - seconds)]
        }
        for fields in [fields("3000", dated: 3000), fields("3000", dated: 10), fields("0", dated: 3000)] {
            #expect(isFresh(fields, storedAt: Self.now, after: 599))
            #expect(!isFresh(fields, storedAt: Self.now, after: 600))
        }
        // A clock that is ahead is no older response, and its age stays.
        #expect(isFresh(fields("3000", dated: -60), storedAt: Self.now, after: 599))
        #expect(!isFresh(fields("3000", dated: -60), storedAt: Self.now, after: 600))
        let kept = ResponseHead(statusCode: 200, headers: ["Cache-Control": "max-age=1"])
        let answer = ResponseHead(statusCode: 304, headers: fields("3000", dated: 3000))
        let renewed = CacheRules.renewed(kept, by: answer, now: Self.now)
        let request = TransferRequest(url: "http://h/")
        #expect(CacheRules.isFresh(renewed, for: request, now: Self.now + 599))
        #expect(!CacheRules.isFresh(renewed, for: request, now: Self.now + 600))
    }

    @Test("A stored response behind a cache has its age once, also after a 304")
    func agesOnTheWire() async throws {
        let date = HTTPDate.text(Int64(time(nil)) - 3000)
        server.setRoute("/aged") { [self] request in
            var answer = answer("old", status: request.header("If-None-Match") == nil ? 200 : 304, tag: "\"1\"")
            answer.headers["Cache-Control"] = "max-age=3600"
            (answer.headers["Age"], answer.headers["Date"]) = ("3000", date)
            answer.addsDate = false
            return answer
        }
        _ = try await run("/aged")
        #expect(try await run("/aged").isFromCache && conditions("/aged") == [nil])
        #expect(try await run("/aged", .reloadRevalidatingCacheData).isFromCache)
        #expect(try await run("/aged").isFromCache && conditions("/aged") == [nil, "\"1\""])
    }
}
