import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
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
        // The server sees a request before anybody is told that it has begun.
        try #require(fixture.observer.wait { events in events.filter { $0.name == "started" }.count == 4 })
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

@Suite("The last word on a transfer", .timeLimit(.minutes(1)))
struct LastWordTests {
    /// Leaves the program the moment a failure makes the bridge idle, as a run does that is woken just then.
    private final class LeavingObserver: TransferObserver {
        let interest = Interest()
        let bridge = Locked<LocalService?>(nil)
        let hasLeft = DispatchSemaphore(value: 0)
        /// Whether leaving was over before the failure was told.
        let isLate = Locked(false)

        func receive(_ notice: TransferNotice) {
            guard case .event(let event) = notice, event.what.isFailure, let bridge = bridge.withLock({ $0 }),
                bridge.isIdle
            else { return }
            Thread.detachNewThread { [hasLeft] in
                _ = bridge.close()
                hasLeft.signal()
            }
            // Nothing holds back one who does not wait; one who does is waiting here.
            guard hasLeft.wait(timeout: .now() + .milliseconds(200)) == .success else { return }
            hasLeft.signal()
            isLate.withLock { $0 = true }
        }
    }

    @Test("Leaving waits until the end of a transfer that has no task is told")
    func failedWithoutTask() {
        let observer = LeavingObserver()
        let bridge = LocalService(settings: ServiceSettings(), printsBodies: false, observer: observer)
        observer.bridge.withLock { $0 = bridge }
        bridge.addFailed(url: "http://h/", message: "bad line")
        #expect(observer.hasLeft.wait(timeout: .now() + 20) == .success)
        #expect(!observer.isLate.withLock { $0 })
        observer.bridge.withLock { $0 = nil }
    }
}
