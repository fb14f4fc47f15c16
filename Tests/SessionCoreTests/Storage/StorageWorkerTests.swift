import FuzzTestSupport
import Glibc
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Storage threads", .timeLimit(.minutes(1)))
struct StorageWorkerTests {
    @Test("Jobs of one transfer run in order and never together; all have run when it stops")
    func order() throws {
        struct Record {
            var order: [TransferID: [Int]] = [:]
            var running: Set<TransferID> = []
            var overlaps = 0
        }
        let worker = try StorageWorker(threadCount: 4)
        let record = Locked(Record())
        let keys = (1...8).map { TransferID(rawValue: UInt64($0)) }
        for index in 0..<500 {
            for key in keys {
                worker.submit(key: key) {
                    record.withLock { if !$0.running.insert(key).inserted { $0.overlaps += 1 } }
                    sched_yield()
                    record.withLock {
                        $0.running.remove(key)
                        $0.order[key, default: []].append(index)
                    }
                }
            }
        }
        worker.stop()
        let result = record.withLock { $0 }
        #expect(result.overlaps == 0)
        #expect(result.order.count == keys.count)
        for order in result.order.values { #expect(order == Array(0..<500)) }
        #expect(!worker.submit {})
    }

    @Test("Transfers do not wait for each other")
    func independence() throws {
        let worker = try StorageWorker(threadCount: 2)
        let gate = Monitor(false)
        worker.submit(key: TransferID(rawValue: 1)) { gate.wait { $0 ? () : nil } }
        // Would never return if the second transfer waited for the first.
        worker.submit(key: TransferID(rawValue: 2)) { gate.change { $0 = true } }
        worker.stop()
    }

    @Test("A queue gives back what it got, in order, however it is used")
    func fifo() {
        var queue = FIFO<Int>()
        var generator = SeededGenerator(seed: 1)
        var next = 0
        var expected = 0
        for _ in 0..<10_000 {
            if generator.next(upperBound: UInt64(100)) < 51 {
                queue.append(next)
                next += 1
            } else if let value = queue.popFirst() {
                #expect(value == expected)
                expected += 1
            } else {
                #expect(expected == next)
            }
        }
        #expect(queue.isEmpty == (expected == next))
    }

    @Test("Callers that arrive while a sync runs share the next one, which begins after they asked")
    func groupedSyncs() throws {
        let worker = try StorageWorker(threadCount: 16)
        let sync = FolderSync()
        let rounds = Locked(0)
        let finished = Locked(0)
        for _ in 0..<16 {
            worker.submit {
                try? sync.join {
                    // The first sync goes on until all others have asked; they came too late for it.
                    while sync.requestCount < 16 { sched_yield() }
                    rounds.withLock { $0 += 1 }
                    return nil
                }
                finished.withLock { $0 += 1 }
            }
        }
        worker.stop()
        #expect(finished.withLock { $0 } == 16)
        #expect(rounds.withLock { $0 } == 2)
    }

    /// What callers hear that share the second of several syncs, of which some fail.
    private func verdicts(failing: ClosedRange<Int>, asksAgain: Bool) throws -> (failed: Int, rounds: Int) {
        let worker = try StorageWorker(threadCount: 9)
        let sync = FolderSync()
        let (rounds, failed) = (Locked(0), Locked(0))
        for _ in 0..<9 {
            worker.submit {
                do throws(SessionError) {
                    try sync.join(asksAgain: asksAgain) {
                        while sync.requestCount < 9 { sched_yield() }
                        let round = rounds.withLock {
                            $0 += 1; return $0
                        }
                        return failing.contains(round) ? SessionError(.storage, "broken", errno: EIO) : nil
                    }
                } catch {
                    failed.withLock { $0 += 1 }
                }
            }
        }
        worker.stop()
        return (failed.withLock { $0 }, rounds.withLock { $0 })
    }

    @Test("An error of a shared sync is that of the caller who met it, unless it lasts or may hide what was lost")
    func sharedFailure() throws {
        // The first caller syncs alone, and the other eight share the second sync.
        #expect(try verdicts(failing: 2...2, asksAgain: true).failed == 1)
        #expect(try verdicts(failing: 2...99, asksAgain: true).failed == 8)
        #expect(try verdicts(failing: 2...2, asksAgain: false) == (8, 2))
        #expect(try verdicts(failing: 1...1, asksAgain: true) == (1, 2))
    }

    @Test("A sync that failed is reported, and the next one starts afresh")
    func failingSync() throws {
        let sync = FolderSync()
        let error = #expect(throws: SessionError.self) {
            try sync.join { SessionError(.storage, "broken") }
        }
        #expect(error?.message == "broken")
        #expect(throws: Never.self) { try sync.join { nil } }
    }
}
