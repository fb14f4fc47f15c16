import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

/// Requests with conditions whose run ended before or after the response was judged.
@Suite("Conditions in a saved session", .timeLimit(.minutes(1)))
struct SavedConditionTests {
    private let fixture: SavedSessionFixture
    private var server: LoopbackServer { fixture.server }

    init() throws { fixture = try SavedSessionFixture() }

    private func end() { fixture.end() }

    private func run(_ observer: EffectsObserver = EffectsObserver()) throws -> LocalService {
        try fixture.run(observer)
    }

    @Test(
        "A response that an earlier run has not judged is no end: the request is sent again, and judged",
        arguments: ["status=201", "header:X-State=done", "json:.a==2", "body~other"])
    func unjudged(condition: String) throws {
        defer { end() }
        server.setRoute("/r", .respond(.text("{\"a\":1}")))
        let before = EffectsObserver()
        let first = try run(before)
        var request = job("/r", .data)
        request.options = [JobOption.Value(.assertion, condition)]
        first.add([request])
        try #require(before.waitForEnds())
        let id = try #require(first.allSnapshots.first?.id)
        // This is how the library stores the end, before the program compares the response.
        var stored = TransferRow(id: id, job: request).stored(by: first.factory)
        (stored.standing, stored.statusCode) = (.completed, 200)
        try first.manager.store.put(stored)
        _ = first.close()
        let after = EffectsObserver()
        let second = try run(after)
        defer { _ = second.close() }
        try #require(after.waitForEnds())
        #expect(states(second) == [.failed] && server.requests(for: "/r").count == 2)
    }

    @Test("A request whose conditions were met stays done in the next run")
    func judged() throws {
        defer { end() }
        server.setRoute("/r", .respond(.text("{\"a\":1}")))
        let before = EffectsObserver()
        let first = try run(before)
        var request = job("/r", .data)
        request.options = [JobOption.Value(.assertion, "json:.a==1")]
        first.add([request])
        try #require(before.waitForEnds())
        _ = first.close()
        let second = try run()
        defer { _ = second.close() }
        #expect(states(second) == [.done] && server.requests(for: "/r").count == 1)
    }

    private func job(_ path: String, _ kind: Job.Kind = .download) -> Job { Job(kind: kind, url: server.url(path)) }

    private func states(_ bridge: LocalService) -> [RowState] { bridge.allSnapshots.map(\.state) }
}
