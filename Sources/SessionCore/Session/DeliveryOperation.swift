import Foundation

/// Work of the library on a delegate queue, which its users may do anything with.
///
/// It delivers what has happened already, so it cannot be cancelled: of an operation that `cancelAllOperations()` took
/// away nobody would know, and what waits for it would wait for ever. A class, and `@unchecked Sendable`, because
/// `Operation` is; what it has of its own is a constant.
final class DeliveryOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    override func main() { work() }

    /// Does nothing.
    override func cancel() {}
}

extension OperationQueue {
    /// Runs work after everything that was added before it, however the queue's operations are cancelled meanwhile.
    func deliver(_ work: @escaping @Sendable () -> Void) { addOperation(DeliveryOperation(work)) }
}
