import Glibc
import Testing

@testable import SessionCore

@Suite("Parts that get another URL or another place")
struct PartMovingTests {
    private let temporary: StorageTemporaryFolder
    private let old = "http://h/f.bin?signature=old"
    private let new = "http://h/f.bin?signature=new"

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    /// A part of a download with a strong validator that was given up in the middle.
    private func leavePart(_ name: DownloadTarget.Name = .automatic, count: Int = 1000) throws {
        var facts = StoredFacts(url: old, finalURL: old, method: "GET", status: 200)
        facts.entityTag = "\"one\""
        facts.length = 2000
        let part = try PartFile.create(in: temporary.folder, url: old, name: name, finalName: "f.bin", facts: facts)
        let bytes = [UInt8](repeating: 7, count: count)
        try bytes.withUnsafeBytes { try part.write($0, at: 0) }
        part.promise()
        try part.checkpoint(offset: Int64(count))
        part.close()
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
        #expect(moved == DownloadTarget.MovedPart(keptBytes: 1000, name: "f.bin"))
        #expect(kept(new, .fixed("f.bin")) == 1000)
        #expect(kept(old, .automatic) == 0)
        #expect(try temporary.names().count == 2)
        let adopted = try #require(
            try PartFile.adopt(in: Folder(path: temporary.path), url: new, name: .fixed("f.bin")))
        #expect(adopted.facts.entityTag == "\"one\"" && adopted.facts.length == 2000)
        #expect(adopted.loss == nil && adopted.validLength == 1000)
        adopted.part.close()
    }

    private func kept(_ url: String, _ name: DownloadTarget.Name) -> Int64 { kept(url, nil, name) }

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
        let held = try #require(try PartFile.adopt(in: Folder(path: temporary.path), url: old, name: .automatic))
        #expect(throws: SessionError.self) { try target().movePart(of: old, to: target(), url: new) }
        held.part.close()
        #expect(kept(old, .automatic) == 1000)
    }

    @Test("Where it stays is no move, and the part is as good as before")
    func samePlace() throws {
        try leavePart(.fixed("f.bin"))
        let same = target(nil, .fixed("f.bin"))
        #expect(try same.movePart(of: old, to: same, url: old)?.keptBytes == 1000)
        #expect(kept(old, .fixed("f.bin")) == 1000)
    }
}
