import FuzzTestSupport
import Testing

@testable import SessionCore

@Suite("Crashes of the task store", .timeLimit(.minutes(1)))
struct TaskStoreCrashTests {
    /// What a killed program had acknowledged, by number.
    private struct Acknowledged {
        var added: Set<Int> = []
        var cancelled: Set<Int> = []
        var removed: Set<Int> = []
    }

    @Test("I3: what was acknowledged before a kill -9 is there exactly once, whenever it comes")
    func acknowledgedChangesSurvive() throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: 20)
        var acknowledged = Acknowledged()
        for round in 0..<8 {
            let lines = Int.random(in: 1...40, using: &random)
            try run(first: 1 + round * 20_000, killingAfter: lines, fixture, &acknowledged)
            try check(acknowledged, fixture)
        }
        #expect(acknowledged.added.count > 20)
    }

    private func check(_ acknowledged: Acknowledged, _ fixture: StoreFixture) throws {
        let (store, opening) = try fixture.open()
        defer { store.close() }
        #expect(opening.notice == nil)
        var found: [Int: StoredTransfer] = [:]
        for transfer in try store.all() {
            let number = try #require(transfer.request.url.split(separator: "/").last.flatMap { Int($0) })
            #expect(found.updateValue(transfer, forKey: number) == nil, "\(number) is there twice")
        }
        for number in acknowledged.added {
            // A removal may have been committed without having been acknowledged.
            #expect(found[number] != nil || number % 3 == 2, "\(number) is lost")
        }
        for number in acknowledged.cancelled { #expect(found[number]?.standing == .cancelled) }
        for number in acknowledged.removed { #expect(found[number] == nil, "\(number) is back") }
    }

    /// Runs the program, kills it after some lines, and takes note of what it had said until then.
    private func run(
        first: Int, killingAfter lines: Int, _ fixture: StoreFixture, _ acknowledged: inout Acknowledged
    ) throws {
        let run = try CrashingProgram.run(["fill", fixture.path, String(first)], killingAfter: lines)
        #expect(run.wasKilled, "It ended by itself with \(run.status)")
        for line in run.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "added": acknowledged.added.insert(number)
            case "cancelled": acknowledged.cancelled.insert(number)
            case "removed": acknowledged.removed.insert(number)
            default: Issue.record("It said \(line)")
            }
        }
    }
}
