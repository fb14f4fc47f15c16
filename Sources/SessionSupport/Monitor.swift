import CLinux
import Glibc

/// A value under a lock whose changes threads can wait for.
///
/// ``Locked`` with a condition variable: for threads that may block. The transfer loop never waits on one.
package final class Monitor<Value>: Sendable {
    // All three are accessed only under `mutex`, or by pthread calls made for sharing them.
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    nonisolated(unsafe) private let condition: UnsafeMutablePointer<pthread_cond_t>
    nonisolated(unsafe) private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        // The monotonic clock keeps a change of the time of day from ending or extending a wait.
        let results = [
            pthread_mutex_init(mutex, nil),
            pthread_condattr_init(&attributes),
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC),
            pthread_cond_init(condition, &attributes),
            pthread_condattr_destroy(&attributes),
        ]
        precondition(results.allSatisfy { $0 == 0 }, "creating a lock and its condition failed with \(results)")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value, without waking waiting threads.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Changes the value and wakes all waiting threads.
    package func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { pthread_cond_broadcast(condition) }
        return try withLock(body)
    }

    /// Changes the value and wakes one waiting thread: for threads that wait for the same event, which only one can
    /// handle.
    package func changeForOne<Result>(_ body: (inout Value) -> Result) -> Result {
        defer { pthread_cond_signal(condition) }
        return withLock(body)
    }

    /// Waits until `body`, called under the lock now and after each change, returns a value.
    package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            let result = pthread_cond_wait(condition, mutex)
            precondition(result == 0, "waiting on a lock failed with \(result)")
        }
    }

    /// Waits until `isMet` holds, called under the lock now and after each change.
    ///
    /// - Returns: false on a timeout, in milliseconds. A nil timeout waits for ever.
    @discardableResult
    package func wait(timeoutMilliseconds: Int64?, until isMet: (Value) -> Bool) -> Bool {
        guard let timeoutMilliseconds else { return wait { isMet($0) ? true : nil } }
        let nanoseconds = cl_monotonic_nanoseconds() + max(0, timeoutMilliseconds) * 1_000_000
        var deadline = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isMet(value) {
            let result = pthread_cond_timedwait(condition, mutex, &deadline)
            if result == ETIMEDOUT { return isMet(value) }
            precondition(result == 0, "waiting on a lock failed with \(result)")
        }
        return true
    }
}
