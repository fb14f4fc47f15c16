import Testing

@testable import TransferService
@testable import netdash

@Suite("Downloads that wait for room")
struct SpaceWatchTests {
    /// The watch after downloads of one folder were ended at moment zero, by the bytes that each lacks.
    private func watch(_ missing: [UInt64: Int64?]) -> SpaceWatch {
        var watch = SpaceWatch()
        for (id, bytes) in missing.sorted(by: { $0.key < $1.key }) {
            _ = watch.add(id, folder: "/a", missing: bytes, at: 0)
        }
        return watch
    }

    @Test(
        "What is free goes to those that were ended first, and to each only once",
        arguments: [
            (free: 49, released: []), (free: 99, released: [3]), (free: 100, released: [1]), (free: 149, released: [1]),
            (free: 150, released: [1, 3]), (free: 400, released: [1, 2]), (free: 450, released: [1, 2, 3]),
        ] as [(free: Int64, released: [UInt64])])
    func order(_ row: (free: Int64, released: [UInt64])) {
        var watch = watch([1: 100, 2: 300, 3: 50])
        let released = watch.release(free: ["/a": row.free], at: SpaceWatch.interval)
        let later = watch.release(free: ["/a": 0], at: SpaceWatch.interval)
        #expect(released == row.released && later.isEmpty)
    }

    @Test("A folder of which nothing is known releases nothing, and one without a length asks for a little")
    func unknown() {
        var watch = watch([1: nil])
        let released = [[:], ["/a": SpaceWatch.unknownLength - 1], ["/a": SpaceWatch.unknownLength]].map {
            watch.release(free: $0, at: SpaceWatch.interval)
        }
        #expect(released == [[], [], [1]])
    }

    @Test(
        "A disk that refuses what it seems to have room for is asked more and more rarely, until something was written")
    func patience() {
        var watch = SpaceWatch()
        var now: Int64 = 0
        var pauses: [Int64] = []
        for missing in [100, 100, 100, 100, 100, 100, 100, 100, 90, 90] as [Int64] {
            _ = watch.add(1, folder: "/a", missing: missing, at: now)
            let began = now
            while watch.release(free: ["/a": 1_000], at: now).isEmpty { now += SpaceWatch.interval }
            pauses.append((now - began) / SpaceWatch.interval)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 32, 32, 1, 2])
    }

    @Test("A download that was forgotten is not released, and begins anew when it comes back")
    func forgotten() {
        var watch = watch([1: 100, 2: 100])
        watch.forget(1)
        watch.forget(7)
        #expect(watch.folders == ["/a"])
        let released = watch.release(free: ["/a": 1_000], at: SpaceWatch.interval)
        #expect(released == [2])
        #expect(watch.folders.isEmpty)
    }

    @Test("One look is planned at a time, and none while nothing waits")
    func plans() {
        var watch = SpaceWatch()
        var plans = [watch.plans()]
        _ = watch.add(1, folder: "/a", missing: 1, at: 0)
        plans += [watch.plans(), watch.plans()]
        watch.begin()
        plans.append(watch.plans())
        #expect(plans == [false, true, false, true])
    }
}
