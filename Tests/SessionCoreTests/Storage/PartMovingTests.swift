import Foundation
import Glibc
import Testing

@testable import SessionCore

@Suite("Parts that get another URL or another place")
struct PartMovingTests {
    private let temporary: StorageTemporaryFolder
    private let old = "http://h/f.bin?version=1"
    private let new = "http://h/f.bin?version=2"

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    /// A part of a download with a strong validator that was given up in the middle.
    private func leavePart(
        _ name: DownloadTarget.Name = .automatic, count: Int = 1000, ranges: String? = nil
    ) throws {
        var metadata = StoredMetadata(url: old, finalURL: old, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = 2000
        metadata.acceptRanges = ranges
        let part = try PartFile.create(
            in: temporary.folder, url: old, name: name, finalName: "f.bin", metadata: metadata)
        let bytes = [UInt8](repeating: 7, count: count)
        try bytes.withUnsafeBytes { try part.write($0, at: 0) }
        part.promise()
        try part.checkpoint(offset: Int64(count))
        part.close()
    }

    /// Two parts of one URL and name, as two tasks leave them; returns the path of the shorter one.
    private func leaveTwo() throws -> String {
        try leavePart(.fixed("f.bin"))
        let first = try temporary.names()
        let held = try #require(
            try PartFile.adopt(in: Folder(path: temporary.path), url: old, name: .fixed("f.bin")))
        try leavePart(.fixed("f.bin"), count: 400)
        held.part.promise()
        try held.part.checkpoint(offset: 1000)
        held.part.close()
        let second = try #require(try temporary.names().first { $0.hasSuffix(".part") && !first.contains($0) })
        return temporary.path + "/" + second
    }

    @Test("A part whose folder is gone holds up no change of its download")
    func goneFolder() throws {
        let path = temporary.path + "/gone/.f.bin.1.part"
        let there = temporary.path + "/there"
        #expect(try target().movePart(of: old, at: path, to: target(there), url: new) == nil)
    }

    /// Whether each part stays for a later download.
    private var promises: [Bool] {
        get throws {
            let metas = try temporary.names().filter { $0.hasSuffix(".meta") }
            return metas.map { PartFile.readMeta($0, in: temporary.folder)?.isPromised == true }
        }
    }

    private func target(_ folder: String? = nil, _ name: DownloadTarget.Name = .automatic) -> DownloadTarget {
        DownloadTarget(folder: folder ?? temporary.path, name: name)
    }

    private func kept(_ url: String, _ folder: String? = nil, _ name: DownloadTarget.Name) -> Int64 {
        target(folder, name).existing(url: url).keptBytes
    }

