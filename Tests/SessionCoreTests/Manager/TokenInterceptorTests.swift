import Foundation
import SessionSupport
import Testing

@testable import SessionCore

/// Tokens together with what else makes a call be sent again, and calls that are cancelled while a token is renewed.
@Suite("Tokens and repetitions", .timeLimit(.minutes(1)))
struct TokenInterceptorTests {
    private let refreshes = EventLog<String?>()

    /// A manager whose transfers end with statuses in turn, and what was sent.
    private func fixture(_ statuses: [Int]) -> (ManagerFixture, EventLog<TransferRequest>) {
        let sent = EventLog<TransferRequest>()
        let fixture = ManagerFixture { description in
            sent.add(description.request)
            let index = sent.entries.count - 1
            return .ok("", status: index < statuses.count ? statuses[index] : 200)
        }
        return (fixture, sent)
    }

    /// An interceptor that numbers its renewed tokens.
    private func interceptor(token: String? = "old") -> TokenInterceptor {
        TokenInterceptor(token: token) { [refreshes] refused in
            refreshes.add(refused)
            return "new\(refreshes.entries.count)"
        }
    }

    /// Statuses in turn, the tokens that are shown with each, and what the call ends with.
    struct Case: Sendable, CustomTestStringConvertible {
        let statuses: [Int]
        let shown: [String]
        let end: Int
        var testDescription: String { "\(statuses)" }
    }

    static let cases = [
        Case(statuses: [401, 200], shown: ["old", "new1"], end: 200),
        Case(statuses: [503, 401, 200], shown: ["old", "old", "new1"], end: 200),
        Case(statuses: [503, 503, 401, 200], shown: ["old", "old", "old", "new1"], end: 200),
        Case(statuses: [401, 503, 200], shown: ["old", "new1", "new1"], end: 200),
        Case(statuses: [503, 401, 503, 200], shown: ["old", "old", "new1", "new1"], end: 200),
        Case(statuses: [401, 401], shown: ["old", "new1"], end: 401),
        Case(statuses: [503, 401, 401], shown: ["old", "old", "new1"], end: 401),
        // The renewed token was not refused at once: it may have run out since.
        Case(statuses: [401, 503, 401, 200], shown: ["old", "new1", "new1", "new2"], end: 200),
    ]

    @Test(
        "A refusal counts by the token that was refused, whatever else had the call sent again before",
        arguments: cases, [true, false])
    func refusals(_ example: Case, tokenFirst: Bool) async {
        let (fixture, sent) = fixture(example.statuses)
        let retrier = RequestRetrier(maximumRetries: 4, firstDelay: 0)
        fixture.manager.interceptors = tokenFirst ? [interceptor(), retrier] : [retrier, interceptor()]
        let end: Int?
        do {
            end = try await fixture.manager.data(for: fixture.request).head?.statusCode
        } catch {
            end = (error as? ResponseSerializationError)?.statusCode
        }
        #expect(end == example.end)
        #expect(sent.entries.map { $0.headers["Authorization"] } == example.shown.map { "Bearer " + $0 })
    }

    @Test(
        "A retrier counts its own repetitions, not those for a token", arguments: [[401, 503, 200], [503, 401, 200]])
    func retrierCounts(_ statuses: [Int]) async throws {
        let (fixture, sent) = fixture(statuses)
        fixture.manager.interceptors = [interceptor(), RequestRetrier(maximumRetries: 1, firstDelay: 0)]
        #expect(try await fixture.manager.data(for: fixture.request).head?.statusCode == 200)
        #expect(sent.entries.count == 3)
    }

    @Test("A request that brought its own field is sent once, and no token is renewed for it")
    func ownField() async {
        for field in ["Bearer mine", "Bearer old", "Basic x"] {
            let (fixture, sent) = fixture([401, 401, 401])
            fixture.manager.interceptors = [interceptor()]
            var request = fixture.request
            request.headers["Authorization"] = field
            let error = await #expect(throws: ResponseSerializationError.self) {
                try await fixture.manager.data(for: request)
            }
            #expect(error?.statusCode == 401 && sent.entries.count == 1, "\(field)")
        }
        #expect(refreshes.entries.isEmpty)
    }

    @Test("A field that another interceptor has set is that one's to renew")
    func fieldOfAnother() async {
        let (fixture, sent) = fixture([401, 401, 401])
        fixture.manager.interceptors = [
            ClosureInterceptor(adapt: { request, _ in
                var request = request
                request.headers["Authorization"] = "Bearer other"
                return request
            }), interceptor(),
        ]
        await #expect(throws: ResponseSerializationError.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(sent.entries.count == 1 && refreshes.entries.isEmpty)
    }

    @Test("A 401 of a server that was never shown the token is no refusal of it")
    func otherServer() async {
        let sent = EventLog<String>()
        let fixture = ManagerFixture { description in
            sent.add(description.request.url)
            var end = TransferEnd.ok("", status: 401)
            end.head?.url = "http://elsewhere.example/login"
            return end
        }
        fixture.manager.interceptors = [interceptor()]
        await #expect(throws: ResponseSerializationError.self) { try await fixture.manager.data(for: fixture.request) }
        #expect(sent.entries.count == 1 && refreshes.entries.isEmpty)
    }

    @Test("A call that waits for a renewal ends at once when it is cancelled, and the others go on", arguments: [1, 2])
    func cancelling(_ calls: Int) async throws {
        let (fixture, _) = fixture(Array(repeating: 401, count: calls + 1))
        let (deciding, begun, release) = (EventLog<Int>(), EventLog<Int>(), EventLog<Int>())
        let interceptor = TokenInterceptor(token: "old") { _ in
            begun.add(1)
            _ = await release.wait(count: 1)
            return "new"
        }
        fixture.manager.interceptors = [
            ClosureInterceptor(decide: { _ in
                deciding.add(1)
                return .undecided
            }), interceptor,
        ]
        var waiting: [Task<TaskCompletion, any Error>] = []
        for number in 1...calls {
            waiting.append(Task { try await fixture.manager.data(for: fixture.request) })
            _ = await deciding.wait(count: number)
            _ = await begun.wait(count: 1)
        }
        waiting[calls - 1].cancel()
        // Nothing has released the renewal: without an end of its own the call would wait for ever.
        let error = await #expect(throws: SessionError.self) { try await waiting[calls - 1].value }
        #expect(error?.code == .cancelled)
        // What was begun is the next call's, although the call that began it is gone.
        let next = Task { try await fixture.manager.data(for: fixture.request) }
        _ = await deciding.wait(count: calls + 1)
        release.add(1)
        for call in waiting.dropLast() + [next] { #expect(try await call.value.head?.statusCode == 200) }
        #expect(begun.entries.count == 1 && interceptor.token == "new")
    }

    @Test("A call that waits for its first token ends at once when it is cancelled")
    func cancellingFirst() async {
        let (fixture, sent) = fixture([])
        let (begun, release) = (EventLog<Int>(), EventLog<Int>())
        fixture.manager.interceptors = [
            TokenInterceptor { _ in
                begun.add(1)
                _ = await release.wait(count: 1)
                return "new"
            }
        ]
        let call = Task { try await fixture.manager.data(for: fixture.request) }
        _ = await begun.wait(count: 1)
        call.cancel()
        let error = await #expect(throws: SessionError.self) { try await call.value }
        #expect(error?.code == .cancelled && sent.entries.isEmpty)
        release.add(1)
    }
}
