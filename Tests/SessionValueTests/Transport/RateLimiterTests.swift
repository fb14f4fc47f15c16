import Testing

@testable import SessionCore

/// Who may move bytes, and how many there are in the long run.
@Suite("Rate limits")
struct RateLimiterTests {
    /// Transfers that always have more to move, and a clock that is set to the next moment at which something may happen.
    private struct Line {
        var limiter = RateLimiter()
        var moved: [TransferID: Int64] = [:]
        var now: Int64 = 0
        /// Bytes that a transfer moves in one step.
        let chunk: Int64

        init(_ rates: RateLimiter.Rates, chunk: Int64) {
            self.chunk = chunk
            limiter.set(rates, at: 0)
        }

        /// Lets a transfer move as long as it may.
        mutating func run(_ id: TransferID, host: String = "a", lane: Scheduler.Lane = .files) {
            while limiter.mayMove(id, host: host, lane: lane, at: now) {
                _ = limiter.moved(id, chunk)
                moved[id, default: 0] += chunk
            }
        }

        /// Lets all of them move until a moment.
        mutating func run(until end: Int64, _ assign: (TransferID) -> (String, Scheduler.Lane) = { _ in ("a", .files) })
        {
            while now <= end {
                while let id = limiter.next(at: now) {
                    let (host, lane) = assign(id)
                    run(id, host: host, lane: lane)
                }
                guard let next = limiter.nextMoment else { return }
                // Somebody waits, so time goes on.
                #expect(next >= now)
                now = max(next, now + 1)
            }
        }

        var total: Int64 { moved.values.reduce(0, +) }
    }

    private func ids(_ count: Int) -> [TransferID] { (0..<count).map { _ in .next() } }

    @Test(
        "In ten seconds there moves what the limit says, to three hundredths",
        arguments: [
            (1, 100_000, 1_460), (1, 1_000_000, 16_384), (3, 200_000, 1_024), (500, 10_000_000, 16_384),
            (64, 20_000_000, 32_768), (2, 1_000_000_000, 262_144),
        ] as [(Int, Int64, Int64)])
    func exact(count: Int, rate: Int64, chunk: Int64) {
        var line = Line(.init(all: rate), chunk: chunk)
        let ids = ids(count)
        for id in ids { line.run(id) }
        line.run(until: 10_000)
        let share = Double(line.total) / Double(rate * 10)
        #expect(abs(share - 1) < 0.03, "\(share)")
        let shares = ids.map { line.moved[$0] ?? 0 }
        #expect((shares.max() ?? 0) - (shares.min() ?? 0) <= 2 * max(chunk, 131_072), "\(shares)")
    }

    @Test("A limit for each server and for each transfer hold beside that of all")
    func together() {
        var line = Line(.init(all: 1_000_000, perHost: 600_000, perTask: 250_000), chunk: 1_000)
        let ids = ids(4)
        func assign(_ id: TransferID) -> (String, Scheduler.Lane) { (id == ids[3] ? "b" : "a", .files) }
        for id in ids { line.run(id, host: assign(id).0) }
        line.run(until: 10_000, assign)
        let perHost = ids.prefix(3).reduce(0) { $0 + (line.moved[$1] ?? 0) }
        #expect((5_800_000...6_200_000).contains(perHost), "\(perHost)")
        let alone = line.moved[ids[3]] ?? 0
        #expect((2_400_000...2_600_000).contains(alone), "\(alone)")
    }

    @Test("A request waits for one file at most, however many there are")
    func lanes() {
        var line = Line(.init(all: 1_000_000), chunk: 4_000)
        let files = ids(200)
        for id in files { line.run(id) }
        line.run(until: 2_000)
        let request = TransferID.next()
        line.run(request, lane: .requests)
        #expect(line.moved[request] == nil)
        var before = 0
        while let moment = line.limiter.nextMoment {
            line.now = max(line.now + 1, moment)
            let granted = line.limiter.next(at: line.now)
            if granted == request { break }
            if let granted { line.run(granted) }
            before += granted == nil ? 0 : 1
        }
        #expect(before <= 1, "\(before)")
    }

    @Test("What one leaves unused goes to the others, and what it has overdrawn is not forgiven")
    func leaving() {
        var line = Line(.init(all: 1_000), chunk: 1_024)
        let ids = ids(2)
        line.run(ids[0])
        line.run(until: 1)
        #expect(line.moved[ids[0]] == 1_024, "the first bytes were there")
        line.limiter.leave(ids[0])
        line.run(ids[1])
        var granted = [500, 1_100].map { line.limiter.next(at: $0) }
        #expect(granted == [nil, ids[1]])
        line.limiter.leave(ids[1])
        let third = TransferID.next()
        line.now = 1_101
        line.run(third)
        granted = [line.limiter.next(at: line.now)]
        #expect(granted == [third], "the portion came back")
    }

