import Dispatch

@testable import SessionCore

extension EngineHarness {
    /// Resumes transfers in one turn of the loop, whatever holds this thread up between two of them.
    func resumeTogether(_ ids: [TransferID]) {
        let areSubmitted = DispatchSemaphore(value: 0)
        engine.run { _ in areSubmitted.wait() }
        for id in ids { resume(id) }
        areSubmitted.signal()
    }
}
