import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Subscriptions", .timeLimit(.minutes(1)))
struct SubscriptionTests {
    private static let count = 200

    private func events(_ subscription: any Subscription) -> [TransferEvent.What] {
        subscription.take().notices.compactMap { if case .event(let event) = $0 { event.what } else { nil } }
    }

    @Test("Several subscribers hear what interests each, and one that reads nothing delays nobody")
    func several() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .respond(.text("body")))
        let wakes = Locked(0)
        let rows = fixture.bridge.subscribe(Interest(showsRows: true)) { wakes.withLock { $0 += 1 } }
        let lines = fixture.bridge.subscribe(Interest()) {}
        let ends = fixture.bridge.subscribe(Interest(hearsMilestones: false)) {}
        let silent = fixture.bridge.subscribe(Interest(showsRows: true, wantsURLs: true)) {}
        fixture.bridge.add((0..<Self.count).map { _ in fixture.job(.data, "/f") })
        try #require(fixture.observer.waitForEnds(Self.count))
        // The first subscriber hears of the last end before the others do.
        fixture.bridge.waitForDelivery()
        let ids = Set(fixture.bridge.allSnapshots.map(\.id))

        let wakeCount = wakes.withLock { $0 }
        #expect(wakeCount == 1, "It is woken for the first of what waits")
        let changed = rows.take().rows
        #expect(Set(changed.map(\.id)) == ids && changed.count == ids.count && changed.allSatisfy { $0.state == .done })
        let told = events(lines)
        let (starts, ended) = (told.count { $0 == .started }, told.count { $0.mayEndRun })
        #expect(starts == Self.count && ended == Self.count)
        let isEndOnly = events(ends).allSatisfy { $0.mayEndRun }
        #expect(isEndOnly)
        let hasURL = silent.take().notices.contains {
            if case .event(let event) = $0 { event.url != nil } else { false }
        }
        #expect(hasURL)
    }

    @Test("A subscriber that has ended hears no more, and what it alone wanted is wanted no more")
    func cancelled() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .respond(.text("body")))
        let lines = fixture.bridge.subscribe(Interest(wantsURLs: true)) {}
        #expect(fixture.bridge.observers.interest.wantsURLs)
        // The limits in force come at once.
        _ = lines.take()
        lines.cancel()
        lines.cancel()
        #expect(!fixture.bridge.observers.interest.wantsURLs)
        fixture.bridge.add([fixture.job(.data, "/f")])
        try #require(fixture.observer.waitForEnds())
        #expect(lines.take().isEmpty)
    }

    @Test("A subscriber that comes later is told at once which servers are held and which limits are in force")
    func later() throws {
        let limit = try RateSchedule("100k")
        let fixture = try BridgeFixture { $0.rates.download = limit }
        defer { fixture.end() }
        fixture.bridge.observers.receive(.backoffs([]))
        let wakes = Locked(0)
        let late = fixture.bridge.subscribe(Interest(showsRows: true)) { wakes.withLock { $0 += 1 } }
        #expect(wakes.withLock { $0 } == 1)
        let notices = late.take().notices
        #expect(notices.contains(.backoffs([])))
        let isBounded = notices.contains {
            if case .bounded(let rates) = $0 { rates.download != nil } else { false }
        }
        #expect(isBounded)
    }
}
