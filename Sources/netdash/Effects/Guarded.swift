import Glibc

/// A value that several threads reach, one at a time.
///
/// Decide inside ``withLock(_:)`` and act after it: no callback belongs inside.
final class Guarded<Value: ~Copyable>: Sendable {
    /// On the heap because a mutex must not move while somebody waits for it; half the cost of an `NSLock`.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Guarded by `mutex`, which excludes what the runtime would look for at every access.
    @exclusivity(unchecked) nonisolated(unsafe) private var value: Value

    init(_ value: consuming sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init failed with \(result)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with the value while no other thread can reach it.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
