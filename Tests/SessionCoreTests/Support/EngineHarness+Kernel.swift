import Foundation
import SessionSupport

@testable import SessionCore

extension EngineHarness {
    /// Bytes of a transfer's body and head that the kernel has and the loop has not read.
    func bytesInKernel(of id: TransferID) -> Int64 {
        let answer = Locked<Int64>(0)
        let turn = DispatchSemaphore(value: 0)
        engine.run { core in
            let waiting = core.transfer(id)?.attempt.flatMap { core.bytesWaiting(for: $0) } ?? 0
            answer.withLock { $0 = waiting }
            turn.signal()
        }
        turn.wait()
        return answer.withLock { $0 }
    }

    /// Waits until the kernel has the body of a paused transfer up to a byte; false after thirty seconds.
    ///
    /// The kernel tells nobody: with the last of what a server has sent it may wait for an acknowledgement.
    func waitForKernel(_ count: Int64, _ id: TransferID) -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while status(id).received + bytesInKernel(of: id) < count {
            guard ContinuousClock.now < deadline else { return false }
            sched_yield()
        }
        return true
    }
}
