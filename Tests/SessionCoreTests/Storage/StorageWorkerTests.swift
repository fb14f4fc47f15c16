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
