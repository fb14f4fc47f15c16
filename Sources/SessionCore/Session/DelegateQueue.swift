import Foundation

/// The serial queue on which a session calls closures, unless it is given another.
///
/// It uses its own dispatch queue. Foundation's would use Dispatch's shared pool, and a process that has used that pool
/// once is woken every second for the rest of its life to check whether the pool is stuck. A class, and `@unchecked
/// Sendable`, because `OperationQueue` is; its only stored property is a constant.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
    /// Kept because the operation queue does not keep it.
    private let serialQueue = DispatchQueue(label: "SessionCore.delegate")

    override init() {
        super.init()
        name = "SessionCore.delegate"
        super.maxConcurrentOperationCount = 1
        underlyingQueue = serialQueue
    }

    /// Always one, whatever it is set to: closures are called one after the other.
    ///
    /// A width of zero cannot stop the queue; ``isSuspended`` does that.
    override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set {}
    }

    deinit {
        underlyingQueue = nil
    }
}

/// The library's work on a delegate queue, whose users may call any of its methods.
///
/// It delivers events that have already happened, so it cannot be cancelled: an operation removed by
/// `cancelAllOperations()` would go unnoticed, and its waiters would wait forever. A class, and `@unchecked Sendable`,
/// because `BlockOperation` is; it has no stored property.
private final class DeliveryOperation: BlockOperation, @unchecked Sendable {
    override func cancel() {}
}

extension OperationQueue {
    /// Runs work after everything that was added before it, even if the queue's operations are cancelled.
    func deliver(_ work: @escaping @Sendable () -> Void) { addOperation(DeliveryOperation(block: work)) }
}
