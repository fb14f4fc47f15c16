import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Scheduler")
struct SchedulerTests {
    private func identifiers(_ count: Int) -> [TransferID] { (1...count).map { TransferID(rawValue: UInt64($0)) } }

    @Test("hands out slots in the order of joining")
    func order() {
        var scheduler = Scheduler(limit: 2, limitPerHost: 2)
        let ids = identifiers(3)
        for id in ids { scheduler.join(id, host: "a") }
        #expect(scheduler.next() == ids[0])
        #expect(scheduler.next() == ids[1])
        #expect(scheduler.next() == nil)
        scheduler.release(host: "a")
        #expect(scheduler.next() == ids[2])
    }

    @Test("keeps files waiting where no further one may begin, and requests do not wait with them")
    func keepsFiles() {
        var scheduler = Scheduler(limit: 9, limitPerHost: 9)
        let ids = identifiers(2)
        scheduler.join(ids[0], host: "a")
        scheduler.join(ids[1], host: "a", lane: .requests)
        #expect(scheduler.next(takesFiles: false) == ids[1])
        #expect(scheduler.next(takesFiles: false) == nil)
        #expect(scheduler.next() == ids[0])
    }

    @Test("lets requests and files not wait for each other, in all and at one host", arguments: [true, false])
    func lanes(isFull: Bool) {
        var scheduler = isFull ? Scheduler(limit: 1, limitPerHost: 9) : Scheduler(limit: 9, limitPerHost: 1)
        let ids = identifiers(6)
        for id in ids[0..<2] { scheduler.join(id, host: "a") }
        #expect(scheduler.next() == ids[0])
        #expect(scheduler.next() == nil)
        for id in ids[2..<4] { scheduler.join(id, host: "a", lane: .requests) }
        #expect(scheduler.next() == ids[2])
        #expect(scheduler.next() == nil)
        #expect(scheduler.running == 2)
        #expect(scheduler.waitingCount == 2)
        scheduler.release(host: "a", lane: .requests)
        #expect(scheduler.next() == ids[3])
        scheduler.release(host: "a")
        #expect(scheduler.next() == ids[1])
        scheduler.join(ids[4], host: "a", lane: .requests)
        scheduler.join(ids[5], host: "a", lane: .requests)
        scheduler.move(ids[5], priority: 1)
        scheduler.release(host: "a", lane: .requests)
        #expect(scheduler.next() == ids[5])
        scheduler.hasten(ids[4])
        #expect(scheduler.next() == ids[4])
        scheduler.release(host: "a")
        for _ in 0..<2 { scheduler.release(host: "a", lane: .requests) }
        #expect(scheduler.running == 0)
    }

    @Test("lets those wait who go one way to a host, while all ways share its slots")
    func routes() {
        var scheduler = Scheduler(limit: 9, limitPerHost: 2)
        let ids = identifiers(6)
        let (direct, proxied) = ("http://a:80", "http://a:80 http://proxy:3128")
        for id in ids[0..<2] { scheduler.join(id, host: proxied) }
        for id in ids[2..<5] { scheduler.join(id, host: direct) }
        scheduler.setAccess(proxied, .none)
        #expect([scheduler.next(), scheduler.next(), scheduler.next()] == [ids[2], ids[3], nil])
        #expect(scheduler.room(for: direct) == 0 && scheduler.room(for: proxied) == 0)
        scheduler.setAccess(proxied, .all)
        #expect(scheduler.next() == nil)
        scheduler.release(host: direct)
        #expect([scheduler.next(), scheduler.next()] == [ids[0], nil])
        #expect(scheduler.running(at: proxied) == 1 && scheduler.running(at: direct) == 1)
        for host in [direct, proxied] { scheduler.release(host: host) }
        #expect([scheduler.next(), scheduler.next()] == [ids[1], ids[4]])
        scheduler.leave(ids[5])
        for host in [proxied, direct] { scheduler.release(host: host) }
        #expect(scheduler.running == 0 && scheduler.room(for: proxied) == 2)
    }

