import FuzzTestSupport
import Testing

@testable import SessionCore

/// Which connection fetches which bytes of a file.
@Suite("Segment plan")
struct SegmentPlanTests {
    @Test(
        "Who helps takes as much as both then take the same time for", arguments: [(100, 0.5), (300, 0.25), (5, 0.9)])
    func shares(_ own: Int64, _ kept: Double) {
        var plan = SegmentPlan(length: 100 << 20, contiguousEnd: 0)
        let claim = plan.claim(SegmentPlan.Measure(minimum: 1 << 20, speeds: [0: 100], own: own))
        let expected = Int64(Double(100 << 20) * kept) / SegmentPlan.grain * SegmentPlan.grain
        #expect(claim?.start == expected)
    }

    private static let mebi: Int64 = 1 << 20

    private static func measure(
        _ minimum: Int64 = mebi, most: Int64 = .max, speeds: [Int: Int64] = [:]
    ) -> SegmentPlan.Measure {
        SegmentPlan.Measure(minimum: minimum, maximum: most, speeds: speeds)
    }

    @Test("A file without other connections is the lead's from front to end")
    func lead() {
        let plan = SegmentPlan(length: 100, contiguousEnd: 30)
        #expect(plan.leadEnd == 100)
        #expect(plan.free.isEmpty)
        #expect(plan.rest == 70)
        #expect(plan.claimAtContiguousEnd == nil)
    }

    @Test("Several connections at once get equal pieces, and none smaller than the minimum")
    func divided() {
        var plan = SegmentPlan(length: 8 * Self.mebi, contiguousEnd: 0)
        let claims = plan.divide(among: 7, Self.measure())
        #expect(claims.map(\.start) == (1...7).map { $0 * Self.mebi })
        #expect(claims.map(\.end) == (2...8).map { $0 * Self.mebi })
        #expect(plan.leadEnd == Self.mebi)
        var small = SegmentPlan(length: 3 * Self.mebi + 5, contiguousEnd: 0)
        #expect(small.divide(among: 7, Self.measure()).count == 2)
        #expect(small.claims.last?.end == 3 * Self.mebi + 5)
        var tiny = SegmentPlan(length: 2 * Self.mebi - 1, contiguousEnd: 0)
        #expect(tiny.divide(among: 7, Self.measure()).isEmpty)
    }

    @Test("What the lead has brought since it began counts to its share, as long as it has only just begun")
    func dividedWithBurst() {
        var measure = Self.measure()
        measure.leadBegan = 0
        var plan = SegmentPlan(length: 16 * Self.mebi, contiguousEnd: Self.mebi)
        #expect(plan.divide(among: 3, measure).map(\.start) == [4, 8, 12].map { $0 * Self.mebi })
        // More than its share is here: the rest is divided.
        var late = SegmentPlan(length: 16 * Self.mebi, contiguousEnd: 8 * Self.mebi)
        #expect(late.divide(among: 3, measure).map(\.start) == [10, 12, 14].map { $0 * Self.mebi })
    }

    @Test("What ended early leaves its bytes, and its rest is the next connection's")
    func ended() {
        var plan = SegmentPlan(length: 4 * Self.mebi, contiguousEnd: 0)
        let claims = plan.divide(among: 3, Self.measure())
        plan.moved(claims[1].id, to: 2 * Self.mebi + 100)
        plan.end(claims[1].id)
        #expect(plan.finished == [2 * Self.mebi..<2 * Self.mebi + 100])
        #expect(plan.free == [2 * Self.mebi + 100..<3 * Self.mebi])
        let next = plan.claim(Self.measure(speeds: [0: 1_000]))
        #expect(next?.start == 2 * Self.mebi + 100)
        #expect(next?.end == 3 * Self.mebi)
    }

    @Test("What could not be stored does not count when its connection ends")
    func notStored() {
        var plan = SegmentPlan(length: 4 * Self.mebi, contiguousEnd: 0)
        let claims = plan.divide(among: 3, Self.measure())
        plan.moved(claims[1].id, to: 2 * Self.mebi + 100)
        plan.end(claims[1].id, storedUpTo: 2 * Self.mebi + 40)
        #expect(plan.finished == [2 * Self.mebi..<2 * Self.mebi + 40])
        plan.moved(claims[0].id, to: Self.mebi + 100)
        plan.end(claims[0].id, storedUpTo: Self.mebi)
        #expect(plan.finished.count == 1)
    }

