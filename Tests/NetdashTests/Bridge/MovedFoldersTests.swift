import Foundation
import LoopbackServer
import Testing

@testable import TransferService
@testable import netdash

@Suite("Folders that moves make", .timeLimit(.minutes(1)))
struct MovedFoldersTests {
    @Test("A move back removes the empty folders that the move has made, and no others")
    func movingBack() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        fixture.server.setRoute("/f.bin", .file(seed: 1, count: 1000))
        fixture.bridge.add([fixture.job(.download, "/f.bin")])
        try #require(fixture.observer.waitForEnds())
        let (manager, root) = (FileManager.default, fixture.folder.path)
        let home = root + "/f.bin"
        try manager.createDirectory(atPath: root + "/own", withIntermediateDirectories: true)
        for (place, rest) in [("new/deep/f.bin", ["f.bin", "own"]), ("own/deep/f.bin", ["f.bin", "own"])] {
            #expect(try fixture.bridge.moveFile(of: 1, to: root + "/" + place).get() == root + "/" + place)
            #expect(try fixture.bridge.moveFile(of: 1, to: home).get() == home)
            #expect(try manager.contentsOfDirectory(atPath: root).sorted() == rest)
        }
        #expect(try manager.contentsOfDirectory(atPath: root + "/own").isEmpty)
        _ = try fixture.bridge.moveFile(of: 1, to: root + "/new/deep/f.bin").get()
        try Data().write(to: fixture.folder.appending(path: "new/mine"))
        _ = try fixture.bridge.moveFile(of: 1, to: home).get()
        #expect(try manager.subpathsOfDirectory(atPath: root).sorted() == ["f.bin", "new", "new/mine", "own"])
    }

    @Test("The last of several files that are moved back removes the folders that the first one has made")
    func movingSeveralBack() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let names = ["a", "b", "c"]
        for name in names {
            fixture.server.setRoute("/" + name, .file(seed: 1, count: 10))
            fixture.bridge.add([fixture.job(.download, "/" + name)])
        }
        try #require(fixture.observer.waitForEnds(3))
        let root = fixture.folder.path
        for folder in ["/new/deep/", "/"] {
            for (id, name) in zip(UInt64(1)..., names) {
                #expect(try fixture.bridge.moveFile(of: id, to: root + folder + name).get() == root + folder + name)
            }
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: root).sorted() == names)
    }

    @Test("A partial file that is moved back leaves none of the folders that its move has made")
    func movingPartBack() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "rest")
        let file = Behaviour.file(seed: 1, count: 400_000)
        fixture.server.setRoute("/f.bin", file.stalling(after: 200_000, until: gate))
        fixture.bridge.add([fixture.job(.download, "/f.bin")])
        try #require(gate.waitForArrivals())
        // The server has sent its bytes; a task without any would have no file to move.
        try #require(fixture.observer.wait { _ in fixture.bridge.figures(of: [1]).first.map(\.received) ?? 0 > 0 })
        let (manager, root) = (FileManager.default, fixture.folder.path)
        try manager.createDirectory(atPath: root + "/own", withIntermediateDirectories: true)
        var ends = 0
        func move(to place: String) throws {
            fixture.bridge.send(.cancel([1], deletingParts: false))
            ends += 1
            try #require(fixture.observer.waitForEnds(ends))
            #expect(try fixture.bridge.moveFile(of: 1, to: root + place).get() == root + place)
        }
        for folder in ["/new/deep", "/own/deep"] {
            try move(to: folder + "/f.bin")
            #expect(try manager.contentsOfDirectory(atPath: root + folder).count == 2)
            try move(to: "/f.bin")
            #expect(try manager.contentsOfDirectory(atPath: root).filter { !$0.hasPrefix(".") } == ["own"])
            #expect(try manager.contentsOfDirectory(atPath: root + "/own").isEmpty)
        }
        gate.release()
    }
}
