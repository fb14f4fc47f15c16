import Testing

@testable import SessionCore

@Suite("Where ranges meet")
struct RangeJoinsTests {
    @Test("A place is open until it was compared, and the latest answer counts")
    func places() {
        var joins = RangeJoins()
        joins.add(RangeJoins.Join(offset: 1_000, bytes: [1, 2], source: 0))
        joins.add(RangeJoins.Join(offset: 500, bytes: [3]))
        joins.add(RangeJoins.Join(offset: 1_000, bytes: [4, 5], source: 1))
        #expect(joins.offsets.sorted() == [500, 1_000])
        #expect(joins.open.first { $0.offset == 1_000 }?.bytes == [4, 5])
        #expect(joins.open.first { $0.offset == 1_000 }?.range == 998..<1_000)
        joins.close(1_000)
        #expect(!joins.isOpen(1_000) && joins.isOpen(500))
        joins.forget()
        #expect(joins.offsets.isEmpty)
    }

    @Test("The first bytes of each range of an earlier run prove the others, and what is too short or unreadable goes")
    func earlierRun() {
        let (ranges, joins) = RangeJoins.parted([1_000..<5_000, 6_000..<6_100, 8_000..<9_000]) { range in
            range.lowerBound == 8_000 ? nil : range.map { UInt8(truncatingIfNeeded: $0) }
        }
        let offset = 1_000 + RangeJoins.length
        #expect(ranges == [offset..<5_000])
        #expect(joins.offsets == [offset])
        #expect(joins.open.first?.bytes == (1_000..<offset).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test(
        "What is not compared stays a range of its own in the meta",
        arguments: [
            ([Int64](), [200..<400, 500..<600] as [Range<Int64>]),
            ([200], [201..<400, 500..<600]), ([300], [200..<300, 301..<400, 500..<600]),
            ([399, 500], [200..<398, 399..<400, 501..<600]), ([450, 600], [200..<400, 500..<600]),
            ([599], [200..<400, 500..<598, 599..<600]), ([500, 599], [200..<400, 501..<598, 599..<600]),
        ])
    func meta(offsets: [Int64], expected: [Range<Int64>]) {
        let ranges = PartRanges(contiguousEnd: 200, beyond: [200..<400, 500..<600])
        #expect(ranges.parted(at: offsets) == PartRanges(contiguousEnd: 200, beyond: expected))
    }

    @Test("No byte at the end of a part goes, because a download that is paused goes on behind it")
    func partEnd() {
        let ranges = PartRanges(contiguousEnd: 200, beyond: [300..<303, 500..<501, 600..<603])
        for offset in 200...603 {
            let parted = ranges.parted(at: [Int64(offset)])
            #expect(parted.end == 603, "\(offset)")
            #expect(zip(parted.beyond, parted.beyond.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
        for offsets in [[601, 602], [602, 601], [600, 601, 602], [602, 601, 600], [601, 600, 602]] as [[Int64]] {
            let parted = ranges.parted(at: offsets)
            #expect(parted.end == 603, "\(offsets)")
            // No join lies inside a range, so none is taken for compared.
            let isInside = offsets.contains { offset in
                parted.beyond.contains { $0.lowerBound < offset && $0.contains(offset) }
            }
            #expect(!isInside, "\(offsets)")
        }
    }

    @Test("Bytes are held in front, in finished ranges, in claims and across them")
    func held() {
        var plan = SegmentPlan(length: 1_000_000, contiguousEnd: 100_000, finished: [200_000..<300_000])
        let claim = plan.divide(among: 1, SegmentPlan.Measure(minimum: 1)).first
        guard let claim else { return #expect(Bool(false), "something is free") }
        plan.moved(claim.id, to: claim.start + 1_000)
        #expect(claim.start == 300_000)
        for range in [0..<100_000, 99_000..<100_000, 200_000..<300_000, 299_000..<301_000] as [Range<Int64>] {
            #expect(plan.hasReceived(range), "\(range)")
        }
        for range in [99_000..<100_001, 199_000..<201_000, 300_500..<301_001, 400_000..<400_001] as [Range<Int64>] {
            #expect(!plan.hasReceived(range), "\(range)")
        }
    }

    @Test("A body that is passed on keeps as many of its last bytes as a join has")
    func passedOn() {
        let stream = StreamSink()
        let passed = (0..<2_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        _ = passed.withUnsafeBytes { stream.receive($0) }
        _ = stream.takePending()
        #expect(stream.last(Int(RangeJoins.length)) == passed.suffix(Int(RangeJoins.length)))
    }

    @Test("A server is remembered by its origin")
    func servers() {
        var servers = FalseServers()
        #expect(!servers.contains("http://a/x"))
        servers.add("http://a:80/file")
        #expect(servers.contains("http://A/other?q"))
        #expect(!servers.contains("https://a/file") && !servers.contains("http://b/file"))
    }

    @Test(
        "The first bytes of a rest have to be those that were passed on last",
        arguments: [[4], [1, 1, 1, 1], [2, 2], [6], [3, 3]])
    func beginnings(chunks: [Int]) {
        let stream = StreamSink()
        let passed = (0..<2_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        _ = passed.withUnsafeBytes { stream.receive($0) }
        _ = stream.takePending()
        _ = [UInt8](repeating: 9, count: 2).withUnsafeBytes { stream.receive($0) }
        let last = stream.last(4)
        #expect(last == passed.suffix(2) + [9, 9])
        for isRight in [true, false] {
            var beginning: RestBeginning? = RestBeginning(isDoubted: true, repeating: last)
            var answer = last + [50, 51]
            if !isRight { answer[3] = 0 }
            var taken: [UInt8] = []
            var isRefused = false
            var offset = 0
            for count in chunks where !isRefused {
                let chunk = Array(answer[offset..<min(offset + count, answer.count)])
                offset += chunk.count
                chunk.withUnsafeBytes { bytes in
                    guard let rest = RestBeginning.take(from: bytes, &beginning, stream) else {
                        return isRefused = true
                    }
                    taken += rest
                }
            }
            #expect(isRefused == !isRight)
            if isRight { #expect(beginning == nil && taken == Array(answer[4..<offset])) }
        }
    }

    @Test(
        "Where nothing has to be repeated the body's own first bytes are no rest, unless a strong tag vouches for them")
    func opening() {
        for (first, isDoubted, isRefused) in [
            ([UInt8](repeating: 0, count: 64), true, true), ([UInt8](repeating: 0, count: 64), false, false),
            ((0..<64).map { UInt8($0) }, false, true),
        ] {
            let stream = StreamSink()
            _ = first.withUnsafeBytes { stream.receive($0) }
            var beginning: RestBeginning? = RestBeginning(isDoubted: isDoubted)
            first.withUnsafeBytes { #expect((RestBeginning.take(from: $0, &beginning, stream) == nil) == isRefused) }
            #expect(beginning == nil)
        }
    }
}