    @Test(
        "The part of one URL is that of another one afterwards, with what is known of its file, and of the old one no more"
    )
    func newURL() throws {
        try leavePart()
        let moved = try #require(try target().movePart(of: old, to: target(), url: new))
        #expect(moved == DownloadTarget.MovedPart(keptBytes: 1000, name: "f.bin", resumability: .unknown))
        #expect(kept(new, .fixed("f.bin")) == 1000)
        #expect(kept(old, .automatic) == 0)
        #expect(try temporary.names().count == 2)
        let adopted = try #require(
            try PartFile.adopt(in: Folder(path: temporary.path), url: new, name: .fixed("f.bin")))
        #expect(adopted.metadata.entityTag == "\"one\"" && adopted.metadata.length == 2000)
        #expect(adopted.loss == nil && adopted.validLength == 1000)
        adopted.part.close()
    }

    private func kept(_ url: String, _ name: DownloadTarget.Name) -> Int64 { kept(url, nil, name) }

    @Test("The meta that a killed mover left behind goes with the next use of the part in another process")
    func killedMover() throws {
        try leavePart(.fixed("f.bin"))
        let before = try temporary.names().filter { $0.hasSuffix(".meta") }
        let left = try #require(before.first)
        let bytes = try #require(FileManager.default.contents(atPath: temporary.path + "/" + left))
        let folder = temporary.path + "/new"
        _ = try target(nil, .fixed("f.bin")).movePart(of: old, to: target(folder, .fixed("f.bin")), url: old) { _ in
            // What a kill at this moment would leave.
            let meta = FileManager.default.contents(atPath: temporary.path + "/" + left)
            return (try? meta?.write(to: URL(fileURLWithPath: temporary.path + "/kept"))) != nil
        }
        #expect(bytes != FileManager.default.contents(atPath: temporary.path + "/kept"))
        try FileManager.default.moveItem(atPath: temporary.path + "/kept", toPath: temporary.path + "/" + left)
        // The mover's own process waits until its row is saved.
        try #require(try PartFile.adopt(in: Folder(path: folder), url: old, name: .fixed("f.bin"))).part.close()
        #expect(try temporary.names().contains(left))
        let there = try Folder(path: folder)
        let name = String(left)
        var meta = try #require(PartFile.readMeta(name, in: there))
        meta.movedFrom = PartMove("1 " + temporary.path + "/" + name.dropLast(FileNames.metaSuffix.count))
        try Data(meta.encoded()).write(to: URL(fileURLWithPath: folder + "/" + name))
        let adopted = try #require(try PartFile.adopt(in: there, url: old, name: .fixed("f.bin")))
        #expect(adopted.validLength == 1000)
        adopted.part.close()
        #expect(try !temporary.names().contains(left))
    }

    @Test("Bytes of another URL give way to the fewer bytes of a different file that the URL itself has sent")
    func refuted() throws {
        try leavePart()
        _ = try target().movePart(of: old, to: target(), url: new)
        var metadata = StoredMetadata(url: new, finalURL: new, method: "GET", status: 200)
        metadata.entityTag = "\"two\""
        metadata.length = 2000
        let part = try PartFile.create(
            in: temporary.folder, url: new, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
        try [UInt8](repeating: 8, count: 100).withUnsafeBytes { try part.write($0, at: 0) }
        part.promise()
        try part.checkpoint(offset: 100)
        part.close()
        #expect(kept(new, .fixed("f.bin")) == 100)
        let moved = try #require(
            try target(nil, .fixed("f.bin")).movePart(of: new, to: target(nil, .fixed("g.bin")), url: new))
        #expect(moved.keptBytes == 100)
        #expect(try temporary.names().count == 2, "the refuted part is removed")
    }

    @Test(
        "The longer of two parts is kept, but for one of another URL whose file is a different one",
        arguments: [
            (false, "\"one\"", false), (false, "\"two\"", false), (true, "\"one\"", false), (true, "\"two\"", true),
        ])
    func worth(isFromAnotherURL: Bool, tag: String, isKept: Bool) {
        var other = StoredMetadata(url: new, finalURL: old, method: "GET", status: 200)
        (other.entityTag, other.length, other.isFromAnotherURL) = ("\"one\"", 2000, isFromAnotherURL)
        var own = StoredMetadata(url: new, finalURL: new, method: "GET", status: 200)
        (own.entityTag, own.length) = (tag, 2000)
        #expect(own.isWorthMore(100, than: other, 1000) == isKept)
        #expect(other.isWorthMore(1000, than: own, 100) == !isKept)
        #expect(!own.isWorthMore(0, than: other, 1000), "no byte proves nothing")
    }

    @Test("A part moves to another folder and another name")
    func newPlace() throws {
        try leavePart()
        let folder = temporary.path + "/other"
        let there = target(folder, .fixed("g.bin"))
        #expect(try target().movePart(of: old, to: there, url: old)?.keptBytes == 1000)
        #expect(kept(old, folder, .fixed("g.bin")) == 1000)
        #expect(kept(old, .automatic) == 0)
        #expect(try temporary.names() == ["other"])
    }

    @Test("Without a part, or with one that somebody else has changed, there is nothing to move")
    func nothing() throws {
        #expect(try target().movePart(of: old, to: target(), url: new) == nil)
        try leavePart()
        let name = try #require(try temporary.names().first { $0.hasSuffix(".part") })
        let file = open(temporary.path + "/" + name, O_WRONLY)
        #expect(pwrite(file, "x", 1, 5) == 1)
        close(file)
        let moved = try target().movePart(of: old, to: target(), url: new)
        #expect((moved?.keptBytes ?? 0) == 0)
        #expect(kept(new, .fixed("f.bin")) == 0)
    }

    @Test("A part that a transfer writes stays where it is")
    func inUse() throws {
        try leavePart()
        let locked = try #require(try PartFile.adopt(in: Folder(path: temporary.path), url: old, name: .automatic))
        #expect(throws: SessionError.self) { try target().movePart(of: old, to: target(), url: new) }
        locked.part.close()
        #expect(kept(old, .automatic) == 1000)
    }

    @Test(
        "What the part says about going on is known before any request",
        arguments: [("bytes", Resumability.yes), ("none", .no), (nil, .unknown)] as [(String?, Resumability)])
    func resumability(ranges: String?, expected: Resumability) throws {
        try leavePart(ranges: ranges)
        let name = try #require(try temporary.names().first { $0.hasSuffix(".part") })
        var stored = try StoredTransfer(
            storing: TransferRequest(url: old), id: TransferID(rawValue: 1), kind: .download,
            destination: .target(target()), createdAt: 0)
        // A program that is killed has counted what the part has not got.
        stored.counts.received = 1300
        let kept: Int64 = expected == .no ? 0 : 1000
        // It has written down no path either.
        #expect(stored.partResumability == expected && stored.keptBytes == kept && !stored.hasLostPart)
        // Nor has it of a request with options, which are not stored, and are asked for again.
        stored.needsCredentials = true
        #expect(stored.partResumability == expected && stored.keptBytes == kept && !stored.hasLostPart)
        stored.request.url = "http://h/other.bin"
        #expect(stored.partResumability == nil && stored.keptBytes == nil && !stored.hasLostPart)
        stored.partPath = temporary.path + "/" + name
        #expect(stored.partResumability == expected && stored.keptBytes == kept && !stored.hasLostPart)
        stored.partPath = temporary.path + "/gone.part"
        #expect(stored.partResumability == nil && stored.keptBytes == nil && stored.hasLostPart)
        #expect(try target().movePart(of: old, to: target(), url: new)?.resumability == expected)
    }

    @Test("Where nobody knows the part's path it is looked for, unless its URL was stored without secrets")
    func lostPart() throws {
        let plain = "http://h/f.bin"
        var metadata = StoredMetadata(url: plain, finalURL: plain, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        let part = try PartFile.create(
            in: temporary.folder, url: plain, name: .automatic, finalName: "f.bin", metadata: metadata)
        try [UInt8](repeating: 7, count: 100).withUnsafeBytes { try part.write($0, at: 0) }
        part.close()
        func isLost(_ url: String) throws -> Bool {
            try StoredTransfer(
                storing: TransferRequest(url: url), id: TransferID(rawValue: 1), kind: .download,
                destination: .target(target()), createdAt: 0
            ).hasLostPart
        }
        #expect(try !isLost(plain) && isLost("http://h/g.bin") && !isLost("http://h/f.bin?signature=s"))
        part.discard()
        #expect(try isLost(plain))
    }

    /// What a process finds that is started after one that was killed.
    private func found(_ url: String, _ name: DownloadTarget.Name) throws -> Int64? {
        let adopted = try PartFile.adopt(in: Folder(path: temporary.path), url: url, name: name)
        adopted?.part.close()
        return adopted?.validLength
    }

    @Test(
        "Until somebody has written down where the part is, the old URL has it back, whatever the move had come to",
        arguments: [nil, "remove", "leave half"])
    func killedBeforeKept(metaAtNewPlace: String?) throws {
        try leavePart()
        var isFound = false
        let moved = try target().movePart(of: old, to: target(temporary.path + "/other", .fixed("g")), url: new) { _ in
            for name in (try? Folder(path: temporary.path + "/other").names()) ?? [] where name.hasSuffix(".meta") {
                let path = temporary.path + "/other/" + name
                if metaAtNewPlace == "remove" { unlink(path) }
                // Written, and not yet renamed.
                if metaAtNewPlace == "leave half" { rename(path, path.dropLast(5) + FileNames.temporaryMetaSuffix) }
            }
            isFound = (try? found(old, .automatic)) == 1000
            return false
        }
        #expect(moved == nil && isFound)
        #expect(try found(old, .automatic) == 1000)
        #expect(try Folder(path: temporary.path + "/other").names().isEmpty)
        #expect(try temporary.names().count == 3)
    }

    @Test("Bytes that came at the new place before the kill are there when the part is brought back")
    func writtenBeforeBroughtBack() throws {
        try leavePart()
        _ = try target().movePart(of: old, to: target(), url: new) { _ in
            if let adopted = try? PartFile.adopt(in: Folder(path: temporary.path), url: new, name: .fixed("f.bin")) {
                let bytes = [UInt8](repeating: 8, count: 500)
                try? bytes.withUnsafeBytes { try adopted.part.write($0, at: 1000) }
                adopted.part.close()
            }
            return false
        }
        #expect(try found(old, .automatic) == 1500)
        #expect(try found(new, .fixed("f.bin")) == nil)
    }

    @Test("A part that is somebody's at its new place is not brought back")
    func heldAtNewPlace() throws {
        try leavePart()
        var locked: PartFile.Adopted?
        _ = try target().movePart(of: old, to: target(), url: new) { _ in
            locked = try? PartFile.adopt(in: Folder(path: temporary.path), url: new, name: .fixed("f.bin"))
            return false
        }
        #expect(try found(old, .automatic) == nil)
        locked?.part.close()
        #expect(try found(new, .fixed("f.bin")) == 1000)
    }

    @Test("Of two parts of one URL and name, the task's own is moved or removed, and the other one stays promised")
    func twoParts() throws {
        let there = target(nil, .fixed("f.bin"))
        let path = try leaveTwo()
        #expect(try promises == [true, true])
        there.discardPart(of: old)
        #expect(try promises == [true, true], "nobody knows whose they are")
        let other = target(temporary.path + "/other", .fixed("f.bin"))
        #expect(try there.movePart(of: old, at: path, to: other, url: old)?.keptBytes == 400)
        #expect(kept(old, .fixed("f.bin")) == 1000)
        #expect(try promises == [true])
        there.discardPart(of: old, at: path)
        #expect(kept(old, .fixed("f.bin")) == 1000, "its own part is gone")
        there.discardPart(of: old)
        #expect(kept(old, .fixed("f.bin")) == 0)
    }

    @Test("One of two parts is removed by its path")
    func removedByPath() throws {
        target(nil, .fixed("f.bin")).discardPart(of: old, at: try leaveTwo())
        #expect(kept(old, .fixed("f.bin")) == 1000)
        #expect(try promises == [true])
    }

    @Test("A move that is refused leaves the part promised", arguments: [true, false])
    func refusedMove(isMoved: Bool) throws {
        try leavePart(.fixed("f.bin"))
        let (here, there) = (target(nil, .fixed("f.bin")), target(temporary.path + "/a"))
        if isMoved {
            #expect(try here.movePart(of: old, to: there, url: new) { _ in false } == nil)
        } else {
            try Data().write(to: URL(fileURLWithPath: there.folder))
            #expect(throws: SessionError.self) { try here.movePart(of: old, to: there, url: new) }
        }
        #expect(try promises == [true])
        #expect(kept(old, .fixed("f.bin")) == 1000)
    }

    @Test("Where it stays is no move, and the part is as good as before")
    func samePlace() throws {
        try leavePart(.fixed("f.bin"))
        let same = target(nil, .fixed("f.bin"))
        #expect(try same.movePart(of: old, to: same, url: old)?.keptBytes == 1000)
        #expect(kept(old, .fixed("f.bin")) == 1000)
        #expect(try promises == [true])
    }

    @Test("The folders of a move stay with the part, and go where it is moved back", arguments: [true, false])
    func madeFolders(isKept: Bool) throws {
        try leavePart()
        let made = temporary.path + "/a/b"
        if isKept {
            _ = try target().movePart(of: old, to: target(made), url: new)
            #expect(kept(new, made, .fixed("f.bin")) == 1000)
        } else {
            #expect(try target().movePart(of: old, to: target(made), url: new) { _ in false } == nil)
            #expect(temporary.folder.status("a") == nil)
            #expect(kept(old, .automatic) == 1000)
        }
    }

    @Test(
        "A move to another file system is refused and makes no folder there, and an older one stays",
        .enabled(if: StorageTemporaryFolder.otherFileSystem != nil))
    func otherFileSystem() throws {
        try leavePart()
        let other = try StorageTemporaryFolder(in: try #require(StorageTemporaryFolder.otherFileSystem))
        #expect(throws: SessionError.self) {
            try target().movePart(of: old, to: target(other.path + "/a/b"), url: new)
        }
        #expect(try other.names().isEmpty)
        #expect(throws: SessionError.self) { try target().movePart(of: old, to: target(other.path), url: new) }
        #expect(try Folder(path: other.path, creating: false).names().isEmpty)
        #expect(kept(old, .automatic) == 1000)
        #expect(try promises == [true])
    }
}
