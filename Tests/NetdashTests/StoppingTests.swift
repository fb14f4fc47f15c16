import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import netdash

@Suite("Stopping many transfers at once", .timeLimit(.minutes(1)))
struct StoppingTests {
    enum Stop: CaseIterable {
        case pausing, cancelling
    }

    @Test("What waits for its turn does not start when everything is paused or cancelled", arguments: Stop.allCases)
    func nothingStarts(_ stop: Stop) throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 4 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        let count = 120  // More than there is room for, so that the last have no tasks yet.
        for number in 1...count {
            fixture.server.setRoute(
                "/\(number)", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        }
        fixture.bridge.add((1...count).map { fixture.job(.download, "/\($0)") })
        try #require(gate.waitForArrivals(4))
        let ids = (1...count).map(UInt64.init)
        switch stop {
        case .pausing: fixture.bridge.pause(ids)
        case .cancelling: fixture.bridge.cancel(ids, deletingParts: true)
        }
        try #require(
            fixture.observer.wait { _ in
                fixture.bridge.snapshots(of: ids).allSatisfy { $0.state == .paused || $0.state == .cancelled }
            })
        #expect(fixture.server.requestCount == 4)
        // Those that run are held; one more would be one that was started meanwhile.
        #expect(fixture.server.connectionCount <= 4)
        #expect(fixture.observer.events.filter { $0.name == "started" }.count == 4)
    }
}