    @Test("What ends directly behind the lead's piece is the lead's again")
    func returned() {
        var plan = SegmentPlan(length: 4 * Self.mebi, contiguousEnd: 0)
        let claims = plan.divide(among: 3, Self.measure())
        plan.end(claims[0].id)
        #expect(plan.leadEnd == 2 * Self.mebi)
        #expect(plan.free.isEmpty)
    }

    @Test("Whoever has nothing left takes the later half of what would take longest")
    func stolen() {
        var plan = SegmentPlan(length: 4 * Self.mebi, contiguousEnd: 0)
        let claims = plan.divide(among: 3, Self.measure())
        plan.leadMoved(to: Self.mebi / 2)
        let speeds = [0: 100, claims[0].id: 100, claims[1].id: 10, claims[2].id: 100].mapValues { Int64($0) }
        let stolen = plan.claim(Self.measure(64 << 10, speeds: speeds))
        #expect(stolen?.start == 2 * Self.mebi + Self.mebi / 2)
        #expect(stolen?.end == 3 * Self.mebi)
        #expect(plan[claims[1].id]?.end == 2 * Self.mebi + Self.mebi / 2)
    }

    @Test("Nothing is taken from what is shorter than two segments")
    func tooShort() {
        var plan = SegmentPlan(length: 2 * Self.mebi - 1, contiguousEnd: 0)
        #expect(plan.claim(Self.measure(speeds: [0: 1_000])) == nil)
        var enough = SegmentPlan(length: 2 * Self.mebi, contiguousEnd: 0)
        #expect(enough.claim(Self.measure(speeds: [0: 1_000]))?.start == Self.mebi)
    }

    @Test("Nothing is taken from who is nearly done, nor from who has only begun")
    func fast() {
        var plan = SegmentPlan(length: 8 * Self.mebi, contiguousEnd: 0)
        #expect(plan.claim(Self.measure(speeds: [0: 17 * Self.mebi])) == nil)
        #expect(plan.claim(Self.measure()) == nil)
        #expect(plan.claim(Self.measure(speeds: [0: 15 * Self.mebi]))?.start == 4 * Self.mebi)
    }

    @Test(
        "Whoever stands before a rest of any announced length gives its half away",
        arguments: [0, 1, 1 << 40] as [Int64])
    func endless(speed: Int64) {
        var plan = SegmentPlan(length: .max, contiguousEnd: 1 << 20)
        let measure = Self.measure(most: 64 * Self.mebi, speeds: [0: speed])
        #expect(measure.time(of: .max, for: 0) ?? 0 > SegmentPlan.Measure.leastTime)
        #expect(plan.claim(measure) != nil)
        #expect(plan.claim(measure)?.rest == 64 * Self.mebi)
    }

    @Test("A piece ends where it is large enough, and what is behind it is the next one's")
    func pieces() {
        var plan = SegmentPlan(length: 32 * Self.mebi, contiguousEnd: 0)
        let claims = plan.divide(among: 3, Self.measure(most: 4 * Self.mebi))
        #expect(claims.map(\.start) == [8, 16, 24].map { $0 * Self.mebi })
        #expect(claims.map(\.rest) == [4, 4, 4].map { $0 * Self.mebi })
        #expect(plan.leadEnd == 8 * Self.mebi)
        #expect(plan.free.map(\.lowerBound) == [12, 20, 28].map { $0 * Self.mebi })
        plan.moved(claims[0].id, to: 12 * Self.mebi)
        plan.end(claims[0].id)
        // What is little longer than a piece is one.
        #expect(plan.claim(Self.measure(most: 3 * Self.mebi))?.rest == 4 * Self.mebi)
    }

