import Testing

@testable import SessionCore

/// When an attempt is slower than it may be.
@Suite("Speed watch")
struct SpeedWatchTests {
    /// Looks at counts a second apart, and tells the second in which it was too slow.
    private func verdict(_ counts: [Int64], least: Int64 = 100, seconds: Double = 4) -> Int? {
        var watch = SpeedWatch(least: least, over: Int64(seconds * 1000))
        return counts.indices.first { watch.isTooSlow(moved: counts[$0], mayMove: true, now: Int64($0) * 1000) }
    }

    @Test("A byte from time to time is too slow once the time is over, and not before")
    func trickle() {
        #expect(verdict([0, 1, 2, 3, 4]) == 4)
        #expect(verdict([0, 1, 2, 3]) == nil)
    }

    @Test("The speed that is asked for is enough, a byte less is not")
    func border() {
        #expect(verdict((0...20).map { $0 * 100 }) == nil)
        #expect(verdict([0, 100, 200, 300, 399]) == 4)
    }

    @Test("A burst helps for as long as the window looks back at it, and hides nothing that follows")
    func burst() {
        #expect(verdict([0, 10_000, 10_000, 10_000, 10_000, 10_000]) == 5)
        #expect(verdict([0, 0, 0, 400, 400, 400, 400, 400]) == 7)
    }

    @Test("A pause does not count, and the window begins anew behind it")
    func pause() {
        var watch = SpeedWatch(least: 100, over: 4_000)
        for second in 0..<3 { #expect(watch.isTooSlow(moved: 0, mayMove: true, now: Int64(second) * 1000) == false) }
        for second in 3..<60 { #expect(watch.isTooSlow(moved: 0, mayMove: false, now: Int64(second) * 1000) == false) }
        for second in 60..<64 { #expect(watch.isTooSlow(moved: 0, mayMove: true, now: Int64(second) * 1000) == false) }
        #expect(watch.isTooSlow(moved: 0, mayMove: true, now: 64_000) == true)
    }

    @Test("A speed beyond all numbers is never reached")
    func beyond() {
        #expect(verdict([0, 1, 2, 3, .max], least: .max) == 4)
    }

    @Test("The stall watch looks often enough for it, and tells that the attempt was too slow")
    func stallWatch() {
        var watch = StallWatch(limitMilliseconds: 80_000, now: 0)
        watch.speed = SpeedWatch(least: 100, over: 8_000)
        #expect(watch.interval == 1000)
        for second in 0..<8 {
            let moved = Int64(second)
            #expect(
                watch.look(moved: moved, turn: .peer, now: moved * 1000) == .checkAgain(afterMilliseconds: 1000))
        }
        #expect(!watch.wasTooSlow)
        #expect(watch.look(moved: 8, turn: .peer, now: 8000) == .stalled)
        #expect(watch.wasTooSlow)
    }

    @Test("Attempts that take each other's place more often than a check is due are judged as one")
    func changes() {
        var speed = SpeedWatch(least: 100, over: 8_000)
        var (due, judged) = (Int64.max, 0)
        for now in stride(from: Int64(0), through: 20_000, by: 200) {
            if now >= due {
                judged += speed.isTooSlow(moved: now / 100, mayMove: true, now: now) ? 1 : 0
            }
            // Another attempt becomes the lead.
            var watch = StallWatch(limitMilliseconds: 80_000, now: now)
            #expect(now == 0 || speed.goesOn(now: now))
            watch.speed = speed
            watch.speed?.begin(moved: now / 100, now: now)
            due = now + watch.firstCheck(isAnswered: true, now: now)
            speed = watch.speed ?? speed
        }
        #expect(judged > 0)
    }

    @Test("An attempt that has not been answered is not judged at once, by what the one before it has moved")
    func unanswered() {
        var watch = StallWatch(limitMilliseconds: 80_000, now: 5_000)
        watch.speed = SpeedWatch(least: 100, over: 8_000)
        watch.speed?.begin(moved: 0, now: 0)
        #expect(watch.firstCheck(isAnswered: true, now: 5_000) == 1)
        #expect(watch.firstCheck(isAnswered: false, now: 5_000) == 1_000)
    }
}
