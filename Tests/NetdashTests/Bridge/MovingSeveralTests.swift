import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Moving several files", .timeLimit(.minutes(1)))
struct MovingSeveralTests {
    private let fixture: BridgeFixture

    init() throws {
        fixture = try BridgeFixture {
            $0.retries = 0
            $0.maximumConcurrent = 1
        }
    }

    @Test("Of several files the last message says how many were moved, and an undo tells nothing of the others")
    func movingSeveral() throws {
        defer { fixture.end() }
        for name in ["a", "b"] {
            fixture.server.setRoute("/" + name, .file(seed: 1, count: 1000))
            fixture.bridge.add([fixture.job(.download, "/" + name)])
        }
        try #require(fixture.observer.waitForEnds(2))
        let folder = fixture.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/ex", withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: fixture.folder.appending(path: "ex/a"))
        let there = FileEffects.move([1, 2].map { FilePlace(id: $0, path: folder + "/ex/") }, in: fixture.bridge)
        guard case .toast(let sentence, isError: true)? = there.last else {
            Issue.record("\(there)")
            return
        }
        #expect(there.count == 3 && sentence.string.hasPrefix("Moved 1 of 2 files: "))
        #expect(["/a", "/ex/b"].allSatisfy { FileManager.default.fileExists(atPath: folder + $0) })
        let places = [FilePlace(id: 1, path: folder + "/a"), FilePlace(id: 2, path: folder + "/b")]
        let back = FileEffects.move(places, isUndo: true, in: fixture.bridge)
        #expect(back == [.toast(EffectToasts.moved(SafeText(untrusted: folder + "/b")), isError: false)])
    }
}
