import Foundation
import LoopbackServer
import Testing

@testable import SessionCore
@testable import SessionHTTP

@Suite("Interceptors", .timeLimit(.minutes(1)))
struct InterceptorTests {
    private struct Refused: Error {}

    /// A manager whose transfers end as a closure says, by the number of the attempt and its request.
    private func fixture(
        _ answer: @escaping @Sendable (Int, TransferRequest) -> TransferEnd
    ) -> (ManagerFixture, EventLog<TransferRequest>) {
        let sent = EventLog<TransferRequest>()
        let fixture = ManagerFixture { description in
            sent.add(description.request)
            return answer(sent.entries.count, description.request)
        }
        return (fixture, sent)
    }

    @Test("Requests pass the interceptors in their order, each attempt from the request that was given")
    func adapting() async throws {
        let (fixture, sent) = fixture { number, _ in .ok("", status: number == 1 ? 503 : 200) }
        fixture.manager.interceptors = [
            ClosureInterceptor(adapt: { request, attempt in
                var request = request
                request.headers["X-Order", default: ""] += "manager\(attempt)"
                return request
            }),
            RequestRetrier(maximumRetries: 1, firstDelay: 0),
        ]
        var options = TaskOptions()
        options.interceptors = [
            ClosureInterceptor(adapt: { request, _ in
                var request = request
                request.headers["X-Order", default: ""] += " call"
                return request
            })
        ]
        let completion = try await fixture.manager.data(for: fixture.request, options: options)
        #expect(completion.head?.statusCode == 200)
        #expect(sent.entries.map { $0.headers["X-Order"] } == ["manager1 call", "manager2 call"])
    }

    @Test("An interceptor that throws ends the call before anything is sent")
    func adaptingFails() async {
        let (fixture, sent) = fixture { _, _ in .ok() }
        fixture.manager.interceptors = [ClosureInterceptor(adapt: { _, _ in throw Refused() })]
        await #expect(throws: Refused.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(sent.entries.isEmpty)
    }

    @Test("The first interceptor that has anything to say about a failure decides")
    func deciding() async {
        let (fixture, sent) = fixture { _, _ in .failed(.unknownHost) }
        let seen = EventLog<Int>()
        fixture.manager.interceptors = [
            ClosureInterceptor(decide: { failure in
                seen.add(failure.attempt)
                return failure.attempt == 1 ? .undecided : .fail(Refused())
            }),
            ClosureInterceptor(decide: { failure in
                (failure.error as? SessionError)?.code == .unknownHost ? .retry() : .giveUp
            }),
            ClosureInterceptor(decide: { _ in .fail(CocoaError(.fileNoSuchFile)) }),
        ]
        await #expect(throws: Refused.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(seen.entries == [1, 2] && sent.entries.count == 2)
        fixture.manager.interceptors = [ClosureInterceptor(decide: { _ in .giveUp }), RequestRetrier(firstDelay: 0)]
        await #expect(throws: SessionError.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(sent.entries.count == 3)
    }

