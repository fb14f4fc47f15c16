import Testing

@testable import Dashboard

@Suite("Speeds")
struct ModelRateTests {
    @Test("A steady flow is shown at its speed, whatever the ticks are")
    func steadyFlow() {
        var meter = RateMeter(bytes: 0, now: 0)
        var now: Int64 = 0
        for span in [500, 700, 500, 1500, 510] as [Int64] {
            now += span
            meter.sample(bytes: now * 10, now: now)
        }
        #expect(abs(meter.shown - 10_000) < 1)
        #expect(abs(meter.steady - 10_000) < 1)
    }

    @Test("A burst at the beginning counts for as long as it was", arguments: [100, 230, 500] as [Int64])
    func firstBurst(span: Int64) {
        var meter = RateMeter(bytes: 0, now: 0)
        // A second's worth comes at once, and then what the server gives.
        func bytes(at now: Int64) -> Int64 { 1_000_000 + now * 1_000 }
        for step in 0...8 {
            let now = span + Int64(step) * 500
            meter.sample(bytes: bytes(at: now), now: now)
            guard step >= 2 else { continue }
            #expect(meter.shown < 1.25 * Double(bytes(at: now)) * 1000 / Double(now), "\(now) ms")
        }
        #expect(abs(meter.shown - 1_000_000) < 1)
    }

    @Test("A stalled flow sinks, the quick average sooner")
    func stalledFlow() {
        var meter = RateMeter(bytes: 0, now: 0)
        meter.sample(bytes: 1000, now: 1000)
        for second in 2...10 { meter.sample(bytes: 1000, now: Int64(second) * 1000) }
        #expect(meter.shown < 100)
        #expect(meter.steady > meter.shown)
    }

    @Test("A speed that changes, as by a limit, is shown two seconds later, and nothing of the one before")
    func limit() {
        var model = Model()
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        (row.state, row.expected) = (.running, 1 << 40)
        func run(_ half: Int64, bytes: Int64) {
            row.received += bytes
            _ = update(&model, .rows([row]))
            _ = update(&model, .clock(half * 500))
        }
        for half in Int64(1)...20 { run(half, bytes: 3_000_000) }
        #expect(model.rates.speed(of: 1).map { abs($0 - 6_000_000) < 1 } == true)
        for half in Int64(21)...24 { run(half, bytes: 250_000) }
        #expect(model.rates.speed(of: 1).map { abs($0 - 500_000) < 1 } == true)
        #expect(abs(model.rates.down - 500_000) < 1)
        // What an ended row has moved shows for two seconds more.
        (row.state, row.endedAt) = (.done, 12_400)
        for half in Int64(25)...29 { run(half, bytes: 0) }
        #expect(model.rates.down < 1)
    }

