import Foundation
import LoopbackServer
import Testing

@testable import SessionCore
@testable import SessionHTTP

/// A manager with the settings of an earlier run, whose tasks run again before its initializer returns.
@Suite("Settings and restored tasks", .timeLimit(.minutes(1)))
struct RestoredSettingsTests {
    private let server: LoopbackServer
    private let fixture: PersistentFixture

    init() throws {
        server = LoopbackServer()
        try server.start()
        server.setRoute("/text", .respond(.text("no JSON")))
        fixture = try PersistentFixture()
    }

    /// Leaves a task that ran to the next run.
    private func leaveTask(to url: String) async throws {
        let first = fixture.manager(ScriptedEngine())
        let task = try first.dataTask(with: TransferRequest(url: url), completionHandler: nil)
        task.resume()
        await first.close()
    }

    private func settings(_ baseURL: String? = nil) -> HTTPManagerSettings {
        HTTPManagerSettings(baseURL: baseURL, configuration: fixture.configuration)
    }

    @Test("The serializer of the settings makes the objects of restored tasks too")
    func serializer() async throws {
        try await leaveTask(to: server.url("/text"))
        var settings = settings()
        settings.responseSerializer = StringResponseSerializer()
        let http = try HTTPManager(settings: settings)
        http.postsNotifications = false
        let task = try #require(http.tasks.first)
        let completion = await task.completion()
        #expect(completion.error == nil && completion.object as? String == "no JSON")
        await http.manager.close()
    }

    @Test("Settings that are refused send no restored request and leave the session to the next manager")
    func refused() async throws {
        try await leaveTask(to: server.url("/text"))
        var pinned = settings("http://example.org")
        pinned.securityPolicy.pinningMode = .publicKey
        #expect(throws: SessionError.self) { try HTTPManager(settings: pinned) }
        #expect(throws: RequestSerializationError.self) { try HTTPManager(settings: settings("nowhere")) }
        let engine = ScriptedEngine()
        let next = fixture.manager(engine)
        #expect(next.store.error == nil && next.tasks.count == 1 && server.requests.isEmpty)
        await next.close()
    }

    @Test("The pins of the settings count for the first connection of a restored task", arguments: [true, false])
    func pins(ofHost: Bool) async throws {
        try await leaveTask(to: "https://127.0.0.1/")
        var pins = SecurityPolicy()
        pins.pinningMode = .publicKey
        let rules = EventLog<SecurityPolicy?>()
        let manager = SessionManager(
            configuration: fixture.configuration, securityPolicy: ofHost ? .default : pins,
            hostSecurityPolicies: ofHost ? ["127.0.0.1": pins] : [:]
        ) { _ in
            ScriptedEngine { description in
                rules.add(description.arrangement.trust?.rules(for: "127.0.0.1").custom?.policy)
                return .ok()
            }
        }
        manager.postsNotifications = false
        #expect(rules.entries == [pins])
        await manager.close()
    }
}
