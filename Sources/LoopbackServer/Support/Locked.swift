import CLinux
import Glibc

/// A value that can only be reached while its lock is held, and whose changes other threads can wait for.
///
/// It stands on a pthread mutex and condition variable, which ThreadSanitizer understands; it does not understand
/// `Synchronization.Mutex`. Decide inside ``withLock(_:)`` and act after it.
final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        // The monotonic clock, so that setting the time of day neither ends nor stretches a wait.
        let results = [
            pthread_mutex_init(mutex, nil),
            pthread_condattr_init(&attributes),
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC),
            pthread_cond_init(changed, &attributes),
            pthread_condattr_destroy(&attributes),
        ]
        precondition(results.allSatisfy { $0 == 0 }, "setting up a lock failed with \(results)")
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deinitialize(count: 1)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with the value while no other thread can reach it.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Like ``withLock(_:)``, and then lets every waiting thread look at the value again.
    func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Waits until `condition` holds.
    ///
    /// False when the time was over first; a nil timeout waits for ever.
    func wait(timeoutMilliseconds: Int64?, until condition: (Value) -> Bool) -> Bool {
        var deadline = timespec()
        if let timeoutMilliseconds {
            let nanoseconds = cl_monotonic_nanoseconds() + max(0, timeoutMilliseconds) * 1_000_000
            deadline = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !condition(value) {
            let result =
                timeoutMilliseconds == nil
                ? pthread_cond_wait(changed, mutex) : pthread_cond_timedwait(changed, mutex, &deadline)
            if result == ETIMEDOUT { return condition(value) }
            precondition(result == 0, "waiting on a lock failed with \(result)")
        }
        return true
    }
}