    @Test("The lead passes what is there, and whoever works at its place becomes the lead")
    func promoted() {
        var plan = SegmentPlan(length: 4 * Self.mebi, contiguousEnd: 0, finished: [Self.mebi..<2 * Self.mebi])
        let claims = plan.divide(among: 1, Self.measure())
        #expect(claims.first?.start == 2 * Self.mebi)
        plan.moved(claims[0].id, to: 3 * Self.mebi)
        plan.leadMoved(to: 9 * Self.mebi)
        #expect(plan.contiguousEnd == Self.mebi)
        plan.absorb()
        #expect(plan.contiguousEnd == 2 * Self.mebi)
        #expect(plan.claimAtContiguousEnd?.id == claims[0].id)
        #expect(plan.promote()?.position == 3 * Self.mebi)
        #expect(plan.contiguousEnd == 3 * Self.mebi)
        #expect(plan.claims.isEmpty)
        #expect(plan.leadEnd == 4 * Self.mebi)
    }

    @Test("Ranges of a meta are put in order, joined and cut to the file")
    func repaired() {
        let plan = SegmentPlan(length: 100, contiguousEnd: 10, finished: [80..<300, 20..<30, 5..<12, 30..<40, 35..<38])
        #expect(plan.contiguousEnd == 12)
        #expect(plan.finished == [20..<40, 80..<100])
        #expect(plan.bytesBeyond == 40)
    }

    /// A file and its connections, which do as chance says.
    private struct Run {
        var plan: SegmentPlan
        /// How often each block of 64 KiB was written.
        var writes: [Int]
        let grain = SegmentPlan.grain

        mutating func write(_ range: Range<Int64>) {
            for block in Int(range.lowerBound / grain)..<Int(range.upperBound / grain) { writes[block] += 1 }
        }

        /// Everything beyond the front is finished, claimed, free or the lead's, and nothing twice.
        func isSound() -> Bool {
            var pieces = plan.finished + plan.claims.map { $0.start..<$0.end } + plan.free
            pieces.append(plan.contiguousEnd..<plan.leadEnd)
            let ordered = pieces.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
            let meets = zip(ordered, ordered.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }
            return meets && ordered.first.map { $0.lowerBound == plan.contiguousEnd } ?? true
                && (ordered.last?.upperBound ?? plan.length) == plan.length
                && plan.rest == plan.length - plan.contiguousEnd - plan.ranges.reduce(0) { $0 + Int64($1.count) }
        }
    }

    @Test(
        "Whatever connections do, ranges are disjoint, cover what is missing, and each byte is written once",
        arguments: 0..<200)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let blocks = 40 + Int(random.next() % 200)
        let grain = SegmentPlan.grain
        var run = Run(
            plan: SegmentPlan(length: Int64(blocks) * grain, contiguousEnd: 0),
            writes: Array(repeating: 0, count: blocks))
        var steps = 0
        while !run.plan.isComplete, steps < 20_000 {
            steps += 1
            switch random.next() % 8 {
            case 0: _ = run.plan.divide(among: 1 + Int(random.next() % 7), Self.measure(grain, most: 16 * grain))
            case 1:
                let most = random.next() % 2 == 0 ? 8 * grain : .max
                let measure = Self.measure(grain, most: most, speeds: [0: 5, 1: 3])
                if run.plan.claims.count < 16 { _ = run.plan.claim(measure) }
            case 2: if let claim = run.plan.claims.randomElement(using: &random) { run.plan.end(claim.id) }
            case 3, 4, 5:
                guard let claim = run.plan.claims.randomElement(using: &random), claim.rest > 0 else { break }
                let next = claim.position + grain * (1 + Int64(random.next() % UInt64(claim.rest / grain)))
                run.write(claim.position..<next)
                run.plan.moved(claim.id, to: next)
                if next == claim.end, random.next() % 2 == 0 { run.plan.end(claim.id) }
            default:
                let (contiguousEnd, end) = (run.plan.contiguousEnd, run.plan.leadEnd)
                if contiguousEnd < end {
                    let next =
                        contiguousEnd + grain * (1 + Int64(random.next() % UInt64((end - contiguousEnd) / grain)))
                    run.write(contiguousEnd..<next)
                    run.plan.leadMoved(to: next)
                }
                run.plan.absorb()
                if run.plan.contiguousEnd == run.plan.leadEnd { _ = run.plan.promote() }
            }
            guard run.isSound() else {
                Issue.record("\(run.plan) after \(steps) steps")
                return
            }
        }
        #expect(run.plan.isComplete)
        #expect(run.writes.allSatisfy { $0 == 1 })
    }
}
