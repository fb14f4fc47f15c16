import Foundation

/// A thread that can be waited for.
final class TestThread: Sendable {
    private let finished = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let finished = finished
        Thread.detachNewThread {
            body()
            finished.signal()
        }
    }

    func join() {
        finished.wait()
    }
}
