import Foundation
import Support
import Testing

@testable import Dashboard
@testable import netdash

@Suite("The last word on a transfer", .timeLimit(.minutes(1)))
struct LastWordTests {
    /// Leaves the program the moment a failure makes the bridge idle, as a run does that is woken just then.
    private final class LeavingObserver: TransferObserver {
        let showsRows = false
        let bridge = Locked<SessionBridge?>(nil)
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
        let bridge = SessionBridge(settings: Settings(), printsBodies: false, observer: observer)
        observer.bridge.withLock { $0 = bridge }
        bridge.addFailed(url: "http://h/", message: "bad line")
        #expect(observer.hasLeft.wait(timeout: .now() + 20) == .success)
        #expect(!observer.isLate.withLock { $0 })
        observer.bridge.withLock { $0 = nil }
    }
}
