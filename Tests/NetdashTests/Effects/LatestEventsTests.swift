import Dashboard
import LoopbackServer
import Testing

@testable import TransferService
@testable import netdash

@Suite("The latest events", .timeLimit(.minutes(1)))
struct LatestEventsTests {
    private func event(_ id: UInt64, _ what: TransferEvent.What = .started, url: String? = nil) -> TransferEvent {
        TransferEvent(time: .now(), id: id, url: url, what: what)
    }

    @Test("The oldest give way, and the order stays")
    func ring() {
        var events = LatestEvents()
        for id in 1...UInt64(LatestEvents.limit + 3) { events.append(event(id)) }
        let all = events.beginReading()
        #expect(all.map(\.event.id) == Array(4...UInt64(LatestEvents.limit + 3)))
        #expect(events.takeUnread().isEmpty)
    }

    @Test("Whoever reads gets what came since, once")
    func reading() {
        var events = LatestEvents()
        events.append(event(1))
        #expect(events.takeUnread().isEmpty)
        #expect(events.beginReading().map(\.event.id) == [1])
        events.append(event(2))
        #expect(events.takeUnread().map(\.event.id) == [2])
        #expect(events.takeUnread().isEmpty)
        events.append(event(3))
        #expect(events.endReading().isEmpty)
        #expect(events.takeUnread().isEmpty)
        #expect(events.beginReading().map(\.event.id) == [1, 2, 3])
    }

    @Test("A transfer that has left the list is named by its URL without secrets, else by its number")
    func names() {
        let entries = LatestEvents.entries(
            [event(7), event(8), event(8, .cancelled, url: "http://me:word@h/f")].map { LatestEvents.Heard($0) },
            from: nil)
        #expect(entries.map(\.sentence) == ["#7  started", "http://***@h/f  started", "http://***@h/f  cancelled"])
        #expect(entries.map(\.id) == [7, 8, 8])
    }

    @Test("A transfer's life is told with its name: start, answer, end")
    func life() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        // What a server continues is told of a transfer that has not ended.
        let gate = try fixture.server.gate(named: "answer")
        fixture.server.setRoute("/*", .file(count: 100).stalling(after: 50, until: gate))
        fixture.bridge.add([fixture.job(.download, "/caf%C3%A9.bin")])
        try #require(fixture.observer.wait { $0.contains { $0.name == "response" } })
        gate.release()
        try #require(fixture.observer.waitForEnds())
        let kept = fixture.observer.events.filter { TransferRow.keeps($0.what) }
        let sentences = LatestEvents.entries(kept.map { LatestEvents.Heard($0) }, from: fixture.bridge).map(
            \.sentence.string)
        #expect(sentences.prefix(2) == ["café.bin  started", "café.bin  response 200, can be resumed"])
        #expect(sentences.last?.hasPrefix("café.bin  completed, 100") == true)
    }
}
