import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite("What is remembered of answers about trust")
struct TrustMemoryTests {
    private let memory = TrustMemory()
    private let ids = (1...3).map { _ in TransferID.next() }

    private func subject(
        _ host: String = "a", port: Int = 443, _ chain: [[UInt8]] = [[1], [2]], rules: String = "r"
    ) -> TrustMemory.Subject {
        TrustMemory.Subject(origin: Origin(scheme: "https", host: host, port: port), chain: chain, rules: rules)
    }

    @Test("The first asks, the others wait, and all go on with the answer")
    func turns() {
        #expect(ids.map { memory.meet(subject(), $0) } == [.ask, .wait, .wait])
        #expect(memory.verdict(about: subject()) == nil)
        #expect(memory.remember(.accepted, about: subject()) == ids)
        #expect(memory.verdict(about: subject()) == .accepted)
        #expect(memory.meet(subject(), ids[0]) == .goOn)
    }

    @Test("An answer is about one origin, one chain and one set of rules")
    func subjects() {
        _ = memory.remember(.policy, about: subject())
        let others = [
            subject("b"), subject(port: 444), subject("a", [[1]]), subject("a", [[1], [3]]), subject(rules: "s"),
        ]
        for other in others { #expect(memory.verdict(about: other) == nil) }
        #expect(memory.verdict(about: subject()) == .policy)
    }

    @Test("When the one that asks leaves, the next has its turn; one that only waits leaves in silence")
    func leaving() {
        for id in ids { _ = memory.meet(subject(), id) }
        #expect(memory.leave(subject(), ids[1]) == nil)
        #expect(memory.leave(subject(), ids[0]) == ids[2])
        #expect(memory.leave(subject(), ids[0]) == nil)
        #expect(memory.leave(subject(), ids[2]) == nil)
        #expect(memory.meet(subject(), ids[1]) == .ask)
    }

    @Test("What is remembered is bounded")
    func bounded() {
        for port in 0...2_000 { _ = memory.remember(.accepted, about: subject(port: port)) }
        #expect(memory.verdict(about: subject(port: 2_000)) == .accepted)
        #expect(memory.verdict(about: subject(port: 0)) == nil)
    }
}

/// How often a caller is asked about a server, with real handshakes on loopback.
@Suite("Questions about trust", .timeLimit(.minutes(1)), .serialized, .enabled(if: OpenSSLServer.isAvailable))
struct TrustQuestionTests {
    private let manager: SessionManager
    private let asked = EventLog<String>()

    init() {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 1
        configuration.connectTimeout = 30
        manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    private func start(_ url: String, timeLimit: Double? = nil) throws -> SessionTask {
        var options = RequestOptions()
        options.timeLimit = timeLimit
        var request = TransferRequest(url: url)
        request.options = timeLimit == nil ? nil : options
        let task = try manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        return task
    }

    private func code(_ url: String, timeLimit: Double? = nil) async throws -> SessionError.Code? {
        (try await start(url, timeLimit: timeLimit).completion().error as? SessionError)?.code
    }

    private func answer(_ response: ChallengeResponse) {
        manager.onTaskChallenge = { [asked] _, challenge in
            asked.add(challenge.protectionSpace.authenticationMethod)
            return response
        }
    }

    @Test("E04: a closure is asked once about a chain, however many connections show it")
    func once() async throws {
        // One answer per connection.
        let server = try OpenSSLServer()
        answer(.trust)
        for _ in 0..<5 { #expect(try await code(server.url) == nil) }
        #expect(asked.entries.count == 1)
        let tasks = try (0..<6).map { _ in try start(server.url) }
        for task in tasks { #expect(await task.completion().error == nil) }
        #expect(asked.entries.count == 1)
    }

    @Test("E04: transfers that meet a chain together ask once")
    func together() async throws {
        let server = try OpenSSLServer()
        answer(.trust)
        let tasks = try (0..<6).map { _ in try start(server.url) }
        for task in tasks { #expect(await task.completion().error == nil) }
        #expect(asked.entries.count == 1)
    }

    @Test("E04: what was left to the policy stays with the policy, a pinned server's as well as a stranger's")
    func leftToThePolicy() async throws {
        let server = try OpenSSLServer()
        answer(.performDefault)
        for _ in 0..<3 { #expect(try await code(server.url) == .certificate) }
        #expect(asked.entries.count == 1)
        var pinned = try SecurityPolicy(pinningMode: .certificate, pinnedCertificates: [server.certificate()])
        pinned.allowsInvalidCertificates = true
        manager.securityPolicy = pinned
        for _ in 0..<3 { #expect(try await code(server.url) == nil) }
        #expect(asked.entries.count == 2)
    }

    @Test("E04: a policy without a closure's word still checks the name")
    func leftToThePolicyChecksTheName() async throws {
        let server = try OpenSSLServer(.init(names: "DNS:example.org"))
        var pinned = try SecurityPolicy(pinningMode: .certificate, pinnedCertificates: [server.certificate()])
        pinned.allowsInvalidCertificates = true
        manager.securityPolicy = pinned
        answer(.performDefault)
        #expect(try await code(server.url) == .certificate)
    }

    @Test("E04: another closure is asked again, and uses no connection that the first one accepted")
    func anotherClosure() async throws {
        let server = try OpenSSLServer(keepsAlive: true)
        answer(.trust)
        #expect(try await code(server.url) == nil)
        #expect(try await code(server.url) == nil)
        // The server serves one connection at a time: whoever does not get the open one waits in vain.
        answer(.trust)
        #expect(try await code(server.url, timeLimit: 0.3) == .timedOut)
        #expect(server.answerCount == 2 && asked.entries.count == 1)
        let stranger = try OpenSSLServer()
        #expect(try await code(stranger.url) == nil)
        answer(.rejectProtectionSpace)
        #expect(try await code(stranger.url) == .certificate)
        #expect(try await code(stranger.url) == .certificate)
        #expect(asked.entries.count == 4)
    }

    @Test("A transfer that is cancelled while it asks leaves the question to the next one")
    func cancelledAsker() async throws {
        let server = try OpenSSLServer()
        let open = EventLog<(SessionTask, CheckedContinuation<ChallengeResponse, Never>)>()
        manager.onTaskChallenge = { task, _ in
            await withCheckedContinuation { open.add((task, $0)) }
        }
        let tasks = try (0..<3).map { _ in try start(server.url) }
        let first = await open.wait(count: 1)[0]
        first.0.cancel()
        let second = await open.wait(count: 2)[1]
        #expect(second.0 !== first.0)
        second.1.resume(returning: .trust)
        first.1.resume(returning: .cancel)
        for task in tasks where task !== first.0 { #expect(await task.completion().error == nil) }
        #expect((await first.0.completion().error as? SessionError)?.code == .cancelled)
        #expect(open.entries.count == 2)
    }
}
