import Glibc

/// A value under a lock on whose changes threads can wait.
///
/// ``Locked`` with a condition variable: for the storage threads, which may block. The transfer loop never waits on one.
final class Monitor<Value>: Sendable {
    // All three are reached only while `mutex` is held, or by pthread calls that are made for sharing them.
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    nonisolated(unsafe) private let condition: UnsafeMutablePointer<pthread_cond_t>
    nonisolated(unsafe) private var value: Value

    init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        let results = (pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil))
        precondition(results == (0, 0), "creating a lock and its condition failed with \(results)")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Changes the value and wakes everybody who waits.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        let result = body(&value)
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
        return result
    }

    /// Changes the value and wakes one of those who wait: where everybody waits for the same thing and one can have it.
    func changeForOne<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        let result = body(&value)
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(condition)
        return result
    }

    /// Waits until `body`, called under the lock now and after each change, returns something.
    func wait<Result>(until body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}