    @Test("The end is predicted by a limit three seconds after it was lowered or lifted", arguments: [false, true])
    func predictionFollowsLimits(ofTask: Bool) {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 120, rows: 36)))
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        (row.state, row.expected) = (.running, 1_000_000_000)
        var half: Int64 = 0
        func run(halves: Int64, bytes: Int64) {
            for _ in 0..<halves {
                half += 1
                row.received += bytes
                _ = update(&model, .rows([row]))
                _ = update(&model, .clock(half * 500))
            }
        }
        func limit(to rate: Int64) {
            if ofTask {
                var effects: [Effect] = []
                #expect(model.limit([1], now: nil, to: "\(rate)", &effects) == nil)
            } else {
                var rates = RatesInForce()
                rates.download = rate
                _ = update(&model, .bounded(rates))
            }
        }
        func remaining(_ speed: Double) -> Double { Double(1_000_000_000 - row.received) / speed }
        run(halves: 60, bytes: 5_000_000)
        limit(to: 100_000)
        // What was on its way still comes as fast as before.
        run(halves: 1, bytes: 5_000_000)
        run(halves: 5, bytes: 50_000)
        #expect(abs((model.rates.totalRemainingSeconds ?? 0) - remaining(100_000)) < 10)
        run(halves: 40, bytes: 50_000)
        #expect(abs((model.rates.totalRemainingSeconds ?? 0) - remaining(100_000)) < 10)
        limit(to: 10_000_000)
        run(halves: 6, bytes: 5_000_000)
        #expect(abs((model.rates.totalRemainingSeconds ?? 0) - remaining(10_000_000)) < 10)
    }

    @Test("The wait for the first byte does not slow the speed that is shown")
    func firstByteWait() {
        var meter = RateMeter(bytes: 0, now: 0)
        for step in 1...20 { meter.sample(bytes: 0, now: Int64(step) * 500) }
        #expect(!meter.hasSample)
        meter.sample(bytes: 500, now: 10_500)
        #expect(abs(meter.shown - 1000) < 0.001)
    }

    @Test("What the kernel kept while the program was stopped is no speed, in the numbers and in the graph")
    func stopped() {
        var model = Model()
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        (row.state, row.expected) = (.running, 1 << 30)
        func run(_ seconds: ClosedRange<Int64>, from base: Int64) {
            for half in seconds.lowerBound * 2...seconds.upperBound * 2 {
                row.received = base + (half - seconds.lowerBound * 2) * 50_000
                _ = update(&model, .rows([row]))
                _ = update(&model, .clock(half * 500))
            }
        }
        run(0...30, from: 0)
        let before = model.rates.peakDown
        _ = update(&model, .resumedFromBackground)
        _ = update(&model, .clock(330_000))
        _ = update(&model, .resumedFromBackground)
        // Four megabytes that had arrived before the server gave up, and then the line's own speed.
        run(331...360, from: row.received + 4_000_000)
        #expect(before > 90_000 && before < 200_000)
        #expect(model.rates.peakDown < 200_000, "\(model.rates.peakDown)")
        #expect(model.rates.downHistory.values.allSatisfy { $0.isNaN || $0 < 200_000 })
        #expect(model.rates.downHistory.values.last.map { $0 > 90_000 } == true)
    }

    /// What ends without its ends being measured.
    enum Blindness: CaseIterable {
        case frozen, stopped, away
    }

    @Test("The bytes of tasks that ended unseen are no speed and no peak", arguments: Blindness.allCases)
    func unseenEnds(blindness: Blindness) {
        var model = Model()
        var rows = (1...4 as ClosedRange<UInt64>).map { id in
            RowSnapshot(id: id, kind: .download, name: "a", url: "http://a/" + SafeText(id))
        }
        for index in rows.indices { (rows[index].state, rows[index].expected) = (.running, 1 << 30) }
        func run(_ seconds: ClosedRange<Int64>) {
            for half in seconds.lowerBound * 2...seconds.upperBound * 2 {
                for index in rows.indices where rows[index].state == .running { rows[index].received += 50_000 }
                _ = update(&model, .rows(rows))
                _ = update(&model, .clock(half * 500))
            }
        }
        _ = update(&model, .owned(.service))
        run(0...20)
        switch blindness {
        case .frozen: _ = update(&model, .key(.character("Z")))
        case .stopped: break
        case .away: _ = update(&model, .owned(.lostService))
        }
        _ = update(&model, .clock(30_000))
        for index in 1...3 {
            (rows[index].state, rows[index].received, rows[index].endedAt) = (.done, 1 << 30, 29_000)
        }
        switch blindness {
        case .frozen:
            _ = update(&model, .rows(rows))
            _ = update(&model, .key(.character("Z")))
        case .stopped: _ = update(&model, .resumedFromBackground)
        case .away: _ = update(&model, .owned(.service))
        }
        run(30...35)
        #expect(model.rates.peakDown < 1_000_000, "\(model.rates.peakDown)")
        #expect(model.rates.down > 90_000 && model.rates.down < 110_000, "\(model.rates.down)")
        #expect(model.rates.downHistory.values.allSatisfy { $0.isNaN || $0 < 1_000_000 })
    }

    @Test(
        "The time left that is told half way through a slow and uneven line is about what it takes",
        arguments: [1, 2, 3])
    func remaining(seed: UInt64) {
        var model = Model()
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        let total: Int64 = 6_000_000
        (row.state, row.expected) = (.running, total)
        var (state, now, told) = (seed, Int64(0), nil as (at: Int64, seconds: Double)?)
        while row.received < total {
            // Bursts of nothing to three times the mean, as a line with a long way has them.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            row.received = min(row.received + Int64(state >> 33) % 60_000, total)
            now += 500
            _ = update(&model, .rows([row]))
            _ = update(&model, .clock(now))
            if told == nil, row.received >= total / 2 {
                let seconds = model.rows[1].flatMap { model.rates.remainingSeconds(of: $0.figures, now: now) }
                told = seconds.map { (now, $0) }
            }
        }
        let taken = told.map { Double(now - $0.at) / 1000 } ?? 0
        #expect(told.map { abs($0.seconds - taken) < taken * 0.4 } == true, "\(String(describing: told)), \(taken) s")
    }

    @Test("Clocks that leap and speeds beyond all sizes leave figures short and sound")
    func absurd() {
        var model = Model()
        _ = update(&model, .resized(Size(columns: 80, rows: 12)))
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        (row.state, row.expected) = (.running, .max)
        let hour: Int64 = 3_600_000
        let moments: [Int64] = [
            0, 500, 1000, hour, hour + 500, 500, 1000, -hour, 40 * hour, 40 * hour + 500, .max / 4, 600,
        ]
        for (step, moment) in moments.enumerated() {
            row.received = step % 5 == 4 ? 0 : Int64(step) * 500_000_000_000_000_000
            _ = update(&model, .rows([row]))
            _ = update(&model, .clock(moment))
            let rates = model.rates
            #expect(rates.down >= 0 && rates.down.isFinite && rates.peakDown.isFinite)
            #expect(SizeText.rate(rates.down).string.utf8.count <= 8, "\(SizeText.rate(rates.down))")
            let left = model.rows[1].flatMap { rates.remainingSeconds(of: $0.figures, now: model.now) }
            #expect(left.map { $0 >= 0 } ?? true)
            #expect(rates.downHistory.values.count <= 600)
        }
        for speed in [1e18, 1e30, .greatestFiniteMagnitude, .infinity, .nan, -1] {
            #expect(SizeText.rate(speed).string.utf8.count <= 8 && SizeText.longRate(speed).string.utf8.count <= 12)
        }
    }

    @Test("A count that goes back starts the averages over")
    func restartedFlow() {
        var meter = RateMeter(bytes: 5000, now: 0)
        meter.sample(bytes: 10_000, now: 500)
        meter.sample(bytes: 10, now: 1000)
        #expect(!meter.hasSample)
    }

    @Test("The end is predicted after three seconds, and a pause starts over")
    func predictionSettles() {
        var model = Model()
        func row(_ received: Int64, _ state: RowState) -> RowSnapshot {
            var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
            row.state = state
            row.received = received
            row.expected = 1_000_000
            return row
        }
        for step in Int64(0)...8 {
            _ = update(&model, .clock(step * 500))
            _ = update(&model, .rows([row(step * 5000, .running)]))
            let seconds = model.rows[1].flatMap { model.rates.remainingSeconds(of: $0.figures, now: model.now) }
            #expect((seconds != nil) == (step >= 6))
        }
        _ = update(&model, .rows([row(40_000, .paused)]))
        #expect(model.rates.speed(of: 1) == nil)
        #expect(model.rates.down == 0)
        _ = update(&model, .rows([row(40_000, .running)]))
        #expect(model.rates.speed(of: 1) == nil)
    }

    @Test("A row that stands still for five seconds has no predicted end, until it moves again")
    func standstill() {
        var model = Model()
        func row(_ received: Int64) -> RowSnapshot {
            var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
            row.state = .running
            row.received = received
            row.expected = 1_000_000
            return row
        }
        var received: Int64 = 0
        func predicts(after step: Int64) -> Bool {
            _ = update(&model, .rows([row(received)]))
            _ = update(&model, .clock(step * 500))
            let seconds = model.rows[1].flatMap { model.rates.remainingSeconds(of: $0.figures, now: model.now) }
            #expect((model.rates.totalRemainingSeconds != nil) == (seconds != nil))
            return seconds != nil
        }
        for step in Int64(0)...8 {
            received = step * 100_000
            #expect(predicts(after: step) == (step >= 6), "step \(step)")
        }
        for step in Int64(9)...40 { #expect(predicts(after: step) == (step < 18), "step \(step)") }
        received += 1000
        #expect(predicts(after: 41))
    }

    @Test("Shown numbers change at most twice a second, and an idle dashboard never wakes")
    func numbersAreCalm() {
        var model = Model()
        #expect(model.nextDeadline == nil)
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/")
        row.state = .running
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(1500))
        row.received = 1000
        _ = update(&model, .rows([row]))
        #expect(model.rates.shownBytes(of: row.figures) == 0)
        #expect(model.nextDeadline == 2000)
        _ = update(&model, .clock(2000))
        #expect(model.rates.shownBytes(of: row.figures) == 1000)
        row.state = .done
        _ = update(&model, .rows([row]))
        #expect(model.nextDeadline == nil)
    }

    @Test("Kept bytes that a row shows again while it waits are no speed")
    func keptBytes() {
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/b")
        row.state = .running
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(1600))
        (row.state, row.received, row.expected) = (.queued, 1 << 30, 1 << 31)
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(2200))
        #expect(model.rates.down == 0 && model.rates.peakDown == 0)
    }

    @Test("A part that is found after its row has begun to run is no speed")
    func foundPart() {
        var row = RowSnapshot(id: 1, kind: .download, name: "a", url: "http://a/b")
        row.state = .running
        var model = Model()
        _ = update(&model, .clock(1000))
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(1600))
        row.received = 1 << 30
        row.resumedAt = 1 << 30
        row.expected = 1 << 31
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(2200))
        #expect(model.rates.down == 0 && model.rates.peakDown == 0)
        row.received += 1_000
        _ = update(&model, .rows([row]))
        _ = update(&model, .clock(3200))
        #expect(model.rates.down > 0 && model.rates.down <= 1_000)
    }
}
