import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Steps that are taken back by the client that took them", .timeLimit(.minutes(1)))
struct LastHandsTests {
    @Test("The last client of a row and of the limits is known, and one client alone is never another")
    func hands() {
        var hands = LastHands()
        hands.note(.pause([1, 2]), by: 7)
        #expect(hands.others(than: 7, in: .resume([1, 2])).isEmpty)
        hands.note(.resume([2]), by: 8)
        hands.note(.setDownloadRate(RateSchedule()), by: 8)
        #expect(hands.others(than: 7, in: .resume([1, 2])) == [2])
        #expect(hands.others(than: 8, in: .pause([1, 2])).isEmpty)
        #expect(hands.others(than: 7, in: .setRates(RatePlan())) == [0])
        #expect(hands.others(than: 7, in: .setLimits(TransferLimits())).isEmpty)
        hands.note(.pause([2]), by: 7)
        #expect(hands.others(than: 7, in: .resume([2])).isEmpty)
        #expect(hands.others(than: 8, in: .pause([2])) == [2])
        hands.forget(2)
        #expect(hands.others(than: 8, in: .pause([2])).isEmpty)
    }

    @Test("A command keeps some of its rows, or is none")
    func keeping() {
        let isEven: (UInt64) -> Bool = { $0.isMultiple(of: 2) }
        #expect(TransferCommand.pause([1, 2, 4]).keeping(isEven) == .pause([2, 4]))
        #expect(TransferCommand.prioritise([1, 2], by: -1).keeping(isEven) == .prioritise([2], by: -1))
        #expect(TransferCommand.undo(.resume([1, 2])).keeping(isEven) == .undo(.resume([2])))
        #expect(TransferCommand.resume([1]).keeping(isEven) == nil)
        #expect(TransferCommand.repeatRequest(1, seconds: nil).keeping(isEven) == nil)
        #expect(TransferCommand.setLimits(TransferLimits()).keeping(isEven) == .setLimits(TransferLimits()))
    }

    @Test("An undo leaves alone what another client has changed since, and says which rows")
    func undo() throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 1 }
        defer { fixture.end() }
        let bridge = fixture.bridge
        let jobs = (1...3).map { number in
            var job = fixture.job(.download, "/\(number)")
            job.startsPaused = true
            return job
        }
        bridge.send(.add(jobs), from: 1)
        bridge.send(.prioritise([1, 2, 3], by: 1), from: 1)
        bridge.send(.prioritise([2], by: 1), from: 2)
        let reply = bridge.send(.undo(.prioritise([1, 2, 3], by: -1)), from: 1)
        #expect(reply.refusals == [.init(id: 2, reason: ServiceErrors.changedByAnother)])
        #expect(bridge.figures(of: [1, 2, 3]).map(\.priority) == [0, 2, 0])
        bridge.send(.setLimits(TransferLimits(all: 3, perHost: 3)), from: 1)
        bridge.send(.setLimits(TransferLimits(all: 9, perHost: 9)), from: 2)
        #expect(bridge.send(.undo(.setLimits(TransferLimits())), from: 1).refusals.map(\.id) == [0])
        #expect(bridge.send(.undo(.setLimits(TransferLimits(all: 3, perHost: 3))), from: 2).refusals.isEmpty)
    }
}
