import Foundation

/// The serial queue on which a session calls closures, unless it is given another.
///
/// It stands on a dispatch queue of its own. Foundation's would use Dispatch's shared pool, and a process that has used
/// that pool once is woken every second for as long as it lives, to look whether the pool is stuck. A class, and
/// `@unchecked Sendable`, because `OperationQueue` is; it has one constant of its own.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
    /// Kept because the operation queue does not keep it.
    private let serialQueue = DispatchQueue(label: "SessionCore.delegate")

    override init() {
        super.init()
        name = "SessionCore.delegate"
        super.maxConcurrentOperationCount = 1
        underlyingQueue = serialQueue
    }

    /// One, whatever it is set to: closures are called one after the other.
    ///
    /// Nobody can close the queue with a width of zero; ``isSuspended`` is there for that.
    override var maxConcurrentOperationCount: Int {
        get { super.maxConcurrentOperationCount }
        set {}
    }

    deinit {
        underlyingQueue = nil
    }
}

/// Work of the library on a delegate queue, which its users may do anything with.
///
/// It delivers what has happened already, so it cannot be cancelled: of an operation that `cancelAllOperations()` took
/// away nobody would know, and what waits for it would wait for ever. A class, and `@unchecked Sendable`, because
/// `Operation` is; what it has of its own is a constant.
private final class DeliveryOperation: Operation, @unchecked Sendable {
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
