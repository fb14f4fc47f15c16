import Testing

@testable import Dashboard

@Suite("Comparing bytes") struct ByteComparisonTests {
    @Test("Any byte that differs is noticed, at any place and of any length", arguments: 0...20)
    func difference(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count + 3)
        #expect(isSame(bytes, 3, bytes, 1, count))
        for index in 0..<count {
            var other = bytes
            other[index + 2] = 8
            #expect(!isSame(bytes, 3, other, 2, count))
        }
    }

    @Test("A piece that reaches beyond the end is like no other")
    func beyondTheEnd() {
        let bytes: [UInt8] = [1, 2, 3]
        #expect(!isSame(bytes, 2, bytes, 2, 2))
        #expect(isSame(bytes, 3, bytes, 3, 0))
    }

    private func isSame(_ left: [UInt8], _ leftStart: Int, _ right: [UInt8], _ rightStart: Int, _ count: Int) -> Bool {
        ByteComparison.isSame(left.span.bytes, from: leftStart, right.span.bytes, from: rightStart, count: count)
    }
}
