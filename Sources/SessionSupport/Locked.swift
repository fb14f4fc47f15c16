public import Glibc

/// A value that is accessible only under its lock.
///
/// It uses a pthread mutex: half the cost of `NSLock`, and ThreadSanitizer understands it, unlike
/// `Synchronization.Mutex`. Value and mutex share one allocation, because a task has three of them. Decide inside
/// ``withLock(_:)`` and act after it: no callback, no blocking C call and no other lock belongs inside. Copies share
/// the value.
///
/// Public, like every generic type of this module: the compiler (6.3) keeps the body of a package function from other
/// modules, despite any attribute, and an unspecialized call costs more than the lock itself. See PERFORMANCE.md.
public struct Locked<Value>: @unchecked Sendable {
    /// A class because the mutex must not move while a thread waits for it.
    ///
    /// The mutex is the header and the value the one element, so that the value is moved here and not copied.
    @usableFromInline
    final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
        deinit {
            withUnsafeMutablePointers { mutex, value in
                pthread_mutex_destroy(mutex)
                _ = value.deinitialize(count: 1)
            }
        }
    }

    @usableFromInline let storage: ManagedBuffer<pthread_mutex_t, Value>

    /// Creates a value with its own lock.
    @inlinable
    public init(_ value: consuming Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        let (mutex, element) = storage.withUnsafeMutablePointers { ($0, $1) }
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result)")
        element.initialize(to: value)
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable @inline(__always)
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { mutex, value throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }

    /// Runs `body` with exclusive access to the value unless another thread has it; then returns nil at once.
    @inlinable
    public func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
        storage.withUnsafeMutablePointers { mutex, value in
            guard pthread_mutex_trylock(mutex) == 0 else { return nil }
            defer { pthread_mutex_unlock(mutex) }
            return body(&value.pointee)
        }
    }
}
