import Foundation
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
        let earlier = hands.take(3, by: 8)
        #expect(hands.others(than: 7, in: [2, 3]) == [3] && hands.others(than: 8, in: [3]).isEmpty)
        hands.giveBack(3, earlier, by: 8)
        #expect(hands.others(than: 7, in: [3]).isEmpty)
        let late = hands.take(3, by: 8)
        hands.note(.pause([3]), by: 7)
        hands.giveBack(3, late, by: 8)
        #expect(hands.others(than: 8, in: [3]) == [3])
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

    @Test("A refused edit is no change: the step before it is undone, and the row is not the client's")
    func refused() throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 1 }
        defer { fixture.end() }
        let bridge = fixture.bridge
        let jobs = [("/1", Job.Kind.download), ("/2", .download), ("/3", .data)].map { path, kind in
            var job = fixture.job(kind, path)
            job.startsPaused = true
            return job
        }
        bridge.send(.add(jobs), from: 1)
        bridge.send(.prioritise([1, 3], by: 1), from: 1)
        #expect(bridge.send(.replace(1, with: jobs[1]), from: 2).refusals.map(\.id) == [1])
        let amendment = try JobAmendment("dir=isos", defaults: Job(kind: .download, url: ""))
        #expect(bridge.send(.amend([2, 3], amendment), from: 2).refusals.map(\.id) == [3])
        #expect(bridge.send(.undo(.prioritise([1, 3], by: -1)), from: 1).refusals.isEmpty)
        #expect(bridge.figures(of: [1, 3]).map(\.priority) == [0, 0])
        #expect(bridge.send(.undo(.pause([2])), from: 1).refusals.map(\.id) == [2], "this one was changed")
    }

    @Test("A file is not moved back where another client has moved it or changed its task since")
    func movedFile() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let bridge = fixture.bridge
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        bridge.send(.add([fixture.job(.download, "/f")]), from: 1)
        try #require(fixture.observer.waitForEnds())
        func back(to name: String, by client: UInt64) -> String? {
            switch bridge.moveFile(of: 1, to: name, isUndo: true, from: client) {
            case .success: nil
            case .failure(let failure): failure.message
            }
        }
        #expect(try bridge.moveFile(of: 1, to: "g", isUndo: false, from: 1).get() == fixture.folder.path + "/g")
        #expect(try bridge.moveFile(of: 1, to: "h", isUndo: false, from: 2).get() == fixture.folder.path + "/h")
        #expect(back(to: "f", by: 1) == ServiceErrors.changedByAnother.string)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["h"])
        #expect(back(to: "g", by: 2) == nil)
        // A refused move changes nothing, so it is none of another client.
        #expect(bridge.moveFile(of: 1, to: "g/x", isUndo: false, from: 1).isFailure)
        #expect(bridge.moveFile(of: 1, to: "i", isUndo: false, from: 2).isFailure == false)
        bridge.send(.prioritise([1], by: 1), from: 1)
        #expect(back(to: "g", by: 2) == ServiceErrors.changedByAnother.string)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["i"])
    }

    @Test("An undo leaves alone a task whose file or URL another client has changed since")
    func changedFile() throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 1 }
        defer { fixture.end() }
        let bridge = fixture.bridge
        var job = fixture.job(.download, "/f")
        job.startsPaused = true
        bridge.send(.add([job, fixture.job(.download, "/g")]), from: 1)
        bridge.send(.prioritise([1], by: 1), from: 1)
        #expect(bridge.changeURL(of: 1, to: fixture.server.url("/other"), from: 2).isFailure == false)
        #expect(bridge.send(.undo(.prioritise([1], by: -1)), from: 1).refusals.map(\.id) == [1])
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
