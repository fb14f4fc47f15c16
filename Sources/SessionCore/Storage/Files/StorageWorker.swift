import CLinux
import Glibc
import SessionSupport

/// A few threads for blocking work: opening, writing, syncing, renaming.
///
/// Jobs of one key run one after another in the order they were submitted, on any of the threads; jobs of different
/// keys run concurrently. Safe from any thread; submitting never blocks.
final class StorageWorker: Sendable {
    typealias Job = @Sendable () -> Void

    private enum Key: Hashable {
        case transfer(TransferID)
        case single(UInt64)
    }

    private struct State {
        /// Pending jobs; a key is present from its first job until its last has returned.
        var jobs: [Key: FIFO<Job>] = [:]
        /// Keys with a job that may start, each at most once.
        var ready = FIFO<Key>()
        var singles: UInt64 = 0
        var isStopping = false
        var liveThreads = 0
    }

    private let monitor = Monitor(State())

    /// Starts the threads.
    ///
    /// Throws when not even one could be started.
    init(threadCount: Int = 4, name: String = "storage") throws(SessionError) {
        var refusal: SessionError?
        for index in 0..<max(threadCount, 1) {
            monitor.change { $0.liveThreads += 1 }
            do throws(SessionError) {
                try SystemThread.startDetached(name: "\(name)-\(index)") { [monitor] in
                    Self.run(monitor)
                    monitor.change { $0.liveThreads -= 1 }
                }
            } catch {
                monitor.change { $0.liveThreads -= 1 }
                refusal = error
            }
        }
        if let refusal, monitor.withLock({ $0.liveThreads }) == 0 { throw refusal }
    }

    /// Keys with a job that no thread has started.
    var waitingCount: Int { monitor.withLock(\.ready.count) }

    /// Queues a transfer's job after its earlier ones, or one that belongs to no transfer.
    /// - Returns: false when the worker was stopped: the job will never run.
    @discardableResult
    func submit(key: TransferID? = nil, _ job: @escaping Job) -> Bool {
        monitor.changeForOne { state in
            guard !state.isStopping else { return false }
            state.singles += 1
            let key = key.map(Key.transfer) ?? .single(state.singles)
            if state.jobs[key] == nil {
                state.jobs[key] = FIFO()
                state.ready.append(key)
            }
            state.jobs[key]?.append(job)
            return true
        }
    }

    /// Refuses further jobs, and returns when all queued ones have run and the threads have ended.
    ///
    /// Must not be called from a job, which would wait for itself.
    func stop() {
        monitor.change { $0.isStopping = true }
        monitor.wait { $0.liveThreads == 0 ? () : nil }
    }

    /// Runs jobs until none is left and the worker was stopped.
    ///
    /// A thread returns its key and takes the next job under one lock. A returned key needs no wake-up: every key that
    /// became ready woke a thread, and each thread checks for work before it waits.
    private static func run(_ monitor: Monitor<State>) {
        var finished: Key?
        while true {
            let next = monitor.wait { state -> (key: Key, job: Job)?? in
                if let key = finished { release(key, &state) }
                finished = nil
                guard let key = state.ready.popFirst(), let job = state.jobs[key]?.popFirst() else {
                    // A busy key is returned to `ready` by its own thread, which then checks for work.
                    return state.isStopping ? .some(nil) : nil
                }
                return (key, job)
            }
            guard let next else { return }
            next.job()
            finished = next.key
        }
    }

    private static func release(_ key: Key, _ state: inout State) {
        if state.jobs[key]?.isEmpty ?? true {
            state.jobs[key] = nil
        } else {
            state.ready.append(key)
        }
    }
}
