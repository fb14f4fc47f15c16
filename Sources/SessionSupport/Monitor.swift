import CLinux
import Glibc

/// A value under a lock on whose changes threads can wait.
///
/// ``Locked`` with a condition variable: for threads that may block. The transfer loop never waits on one.
package final class Monitor<Value>: Sendable {
    // All three are reached only while `mutex` is held, or by pthread calls that are made for sharing them.
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
        // The monotonic clock, so that setting the time of day neither ends nor stretches a wait.
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

    /// Runs `body` with the value, which it leaves as it is or changes without anybody waiting for that change.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Changes the value and wakes everybody who waits.
    package func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { pthread_cond_broadcast(condition) }
        return try withLock(body)
    }

    /// Changes the value and wakes one of those who wait: where everybody waits for the same thing and one can have it.
    package func changeForOne<Result>(_ body: (inout Value) -> Result) -> Result {
        defer { pthread_cond_signal(condition) }
        return withLock(body)
    }

    /// Waits until `body`, called under the lock now and after each change, returns something.
    package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            let result = pthread_cond_wait(condition, mutex)
            precondition(result == 0, "waiting on a lock failed with \(result)")
        }
    }

    /// Waits until `isMet` holds, looked at under the lock now and after each change.
    ///
    /// - Returns: False when the time, in milliseconds, was over first. A nil timeout waits for ever.
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
