import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Deadlines")
struct DeadlinesTests {
    private func retry(_ number: UInt64) -> Deadlines.Purpose { .retry(TransferID(rawValue: number)) }

    @Test("come due in the order of time")
    func order() {
        var deadlines = Deadlines()
        deadlines.set(retry(1), at: 30)
        deadlines.set(retry(2), at: 10)
        deadlines.set(retry(3), at: 20)
        #expect(deadlines.earliest() == 10)
        #expect(deadlines.next(dueAt: 5) == nil)
        #expect((0..<3).map { _ in deadlines.next(dueAt: 100) } == [retry(2), retry(3), retry(1)])
        #expect(deadlines.earliest() == nil)
    }

    @Test("can be moved and cleared")
    func moving() {
        var deadlines = Deadlines()
        deadlines.set(retry(1), at: 10)
        deadlines.set(retry(1), at: 50)
        deadlines.set(retry(2), at: 20)
        deadlines.clear(retry(2))
        #expect(deadlines.earliest() == 50)
        #expect(deadlines.next(dueAt: 49) == nil)
        #expect(deadlines.next(dueAt: 50) == retry(1))
        #expect(deadlines.next(dueAt: 1_000) == nil)
    }

    @Test("agree with a sorted list", arguments: 0..<20)
    func random(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var deadlines = Deadlines()
        var expected: [UInt64: Int64] = [:]
        for _ in 0..<300 {
            let number = UInt64.random(in: 0..<40, using: &generator)
            if Bool.random(using: &generator) {
                let time = Int64.random(in: 0..<1_000, using: &generator)
                deadlines.set(retry(number), at: time)
                expected[number] = time
            } else {
                deadlines.clear(retry(number))
                expected[number] = nil
            }
            #expect(deadlines.earliest() == expected.values.min())
        }
    }
}
