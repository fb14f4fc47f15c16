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
        let places = [FilePlace(id: 1, path: folder + "/a"), FilePlace(id: 2, path: folder + "/b")]
        let there = FileEffects.move(places, to: folder + "/ex/", in: fixture.bridge)
        guard case .toast(let sentence, isError: true)? = there.last else {
            Issue.record("\(there)")
            return
        }
        #expect(there.first == .notMoved([places[0]]))
        #expect(there.count == 4 && sentence.string.hasPrefix("Moved 1 of 2 files: "))
        #expect(["/a", "/ex/b"].allSatisfy { FileManager.default.fileExists(atPath: folder + $0) })
        let back = FileEffects.moveBack(places, in: fixture.bridge)
        #expect(back == [.toast(EffectToasts.moved(SafeText(untrusted: folder + "/b")), isError: false)])
    }

    @Test("The message of several files says how many were moved and to which folder, and how many wait for it")
    func countsAndFolder() throws {
        defer { fixture.end() }
        for name in ["a", "b"] {
            fixture.server.setRoute("/" + name, .file(seed: 1, count: 1000))
            fixture.bridge.add([fixture.job(.download, "/" + name)])
        }
        try #require(fixture.observer.waitForEnds(2))
        var waiting = fixture.job(.download, "/c")
        waiting.startsPaused = true
        fixture.bridge.add([waiting])
        let folder = fixture.folder.path
        let files = zip(1...3, ["a", "b", "c"]).map { FilePlace(id: $0, path: folder + "/" + $1) }
        func last(_ messages: [Message]) -> String {
            guard case .toast(let sentence, isError: false)? = messages.last else { return "\(messages)" }
            return sentence.string
        }
        #expect(
            last(FileEffects.move(Array(files[...1]), to: folder + "/ex/", in: fixture.bridge))
                == "Moved 2 files to \(folder)/ex")
        let sentence = "Moved 2 files to \(folder)/other; 1 download takes the new path"
        #expect(last(FileEffects.move(files, to: folder + "/other/", in: fixture.bridge)) == sentence)
        #expect(last(FileEffects.moveBack(Array(files[...1]), in: fixture.bridge)) == "Moved 2 files back")
    }
}
