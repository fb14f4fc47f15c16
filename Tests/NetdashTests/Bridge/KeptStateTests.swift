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

    private func size(of name: String) -> Int? {
        FileManager.default.contents(atPath: fixture.folder.path + "/" + name)?.count
    }

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
        let moved = FileEffects.move(FilePlace(id: 1, path: ""), to: "sub/g.bin", in: bridge)
        #expect(moved == [.toast(EffectToasts.changesPathOfPaused, isError: false)])
        try #require(observer.wait { _ in bridge.snapshots(of: [1]).first?.name.string == "g.bin" })
        try #require(observer.wait { _ in bridge.figures(of: [1]).first?.state == .paused })
        #expect(server.requests(for: "/signed-2/f.bin").isEmpty)
    }

    @Test("The file of a wrong checksum moves, also back, and its row stays failed for its reason")
    func movingWrongFile() throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .file(seed: 1, count: 1000))
        var job = fixture.job(.download, "/f.bin")
        job.checksum = Job.Checksum(algorithm: .md5, hex: String(repeating: "0", count: 32))
        bridge.add([job])
        try #require(observer.waitForEnds())
        let kept = try #require(bridge.path(of: 1))
        #expect(kept.hasSuffix(".part.bad") && bridge.details(of: 1)?.keepsWrongFile == true)
        let target = fixture.folder.path + "/wrong.bin"
        #expect(try bridge.moveFile(of: 1, to: "wrong.bin").get() == target)
        #expect(size(of: "wrong.bin") == 1000 && !FileManager.default.fileExists(atPath: kept))
        #expect(bridge.details(of: 1)?.keepsWrongFile == false)
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .failed && row.error?.string.contains("checksum mismatch") == true)
        #expect(row.error?.string.hasSuffix(target) == true, "\(row.error?.string ?? "")")
        #expect(bridge.path(of: 1) == target)
        try Data("mine".utf8).write(to: fixture.folder.appending(path: "taken"))
        #expect(throws: TransferFailure.self) { try bridge.moveFile(of: 1, to: "taken").get() }
        #expect(try bridge.moveFile(of: 1, to: kept).get() == kept)
        #expect(bridge.figures(of: [1]).first?.state == .failed && size(of: "wrong.bin") == nil)
    }

    @Test("A download that failed without a byte has no file to move, and stays failed for its reason")
    func nothingToMove() throws {
        defer { fixture.end() }
        server.setRoute("/f.bin", .respond(.text("no", status: 404)))
        bridge.add([fixture.job(.download, "/f.bin")])
        try #require(observer.waitForEnds())
        let place = FilePlace(id: 1, path: "f.bin")
        let message = FileEffects.move(place, to: "g.bin", in: bridge)
        #expect(message == [.notMoved([place]), .toast(SafeText(untrusted: ServiceErrors.noFile), isError: true)])
        let row = try #require(bridge.snapshots(of: [1]).first)
        #expect(row.state == .failed && row.error?.string.contains("404") == true)
        #expect(row.name.string == "f.bin")
    }
}