    @Test("A limit that is raised, lowered or taken away holds at once for those who wait")
    func changes() {
        var line = Line(.init(all: 1_000), chunk: 16_000)
        let ids = ids(3)
        for id in ids { line.run(id) }
        line.run(until: 10)
        let early = line.limiter.next(at: 11)
        #expect(early == nil)
        line.limiter.set(.init(all: 10_000_000), at: 20)
        line.now = 20
        line.run(until: 1_020)
        #expect((9_500_000...10_500_000).contains(line.total), "\(line.total)")
        line.limiter.set(.init(), at: 1_020)
        #expect(!line.limiter.isActive)
    }

    @Test("A transfer's own limit is in the place of that of each task")
    func own() {
        var line = Line(.init(perTask: 100_000), chunk: 1_000)
        let ids = ids(2)
        line.limiter.setOwn(500_000, of: ids[0], at: 0)
        for id in ids { line.run(id) }
        line.run(until: 10_000)
        #expect((4_850_000...5_150_000).contains(line.moved[ids[0]] ?? 0))
        #expect((970_000...1_030_000).contains(line.moved[ids[1]] ?? 0))
        line.limiter.forget(ids[0], at: line.now)
        line.limiter.set(.init(), at: line.now)
        #expect(!line.limiter.isActive)
    }

    @Test("What has no limit is not held back, and the end of a transfer with the only limit frees the others")
    func free() {
        var limiter = RateLimiter()
        let ids = ids(2)
        func mayMove(_ id: TransferID, at now: Int64) -> Bool {
            limiter.mayMove(id, host: "a", lane: .files, at: now)
        }
        #expect(mayMove(ids[0], at: 0))
        limiter.setOwn(1_000, of: ids[0], at: 0)
        #expect(!mayMove(ids[0], at: 0))
        #expect(!mayMove(ids[1], at: 0))
        limiter.forget(ids[0], at: 1)
        #expect(!limiter.isActive)
        #expect(mayMove(ids[1], at: 1))
        #expect(limiter.nextMoment == nil)
    }

    @Test("After a limit was lowered a transfer waits no longer for its next byte than it would have waited before")
    func lowered() {
        var bucket = TokenBucket(rate: 10_000_000, at: 0)
        bucket.take(131_072)
        let readiness = bucket.readiness
        #expect(bucket.changed(to: 1_000, at: 0).readiness <= readiness)
        #expect(bucket.changed(to: 1, at: 0).readiness <= readiness)
        var line = Line(.init(all: 100_000_000), chunk: 1_000)
        let id = ids(1)[0]
        line.run(id)
        let granted = line.limiter.next(at: 1)
        #expect(granted == id)
        line.limiter.set(.init(all: 1_000), at: 1)
        line.now = 1
        line.run(id)
        #expect(line.total <= 2_000, "what was granted under the higher limit is not moved under the lower one")
    }

    @Test("A direction in which a transfer has no limit of its own has the session's, unless it is to have none")
    func ownDirections() {
        let own: [RateLimit?] = [
            nil, RateLimit(), RateLimit(upload: 1_000_000), RateLimit(download: 1_000_000), .unlimited,
        ]
        let steps = own.map { own -> [Int] in
            var pace = Pace()
            pace.set(RateLimits(perTask: RateLimit(download: 4_000_000, upload: 8_000_000)), at: 0)
            let id = TransferID.next()
            pace.setOwn(own, of: id, at: 0)
            return Pace.Direction.allCases.map { pace.step($0, of: id) }
        }
        #expect(
            steps == [[10_000, 20_000], [10_000, 20_000], [10_000, 2_500], [2_500, 20_000], [131_072, 131_072]])
    }

    @Test("A bucket keeps a tenth of a second and pays every debt")
    func bucket() {
        var bucket = TokenBucket(rate: 1_000, at: 0)
        /// Whether there is something to give at each of some moments.
        func look(_ moments: Int64...) -> [Bool] { moments.map { bucket.hasSome(at: $0) } }
        #expect(look(0, 1, 60_000) == [false, true, true])
        bucket.take(101)
        #expect(look(60_000) == [false])
        #expect(bucket.readiness == 60_002)
        bucket.take(999)
        #expect(look(61_000, 61_001) == [false, true])
        bucket.take(1_000)
        #expect(bucket.changed(to: 1_000_000, at: 61_001).readiness == 61_002)
        // However far the clock leaps, what is kept is a tenth of a second, and a leap back gives nothing.
        for moment in [5_000_000_000, 61_002, -1, .max / 2] as [Int64] {
            _ = look(moment)
            bucket.take(101)
            #expect(look(moment) == [false])
            bucket.take(-1)
        }
    }
}
