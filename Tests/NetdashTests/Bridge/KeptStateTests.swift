import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Rows that keep their state while their file or URL changes", .timeLimit(.minutes(1)))
struct KeptStateTests {
    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var bridge: LocalService { fixture.bridge }

    init() throws { fixture = try BridgeFixture { $0.retries = 0 } }

    @Test("A paused row takes another URL and another path, stays paused, and that is what the line says")
    func pausedRow() throws {
        defer { fixture.end() }
        let gate = try server.gate(named: "half")
        server.setRoute("/signed-1/f.bin", Behaviour.file(count: 4_000_000).stalling(after: 2_000_000, until: gate))
        bridge.add([fixture.job(.download, "/signed-1/f.bin")])
        try #require(gate.waitForArrivals())
        bridge.send(.pause([1]))
        try #require(observer.wait { _ in bridge.figures(of: [1]).first?.state == .paused })
        let url = server.url("/signed-2/f.bin")
        let message = FileEffects.changeURL(of: 1, to: url, in: bridge)
        #expect(message == .toast(EffectToasts.changesURLOfPaused, isError: false))
        try #require(observer.wait { _ in bridge.row(1)?.job.url == url })
        try #require(observer.wait { _ in bridge.figures(of: [1]).first?.state == .paused })
        gate.release()
        let moved = FileEffects.move(1, to: "sub/g.bin", in: bridge)
        #expect(moved == .toast(EffectToasts.changesPathOfPaused, isError: false))
        try #require(observer.wait { _ in bridge.snapshots(of: [1]).first?.name.string == "g.bin" })
        try #require(observer.wait { _ in bridge.figures(of: [1]).first?.state == .paused })
        #expect(server.requests(for: "/signed-2/f.bin").isEmpty)
    }
}