    @Test("changes the limits of both lanes, and drops from both what leaves")
    func limitsOfLanes() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        let ids = identifiers(4)
        for id in ids[0..<2] { scheduler.join(id, host: "a", lane: .requests) }
        for id in ids[2..<4] { scheduler.join(id, host: "a") }
        #expect([scheduler.next(), scheduler.next(), scheduler.next()] == [ids[0], ids[2], nil])
        scheduler.setLimits(2, perHost: 2)
        scheduler.leave(ids[1])
        #expect([scheduler.next(), scheduler.next()] == [ids[3], nil])
        #expect(scheduler.waitingCount == 0)
    }

    @Test("does not let a full host hold up another")
    func fullHost() {
        var scheduler = Scheduler(limit: 10, limitPerHost: 1)
        let ids = identifiers(3)
        scheduler.join(ids[0], host: "a")
        scheduler.join(ids[1], host: "a")
        scheduler.join(ids[2], host: "b")
        #expect(scheduler.next() == ids[0])
        #expect(scheduler.next() == ids[2])
        #expect(scheduler.next() == nil)
    }

    @Test("gives each host its own slot back, in whatever order hosts are asked for, come and go")
    func slotsOfHosts() {
        var scheduler = Scheduler(limit: 10, limitPerHost: 1)
        let ids = identifiers(6)
        for (id, host) in zip(ids, ["a", "b", "a", "b", "c", "a"]) { scheduler.join(id, host: host) }
        #expect([scheduler.next(), scheduler.next(), scheduler.next()] == [ids[0], ids[1], ids[4]])
        scheduler.release(host: "c")
        #expect(scheduler.next() == nil)
        scheduler.release(host: "b")
        #expect(scheduler.next() == ids[3])
        scheduler.release(host: "a")
        #expect(scheduler.next() == ids[2])
        scheduler.release(host: "b")
        #expect(scheduler.next() == nil)
        scheduler.release(host: "a")
        #expect(scheduler.next() == ids[5])
        scheduler.release(host: "a")
        #expect(scheduler.running == 0)
    }

    @Test("puts higher priorities first and keeps order within one")
    func priorities() {
        var scheduler = Scheduler(limit: 10, limitPerHost: 10)
        let ids = identifiers(4)
        scheduler.join(ids[0], host: "a", priority: 0.5)
        scheduler.join(ids[1], host: "a", priority: 1)
        scheduler.join(ids[2], host: "b", priority: 1)
        scheduler.join(ids[3], host: "a", priority: 0.5)
        #expect((0..<4).map { _ in scheduler.next() } == [ids[1], ids[2], ids[0], ids[3]])
    }

    @Test("forgets those that leave, wherever they stand")
    func leaving() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        let ids = identifiers(3)
        for id in ids { scheduler.join(id, host: "a") }
        scheduler.leave(ids[0])
        scheduler.leave(ids[1])
        #expect(scheduler.waitingCount == 1)
        #expect(scheduler.next() == ids[2])
    }

    @Test("lets a transfer that left join again at the end")
    func rejoining() {
        var scheduler = Scheduler(limit: 3, limitPerHost: 3)
        let ids = identifiers(2)
        scheduler.join(ids[0], host: "a")
        scheduler.join(ids[1], host: "a")
        scheduler.leave(ids[0])
        scheduler.join(ids[0], host: "a")
        #expect(scheduler.next() == ids[1])
        #expect(scheduler.next() == ids[0])
        #expect(scheduler.next() == nil)
    }

    @Test("stays within its limits whatever happens", arguments: 0..<20)
    func limits(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var scheduler = Scheduler(limit: 5, limitPerHost: 2)
        var hostOf: [TransferID: String] = [:]
        var running: [TransferID] = []
        for step in 0..<2_000 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                let id = TransferID(rawValue: UInt64(step + 1))
                hostOf[id] = "host\(Int.random(in: 0..<4, using: &generator))"
                scheduler.join(id, host: hostOf[id] ?? "", priority: Float.random(in: 0...1, using: &generator))
            case 1:
                if let id = hostOf.keys.sorted().randomElement(using: &generator), !running.contains(id) {
                    scheduler.leave(id)
                    hostOf[id] = nil
                }
            case 2:
                if let id = scheduler.next() { running.append(id) }
            default:
                if let id = running.popLast() {
                    scheduler.release(host: hostOf[id] ?? "")
                    hostOf[id] = nil
                }
            }
            #expect(running.count <= 5 && scheduler.running == running.count)
            let perHost = Dictionary(grouping: running) { hostOf[$0] ?? "" }
            #expect(perHost.values.allSatisfy { $0.count <= 2 })
        }
    }

    @Test("moves a waiting transfer to another priority at once")
    func movingPriority() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        let ids = identifiers(4)
        for id in ids { scheduler.join(id, host: "a") }
        scheduler.move(ids[2], priority: 1)
        scheduler.move(ids[0], priority: 0)
        var order: [TransferID] = []
        while let id = scheduler.next() {
            order.append(id)
            scheduler.release(host: "a")
        }
        #expect(order == [ids[2], ids[1], ids[3], ids[0]])
    }

    @Test("lets transfers that name a place stand there, across hosts and after leaving")
    func places() {
        var scheduler = Scheduler(limit: 10, limitPerHost: 10)
        let ids = identifiers(3)
        scheduler.join(ids[0], host: "a", position: 30)
        scheduler.join(ids[1], host: "b", position: 20)
        scheduler.join(ids[2], host: "a", position: 10)
        scheduler.leave(ids[2])
        scheduler.join(ids[2], host: "a", position: 25)
        scheduler.move(ids[0], priority: 0.5, position: 22)
        #expect((0..<4).map { _ in scheduler.next() } == [ids[1], ids[0], ids[2], nil])
        #expect(scheduler.waitingCount == 0)
    }

    @Test("does not move a transfer that has its slot")
    func movingRunning() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        let ids = identifiers(2)
        for id in ids { scheduler.join(id, host: "a") }
        #expect(scheduler.next() == ids[0])
        scheduler.move(ids[0], priority: 1)
        scheduler.release(host: "a")
        #expect(scheduler.next() == ids[1])
        #expect(scheduler.next() == nil)
    }

    @Test("lets more run at once where there are more slots, and none that runs stop where there are fewer")
    func changedLimits() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        let ids = identifiers(5)
        for id in ids { scheduler.join(id, host: "a") }
        #expect([scheduler.next(), scheduler.next()] == [ids[0], nil])
        scheduler.setLimits(3, perHost: 2)
        #expect([scheduler.next(), scheduler.next()] == [ids[1], nil])
        scheduler.setLimits(3, perHost: 3)
        #expect([scheduler.next(), scheduler.next()] == [ids[2], nil])
        scheduler.setLimits(1, perHost: 9)
        #expect(scheduler.running == 3)
        for _ in 1...2 {
            scheduler.release(host: "a")
            #expect(scheduler.next() == nil)
        }
        scheduler.release(host: "a")
        #expect([scheduler.next(), scheduler.next()] == [ids[3], nil])
        scheduler.setLimits(0, perHost: 0)
        scheduler.release(host: "a")
        scheduler.hasten(ids[4])
        #expect(scheduler.next() == nil, "none begins with a limit of zero")
        scheduler.setLimits(1, perHost: 0)
        #expect(scheduler.next() == ids[4])
    }

    @Test("gives one that is hastened a slot beyond the limits, once, and counts it")
    func hastened() {
        var scheduler = Scheduler(limit: 1, limitPerHost: 1)
        let ids = identifiers(4)
        for id in ids { scheduler.join(id, host: "a") }
        #expect(scheduler.next() == ids[0])
        scheduler.hasten(ids[2])
        scheduler.hasten(ids[2])
        #expect([scheduler.next(), scheduler.next()] == [ids[2], nil])
        #expect(scheduler.running == 2)
        scheduler.release(host: "a")
        #expect(scheduler.next() == nil)
        scheduler.release(host: "a")
        #expect([scheduler.next(), scheduler.next()] == [ids[1], nil])
        // One that has left, or never joined, gets nothing.
        scheduler.hasten(ids[3])
        scheduler.leave(ids[3])
        scheduler.hasten(TransferID(rawValue: 99))
        #expect(scheduler.next() == nil)
        #expect(scheduler.waitingCount == 0)
    }

    @Test("No more run than there are descriptors for, in both lanes and whatever is hastened")
    func ceiling() {
        var scheduler = Scheduler(limit: 9, limitPerHost: 9, ceiling: 2)
        let ids = (0..<4).map { _ in TransferID.next() }
        scheduler.join(ids[0], host: "a")
        scheduler.join(ids[1], host: "a", lane: .requests)
        scheduler.join(ids[2], host: "b")
        scheduler.join(ids[3], host: "b")
        scheduler.hasten(ids[3])
        #expect(scheduler.next() == ids[1])
        #expect(scheduler.next() == ids[3])
        #expect(scheduler.next() == nil)
        scheduler.release(host: "a", lane: .requests)
        #expect(scheduler.next() == ids[0])
    }

    @Test(
        "Where many run, slow downloads gather bytes for a shorter time",
        arguments: [(1, 1_000), (64, 1_000), (65, 250)])
    func bufferAge(running: Int, milliseconds: Int64) {
        #expect(BufferSizes(running: running).age == milliseconds)
    }

    @Test(
        "What downloads gather takes no more than 16 MiB in all, however many run",
        arguments: [(1, 256), (64, 256), (65, 64), (129, 16), (512, 16), (513, 0)])
    func gatheredBytes(running: Int, kibibytes: Int) {
        #expect(BufferSizes(running: running).gathered == kibibytes << 10)
        #expect(running * kibibytes <= 16 << 10)
    }

    @Test(
        "The first ones of a crowd that is allowed get no buffers for a few",
        arguments: [(1, 16, 262_144), (1, 512, 262_144), (1, 1_000, 32_768), (900, 1_000, 16_383)])
    func firstOfCrowd(running: Int, allowed: Int, bytes: Int) {
        #expect(BufferSizes(running: running, allowed: allowed).received == bytes)
    }

    @Test(
        "Descriptors are enough for so many transfers, at least one",
        arguments: [(64, 22, 6), (64, 60, 1), (16, 30, 1), (1_024, 20, 198), (Int(Int32.max), 0, 429_496_727)])
    func budget(limit: Int, open: Int, transfers: Int) {
        #expect(DescriptorBudget.transfers(limit: limit, open: open) == transfers)
        #expect(DescriptorBudget.current > 0)
    }
}
