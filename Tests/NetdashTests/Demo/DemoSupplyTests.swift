import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("The demo's supply of tasks", .timeLimit(.minutes(1)))
struct DemoSupplyTests {
    private func rows(_ states: [RowState]) -> [RowFigures] {
        states.enumerated().map { index, state in
            var row = RowFigures(id: UInt64(index + 1), kind: .download)
            row.state = state
            return row
        }
    }

    @Test(
        "A task is added while few are under way, but not where somebody has paused everything",
        arguments: [
            ([], true), ([.running, .queued], true), ([.running, .queued, .retrying], false),
            ([.done, .failed, .running], true), ([.paused], false), ([.paused, .running], true),
            ([.paused, .paused, .paused, .paused, .running], false), ([.pausing, .done], false),
            ([.done, .cancelled], true),
        ] as [([RowState], Bool)])
    func adding(states: [RowState], adds: Bool) {
        #expect(DemoSupply.order(for: rows(states)).adds == adds)
    }

    @Test("Rows that ended first leave the list when there are too many, and no others")
    func clearing() {
        let states: [RowState] = [.paused, .done, .failed] + Array(repeating: .done, count: DemoSupply.memory)
        #expect(DemoSupply.order(for: rows(states)).clears == [2, 3])
        #expect(DemoSupply.order(for: rows(Array(states.dropLast(2)))).clears.isEmpty)
    }

    @Test("Nothing is added while the user waits for the end")
    func end() {
        #expect(DemoSupply.order(for: rows([.done])).adds)
        #expect(!DemoSupply.order(for: rows([.done]), awaitsEnd: true).adds)
    }

    @Test("A transfer that has ended makes room for another one, which ends as well")
    func feeding() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let supply = DemoSupply(server: fixture.server, folder: fixture.folder.path)
        defer { supply.end() }
        supply.begin(fixture.bridge)
        #expect(fixture.observer.wait { events in events.filter(\.what.isAddition).count >= 3 })
        #expect(fixture.observer.wait { events in events.contains { $0.isEnd } })
    }
}
