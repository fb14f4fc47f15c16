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
