import Testing

@testable import SessionCore

/// How many connections a download is to have.
@Suite("Segment growth")
struct SegmentGrowthTests {
    private static let file: Int64 = 1 << 40

    /// Runs a download for some seconds, whose speed follows from the connections that work.
    private func run(
        _ growth: inout SegmentGrowth, seconds: Int = 30, size: Int64 = file, _ speed: (Int) -> Int64
    ) -> [Int] {
        var received: Int64 = 0
        var working = 1
        var seen = [1]
        for tick in 0..<seconds * 4 {
            let look = SegmentGrowth.Look(
                now: Int64(tick) * 250, received: received, rest: size - received, working: working)
            let wanted = growth.look(look)
            if wanted != seen.last { seen.append(wanted) }
            working = wanted
            received = min(received + speed(working) / 4, size)
        }
        return seen
    }

    @Test(
        "A named number is wanted at once, within what there may be",
        arguments: [(1, 1), (8, 8), (16, 16), (500, 16), (0, 1)])
    func named(count: Int, wanted: Int) {
        var growth = SegmentGrowth(Segmentation(connections: .exactly(count)))
        #expect(growth.look(.init(now: 0, received: 0, rest: Self.file, working: 1)) == wanted)
    }

    @Test("Where each connection brings as much again, connections double up to eight")
    func limitedPerConnection() {
        var growth = SegmentGrowth(Segmentation())
        #expect(run(&growth) { Int64($0) * 4_000_000 } == [1, 2, 4, 8])
    }

    @Test("Where the line is full with one, a second one is tried and given up, and none is tried again")
    func limitedByLine() {
        var growth = SegmentGrowth(Segmentation())
        #expect(run(&growth) { _ in 10_000_000 } == [1, 2, 1])
    }

    @Test("Connections that bring a little more are not worth it")
    func smallGain() {
        var growth = SegmentGrowth(Segmentation())
        #expect(run(&growth) { 10_000_000 + Int64($0) * 500_000 } == [1, 2, 1])
    }

    @Test("A slow mirror's connection is no reason to add none: the number is measured once the source is a fast one")
    func slowSource() {
        var growth = SegmentGrowth(Segmentation())
        var received: Int64 = 0
        var working = 1
        var isUneven = false
        var seen = [1]
        for tick in 0..<80 {
            working = growth.look(
                SegmentGrowth.Look(
                    now: Int64(tick) * 250, received: received, rest: Self.file - received, working: working,
                    isUneven: isUneven))
            if working != seen.last { seen.append(working) }
            // The first one besides the lead goes to the slow source, for two seconds.
            isUneven = working == 2 && tick < 20
            received += (isUneven ? 4_400_000 : Int64(working) * 4_000_000) / 4
        }
        #expect(seen == [1, 2, 4, 8])
    }

    @Test("Where another source may be faster, it is tried at once, unless the rest is soon over")
    func untried() {
        func wanted(rest: Int64, hasUntried: Bool) -> Int {
            var growth = SegmentGrowth(Segmentation())
            return growth.look(
                SegmentGrowth.Look(
                    now: 0, received: 1_000, rest: rest, working: 1, leadSpeed: 1_000_000, hasUntried: hasUntried))
        }
        #expect(wanted(rest: 10_000_000, hasUntried: true) == 2)
        #expect(wanted(rest: 3_000_000, hasUntried: true) == 1)
        #expect(wanted(rest: 10_000_000, hasUntried: false) == 1)
    }

    @Test("It is tried as soon as the first one's speed is known, and not when the number of connections is found")
    func untriedLater() {
        var growth = SegmentGrowth(Segmentation())
        var look = SegmentGrowth.Look(now: 0, received: 0, rest: 60_000_000, working: 1, hasUntried: true)
        #expect(growth.look(look) == 1)
        (look.now, look.received, look.leadSpeed) = (250, 125_000, 500_000)
        #expect(growth.look(look) == 2)
    }

    @Test("Growth ends where more bring nothing")
    func saturated() {
        var growth = SegmentGrowth(Segmentation())
        #expect(run(&growth) { Int64(min($0, 4)) * 4_000_000 } == [1, 2, 4, 8, 4])
    }

    @Test("Nothing is added before the speed is known, nor for what is soon over")
    func notWorthIt() {
        var growth = SegmentGrowth(Segmentation())
        #expect(run(&growth, seconds: 1) { Int64($0) * 1_000_000 } == [1])
        var short = SegmentGrowth(Segmentation())
        #expect(run(&short, size: 50_000_000) { Int64($0) * 10_000_000 } == [1])
        // As fast as a disk: a gigabyte is over before it is worth anything.
        var fast = SegmentGrowth(Segmentation())
        #expect(run(&fast, size: 1 << 30) { Int64($0) * 1_000_000_000 } == [1])
    }