    @Test("The numbers of a retrier mean what they say", arguments: [0, 1, 3])
    func retrying(_ maximum: Int) async {
        let (fixture, sent) = fixture { _, _ in .ok("", status: 503) }
        fixture.manager.interceptors = [RequestRetrier(maximumRetries: maximum, firstDelay: 0)]
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await fixture.manager.data(for: fixture.request)
        }
        #expect(error?.reason == .unacceptableStatusCode(503))
        #expect(sent.entries.count == 1 + maximum)
    }

    @Test("A retrier leaves alone what will not pass, and what must not be repeated")
    func notRetrying() async {
        let retrier = RequestRetrier(maximumRetries: 5, firstDelay: 1, longestDelay: 8)
        func decision(
            _ method: String = "GET", status: Int? = 503, error: any Error = Refused(), attempt: Int = 1,
            retryAfter: String? = nil, body: BodySpecification = .none
        ) async -> String {
            var head = status.map { ResponseHead(statusCode: $0) }
            head?.headers["Retry-After"] = retryAfter
            let request = TransferRequest(url: "http://127.0.0.1/", method: method, body: body)
            let failure = FailedRequest(request: request, error: error, attempt: attempt, head: head)
            return "\(await retrier.decide(about: failure))"
        }
        #expect(await decision() == "retry(afterSeconds: 1.0)")
        #expect(await decision(attempt: 3) == "retry(afterSeconds: 4.0)")
        #expect(await decision(attempt: 5) == "retry(afterSeconds: 8.0)")
        #expect(await decision(retryAfter: "5") == "retry(afterSeconds: 5.0)")
        #expect(await decision(retryAfter: "500") == "retry(afterSeconds: 8.0)")
        #expect(await decision(retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT") == "retry(afterSeconds: 8.0)")
        for nonsense in ["nan", "inf", "-5", "0x10", "Fri, 31 Dec 1999 23:59:59 GMT", "1e9"] {
            #expect(await decision(retryAfter: nonsense) == "retry(afterSeconds: 1.0)", "\(nonsense)")
        }
        #expect(await decision(status: nil, error: SessionError(.stalled, "")) == "retry(afterSeconds: 1.0)")
        for other in [
            await decision("POST"), await decision(status: 404), await decision(attempt: 6),
            await decision(status: nil, error: SessionError(.certificate, "")), await decision(status: nil),
            await decision("PUT", body: .descriptor(0)),
        ] {
            #expect(other == "undecided")
        }
    }

    @Test("A call that is cancelled is not sent again, nor while it waits for it")
    func cancelling() async {
        let (fixture, sent) = fixture { _, _ in .ok("", status: 503) }
        fixture.manager.interceptors = [RequestRetrier(maximumRetries: 9, firstDelay: 60, longestDelay: 60)]
        let call = Task { try await fixture.manager.data(for: fixture.request) }
        _ = await sent.wait(count: 1)
        call.cancel()
        let error = await #expect(throws: SessionError.self) { try await call.value }
        #expect(error?.code == .cancelled && sent.entries.count == 1)
    }

    @Test("A call that is cancelled in an interceptor ends as every other cancelled one", arguments: [true, false])
    func cancellingInterceptors(adapting: Bool) async {
        let (fixture, _) = fixture { _, _ in .ok("", status: 503) }
        let waiting = EventLog<Int>()
        let interceptor = ClosureInterceptor(
            adapt: { request, _ in
                guard adapting else { return request }
                waiting.add(1)
                try await Task.sleep(for: .seconds(3_600))
                return request
            },
            decide: { _ in
                waiting.add(1)
                do {
                    try await Task.sleep(for: .seconds(3_600))
                } catch {
                    return .fail(error)
                }
                return .undecided
            })
        fixture.manager.interceptors = [interceptor]
        let call = Task { try await fixture.manager.data(for: fixture.request) }
        _ = await waiting.wait(count: 1)
        call.cancel()
        let error = await #expect(throws: SessionError.self) { try await call.value }
        #expect(error?.code == .cancelled)
    }

    @Test("Tasks that a factory makes pass no interceptor")
    func factories() async throws {
        let (fixture, sent) = fixture { _, _ in .ok("{}", type: "application/json") }
        fixture.manager.interceptors = [ClosureInterceptor(adapt: { _, _ in throw Refused() })]
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(await task.completion().error == nil && sent.entries.count == 1)
    }

    @Test("A form passes them too, and goes out again whole")
    func forms() async throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/form", .sequence([.respond(.text("busy", status: 503)), .echo]))
        let manager = SessionManager()
        manager.interceptors = [RequestRetrier(maximumRetries: 1, firstDelay: 0, repeatsUnsafeRequests: true)]
        let multipart = try HTTPRequestSerializer().multipartRequest(
            "POST", server.url("/form"), parameters: ["a": "value"])
        #expect(try await manager.upload(multipart).head?.statusCode == 200)
        let lengths = server.requests(for: "/form").map(\.bodyByteCount)
        #expect(lengths.count == 2 && lengths[0] == lengths[1] && lengths[0] > 0)
    }

    // MARK: Tokens

    /// Ends transfers with 401 unless they show one of the tokens that are good.
    private static func guarded(_ good: String) -> @Sendable (Int, TransferRequest) -> TransferEnd {
        { _, request in .ok("", status: request.headers["Authorization"] == "Bearer \(good)" ? 200 : 401) }
    }

    @Test("A 401 renews the token once for all that wait, and each goes on with the new one")
    func oneRefreshForAll() async throws {
        let (fixture, sent) = fixture(Self.guarded("new"))
        let refreshes = EventLog<String?>()
        let interceptor = TokenInterceptor(token: "old") { refused in
            refreshes.add(refused)
            // Until every call has met its 401: those that come while somebody renews must not renew too.
            _ = await sent.wait(count: 20)
            return "new"
        }
        fixture.manager.interceptors = [interceptor]
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await fixture.manager.data(for: fixture.request).head?.statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(refreshes.entries == ["old"])
        #expect(sent.entries.count == 40 && interceptor.token == "new")
    }

    @Test("A token that was just renewed and is refused again ends the call with the 401")
    func refusedTwice() async {
        let (fixture, sent) = fixture(Self.guarded("never"))
        let refreshes = EventLog<String?>()
        fixture.manager.interceptors = [
            TokenInterceptor(token: "a") { refused in
                refreshes.add(refused)
                return "b"
            }
        ]
        let error = await #expect(throws: ResponseSerializationError.self) {
            try await fixture.manager.data(for: fixture.request)
        }
        #expect(error?.reason == .unacceptableStatusCode(401))
        #expect(refreshes.entries == ["a"] && sent.entries.count == 2)
    }

    @Test("A token that cannot be renewed ends every call that waits for it, and the next call tries again")
    func refreshFails() async throws {
        let (fixture, _) = fixture(Self.guarded("new"))
        let refreshes = EventLog<String?>()
        fixture.manager.interceptors = [
            TokenInterceptor { refused in
                refreshes.add(refused)
                guard refreshes.entries.count > 1 else { throw Refused() }
                return "new"
            }
        ]
        await #expect(throws: Refused.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(try await fixture.manager.data(for: fixture.request).head?.statusCode == 200)
        #expect(refreshes.entries == [nil, nil])
    }

    @Test("Only the named hosts are shown the token, and a request's own field stays")
    func hosts() async throws {
        let (fixture, sent) = fixture { _, _ in .ok() }
        let written: Set<String> = ["bücher.example", "::1"]
        fixture.manager.interceptors = [TokenInterceptor(token: "secret", hosts: written) { _ in "x" }]
        for url in ["http://xn--bcher-kva.example/", "http://bücher.example/", "http://[::1]:8080/", "http://[::2]/"] {
            _ = try await fixture.manager.data(for: TransferRequest(url: url))
        }
        #expect(sent.entries.map { $0.headers["Authorization"] != nil } == [true, true, true, false])
        fixture.manager.interceptors = [TokenInterceptor(token: "secret", hosts: ["API.example.org"]) { _ in "x" }]
        for url in ["http://api.example.org/", "http://other.example.org/", "http://api.example.org.evil.example/"] {
            _ = try await fixture.manager.data(for: TransferRequest(url: url))
        }
        var own = TransferRequest(url: "http://api.example.org/")
        own.headers["Authorization"] = "Basic x"
        _ = try await fixture.manager.data(for: own)
        let fields = sent.entries.dropFirst(4).map { $0.headers["Authorization"] }
        #expect(fields == ["Bearer secret", nil, nil, "Basic x"])
    }
}

extension HeaderFields {
    fileprivate subscript(name: String, default value: String) -> String {
        get { self[name] ?? value }
        set { self[name] = newValue }
    }
}
