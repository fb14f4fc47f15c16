import Foundation
import Testing

@testable import FleetTransfers

@Suite("The folders of a spool")
struct SpoolFoldersTests {
    private let spool: String

    init() throws { spool = try SimulatedFolder().path }

    private func make(_ folders: String...) throws {
        for folder in folders {
            try FileManager.default.createDirectory(atPath: spool + "/" + folder, withIntermediateDirectories: true)
        }
    }

    private func write(_ name: String) throws {
        try "part".write(toFile: spool + "/" + name, atomically: true, encoding: .utf8)
    }

    private func has(_ path: String) -> Bool { access(spool + "/" + path, F_OK) == 0 }

    @Test("A folder goes some time after its last job, unless it has something else in it")
    func leaves() throws {
        try make("a/b/c", "d")
        var folders = SpoolFolders()
        for destination in ["a/b/c/1", "a/b/2", "d/3", "4"] { folders.use(destination) }
        folders.leave("a/b/c/1", at: 10)
        folders.remove(leftBefore: 10, in: spool)
        #expect(has("a/b/c"), "the next job may have the same one")
        for moment in [11.0, 17] { folders.remove(leftBefore: moment, in: spool) }
        #expect(!has("a/b/c") && has("a/b"), "another job uses it")
        try write("a/.5.part")
        folders.leave("a/b/2", at: 20)
        folders.leave("4", at: 20)
        folders.leave("d/3", at: 20)
        folders.use("d/6")
        for moment in [21.0, 27] { folders.remove(leftBefore: moment, in: spool) }
        #expect(!has("a/b") && has("a/.5.part") && has("d"))
        folders.leave("d/6", at: 30)
        folders.removeAll(in: spool)
        #expect(!has("d") && folders.isEmpty)
    }

    @Test("A folder in which another worker has just had a file stays until it is left there too")
    func ofAnother() throws {
        try make("a")
        var folders = SpoolFolders()
        folders.use("a/2")
        folders.leave("a/2", at: 10)
        for moment in [20.0, 26, 32] {
            folders.remove(leftBefore: moment, in: spool)
            #expect(has("a") && !folders.isEmpty)
            // The change must be told apart by the file system's clock.
            let before = try modification()
            eventually("another one has had a file") {
                try? write("a/.1.part")
                unlink(spool + "/a/.1.part")
                return (try? modification()) != before
            }
        }
        folders.remove(leftBefore: 38, in: spool)
        #expect(has("a"))
        folders.remove(leftBefore: 44, in: spool)
        #expect(!has("a") && folders.isEmpty)
    }

    private func modification() throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: spool + "/a")[.modificationDate] as? Date
    }

    @Test("An empty folder makes room for a file of its name, and one that is used or has a part does not")
    func makesRoom() throws {
        try make("a/b/c", "d/e", "f/g")
        try write("f/g/.1.part")
        var folders = SpoolFolders()
        folders.use("d/e/2")
        for name in ["a", "d", "f", "none"] { folders.makeRoom(for: name, in: spool) }
        #expect(!has("a") && has("d/e") && has("f/g/.1.part"))
    }
}