    @Test("A connection that is still being opened does not count as one that brings nothing")
    func opening() {
        var growth = SegmentGrowth(Segmentation())
        var received: Int64 = 0
        var wanted = 1
        for tick in 0..<80 {
            wanted = growth.look(
                .init(
                    now: Int64(tick) * 250, received: received, rest: Self.file, working: 1, opening: wanted > 1 ? 1 : 0
                ))
            received += 1_000_000
        }
        #expect(wanted == 2)
    }

    @Test("A refusal leaves those that work, for good", arguments: [1, 2, 5])
    func refused(working: Int) {
        var growth = SegmentGrowth(Segmentation(connections: .exactly(8)))
        growth.refused(working: working)
        #expect(growth.look(.init(now: 0, received: 0, rest: Self.file, working: working)) == working)
        #expect(growth.isOver == (working == 1))
        growth.interrupted()
        #expect(growth.look(.init(now: 9_000, received: 0, rest: Self.file, working: 1)) == working)
    }

    @Test("What a server is known to take bounds what is wanted of it")
    func known() {
        var growth = SegmentGrowth(Segmentation(connections: .exactly(8)), known: 2)
        #expect(growth.look(.init(now: 0, received: 0, rest: Self.file, working: 1)) == 2)
        #expect(SegmentGrowth(Segmentation(), known: 1).isOver)
    }

    @Test("Connections that break off are replaced, and the third time there is one less")
    func breaks() {
        var growth = SegmentGrowth(Segmentation(connections: .exactly(8)))
        let goOn = [growth.broke(after: 1, working: 7), growth.broke(after: 1, working: 7)]
        #expect(goOn == [true, true])
        #expect(growth.limit == 8)
        let isLast = growth.broke(after: 1, working: 7)
        #expect(!isLast)
        #expect(growth.limit == 7)
    }

    @Test("What was found counts on behind a pause; what was being measured is measured anew")
    func interrupted() {
        var growth = SegmentGrowth(Segmentation())
        _ = run(&growth) { Int64(min($0, 4)) * 4_000_000 }
        growth.interrupted()
        #expect(growth.look(.init(now: 99_000, received: 0, rest: Self.file, working: 1)) == 4)
        var early = SegmentGrowth(Segmentation())
        #expect(run(&early, seconds: 2) { Int64($0) * 4_000_000 } == [1, 2])
        early.interrupted()
        #expect(early.look(.init(now: 50_000, received: 0, rest: Self.file, working: 1)) == 2)
    }
}

/// How fast one connection is.
@Suite("Segment pulse")
struct SegmentPulseTests {
    @Test("What the kernel had gathered is no speed, and a burst counts for as long as it was")
    func burst() {
        var pulse = SegmentPulse(position: 0, now: 0)
        pulse.look(at: 80_000, now: 2)
        #expect(pulse.speed == nil)
        for step in 1...4 { pulse.look(at: 500_000 + Int64(step) * 250_000, now: Int64(step) * 250) }
        // A million and a half came in the first second.
        #expect(pulse.speed.map { $0 < 1_500_000 && $0 > 1_000_000 } == true)
    }

    @Test("A connection that stands still slows down, and is known to have stood since its last byte")
    func standing() {
        var pulse = SegmentPulse(position: 0, now: 0)
        pulse.look(at: 250_000, now: 250)
        #expect(pulse.speed == 1_000_000)
        for step in 2...20 { pulse.look(at: 250_000, now: Int64(step) * 250) }
        #expect(pulse.speed.map { $0 < 50_000 } == true)
        #expect(pulse.movedAt == 250)
    }

    @Test("A connection that a limit holds back has the speed that the limit leaves it, and does not stand")
    func heldBack() {
        var pulse = SegmentPulse(position: 0, now: 0)
        for step in 1...20 { pulse.look(at: Int64(step / 4) * 10_000, now: Int64(step) * 250, mayStand: true) }
        #expect(pulse.speed.map { $0 > 5_000 && $0 < 20_000 } == true)
        #expect(pulse.movedAt == 5_000)
    }

    @Test("What came while nobody looked is no speed either")
    func resting() {
        var pulse = SegmentPulse(position: 0, now: 0)
        pulse.rest(at: 9_000_000, now: 10_000)
        pulse.look(at: 9_025_000, now: 10_250)
        #expect(pulse.speed == 100_000)
    }
}
