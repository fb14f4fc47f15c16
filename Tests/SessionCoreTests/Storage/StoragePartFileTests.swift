import CLinux
import Glibc
import Testing

@testable import SessionCore

@Suite("Part files")
struct StoragePartFileTests {
    private let temporary: StorageTemporaryFolder
    private let url = "http://h/f.bin?token=secret"
    private var folder: Folder { temporary.folder }

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func metadata(length: Int64? = 10) -> StoredMetadata {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = length
        return metadata
    }

    private func create(_ name: DownloadTarget.Name = .fixed("f.bin"), finalName: String = "f.bin") throws -> PartFile {
        try PartFile.create(in: folder, url: url, name: name, finalName: finalName, metadata: metadata())
    }

    private func adopt(_ name: DownloadTarget.Name = .fixed("f.bin")) throws -> PartFile.Adopted? {
        // A fresh instance, as in a later run: nothing is known about the folder's contents.
        try PartFile.adopt(in: Folder(path: temporary.path), url: url, name: name)
    }

    /// The bytes that a look from outside promises.
    private func promised(_ name: DownloadTarget.Name = .fixed("f.bin"), adopting: Bool = true) -> Int64 {
        DownloadTarget(folder: temporary.path, name: name, adoptsPart: adopting).existing(url: url).keptBytes
    }

    /// Rewrites a part's meta as another run of the machine would have left it.
    private func rewriteMeta(of part: PartFile, _ change: (inout PartMeta) -> Void) throws {
        var meta = try #require(PartFile.readMeta(part.metaName, in: folder))
        change(&meta)
        try temporary.write(String(decoding: meta.encoded(), as: UTF8.self), to: part.metaName)
    }

    @Test("A new part is hidden, private and described from the start")
    func creation() throws {
        let part = try create()
        #expect(part.name.hasPrefix(".f.bin.") && part.name.hasSuffix(".part"))
        #expect(try temporary.names() == [part.name, part.metaName])
        var raw = stat()
        #expect(stat(part.path, &raw) == 0 && raw.st_mode & 0o777 == 0o600)
        #expect(PartFile.readMeta(part.metaName, in: folder)?.identity == part.identity)
        part.discard()
        #expect(try temporary.names().isEmpty)
    }

    @Test("Bytes are written where they belong and compared where they overlap")
    func writing() throws {
        let part = try create()
        try part.write("world", at: 5)
        try part.write("hello", at: 0)
        #expect(try part.size() == 10)
        let matches = { (text: String, offset: Int64) in
            try Array(text.utf8).withUnsafeBytes { try part.matches($0, at: offset) }
        }
        #expect(try matches("lowo", 3))
        #expect(try !matches("lowx", 3))
        #expect(try !matches("worldly", 5))
        #expect(try matches("", 99))
        try part.truncate(to: 5)
        #expect(try temporary.read(part.name) == "hello")
        try part.reserve(from: 5, length: 1 << 16)
        #expect(try part.size() == 5)
    }

    @Test("After the crash of a process the size counts, whatever was synced", arguments: [false, true])
    func adoptionAfterProcessCrash(automatic: Bool) throws {
        let name: DownloadTarget.Name = automatic ? .automatic : .fixed("f.bin")
        let part = try create(name, finalName: automatic ? "from the server.zip" : "f.bin")
        try part.write("hello", at: 0)
        try part.checkpoint(offset: 5)
        #expect(try part.takeInHand())
        try part.write("!!", at: 5)
        part.close()
        let names = try temporary.names()
        #expect(promised(name) == 7)
        #expect(promised(name, adopting: false) == 0)
        #expect(try temporary.names() == names)
        let adopted = try #require(try adopt(name))
        #expect(adopted.validLength == 7)
        #expect(
            adopted.metadata
                == {
                    var metadata = metadata(); metadata.finalURL = "http://h/f.bin?token=***"; return metadata
                }())
        #expect(adopted.part.finalName == part.finalName)
        #expect(adopted.part.syncedOffset == 5)
    }

    @Test("After the crash of the machine only what was synced counts, and the rest is cut off")
    func adoptionAfterMachineCrash() throws {
        let part = try create()
        try part.write("hello", at: 0)
        try part.checkpoint(offset: 5)
        #expect(try part.takeInHand())
        try part.write("\0\0\0", at: 5)
        part.close()
        try rewriteMeta(of: part) {
            $0.bootIdentifier = "an earlier one"
            $0.identity.device += 1
        }
        let adopted = try #require(try adopt())
        #expect(adopted.validLength == 5)
        #expect(try temporary.read(part.name) == "hello")
    }

    @Test("A part that is shorter than what was synced, or longer than the file, is worth nothing")
    func implausibleSizes() throws {
        let part = try create()
        try part.write("hello", at: 0)
        try part.checkpoint(offset: 5)
        #expect(truncate(part.path, 3) == 0)
        part.close()
        #expect(try adopt()?.validLength == 0)
        try rewriteMeta(of: part) { $0.syncedOffset = 0 }
        #expect(truncate(part.path, 11) == 0)
        #expect(try adopt()?.validLength == 0)
    }

    @Test("Two holders of one part are impossible, and a third party gets a part of its own")
    func locking() throws {
        let part = try create()
        let error = #expect(throws: SessionError.self) { try adopt() }
        #expect(error?.code == .partInUse)
        #expect(error?.partPath == part.path)
        let other = try create()
        #expect(other.name != part.name)
        part.close()
        let adopted = try #require(try adopt())
        #expect(adopted.part.name == part.name)
        adopted.part.close()
        other.close()
    }

    @Test(
        "The part of a killed run that has no meta is used again, unless it has a second name or a holder",
        arguments: ["bytes", "meta", "link", "holder", "nothing"])
    func takingOver(reason: String) throws {
        let earlier = try create()
        let name = earlier.name
        if reason != "meta" { try #require(unlink(temporary.path + "/" + earlier.metaName) == 0) }
        if reason == "bytes" { try earlier.write("x", at: 0) }
        if reason == "link" { try #require(link(earlier.path, temporary.path + "/second") == 0) }
        if reason != "holder" { earlier.close() }
        try temporary.write("sessioncore-pa", to: name + FileNames.temporaryMetaSuffix)
        let isReused = reason == "nothing" || reason == "bytes"
        let part = try create()
        #expect((part.name == name) == isReused)
        #expect(try part.size() == 0)
        #expect(try temporary.names().contains(name + FileNames.temporaryMetaSuffix) == !isReused)
        part.close()
        earlier.close()
    }

    @Test("Only the very file that the meta describes is adopted")
    func identity() throws {
        let part = try create()
        try part.write("hello", at: 0)
        part.close()
        let copy = folder.path(of: "copy")
        #expect(rename(part.path, copy) == 0)
        try temporary.write("evil!", to: part.name)
        #expect(try adopt() == nil)
        #expect(try temporary.read(part.name) == "evil!")
        #expect(unlink(part.path) == 0 && link(copy, part.path) == 0)
        #expect(try adopt() == nil, "a file with a second name may be somebody else's")
        #expect(unlink(copy) == 0)
        #expect(try adopt() != nil)
    }

    @Test(
        "What is no plain file is never opened as a part, and a new part avoids it",
        arguments: ["link", "fifo", "folder"])
    func hostileParts(kind: String) throws {
        let part = try create()
        part.close()
        #expect(unlink(part.path) == 0)
        try temporary.write("victim", to: "victim")
        switch kind {
        case "link": #expect(symlink("victim", part.path) == 0)
        case "fifo": #expect(mkfifo(part.path, 0o600) == 0)
        default: #expect(mkdir(part.path, 0o700) == 0)
        }
        #expect(try adopt() == nil)
        let other = try create()
        #expect(other.name != part.name)
        try other.write("data", at: 0)
        #expect(try temporary.read("victim") == "victim")
    }

    @Test(
        "A part that nobody can go on with gives its name to the next one, instead of staying for ever",
        arguments: ["damaged", "missing", "other", "killed"])
    func unusableParts(kind: String) throws {
        let part = try create()
        try part.write("hello", at: 0)
        part.close()
        switch kind {
        case "damaged": try temporary.write("sessioncore-part 1\ngarbage", to: part.metaName)
        case "missing": #expect(unlink(temporary.path + "/" + part.metaName) == 0)
        case "other": try rewriteMeta(of: part) { $0.identity.inode += 1 }
        default:
            // A small file whose run ended between its last mode and its name.
            #expect(unlink(temporary.path + "/" + part.metaName) == 0)
            #expect(chmod(part.path, 0o644) == 0)
        }
        #expect(try adopt() == nil)
        let next = try create()
        #expect(next.name == part.name)
        #expect(try next.size() == 0)
        var raw = stat()
        #expect(stat(next.path, &raw) == 0 && raw.st_mode & 0o777 == 0o600)
        #expect(try temporary.names() == [next.name, next.metaName])
    }

    @Test("A meta that outlived its part is removed, and one whose part is there or has moved stays")
    func orphanedMetas() throws {
        let part = try create()
        try part.write("hello", at: 0)
        part.close()
        PartFile.removeOrphanedMetas(in: folder, url: url, name: .fixed("f.bin"))
        #expect(try temporary.names().contains(part.metaName))
        #expect(unlink(part.path) == 0)
        try rewriteMeta(of: part) { $0.movedTo = "/elsewhere" }
        PartFile.removeOrphanedMetas(in: folder, url: url, name: .fixed("f.bin"))
        #expect(try temporary.names() == [part.metaName])
        try rewriteMeta(of: part) { $0.movedTo = nil }
        PartFile.removeOrphanedMetas(in: folder, url: url, name: .fixed("f.bin"))
        #expect(try temporary.names().isEmpty)
    }

    @Test("A part in use keeps its name, whatever has become of its meta, and a folder in the meta's place is avoided")
    func usedParts() throws {
        let part = try create()
        try part.write("hello", at: 0)
        #expect(unlink(temporary.path + "/" + part.metaName) == 0)
        let other = try create()
        #expect(other.name != part.name)
        #expect(try temporary.read(part.name) == "hello")
        other.discard()
        part.discard()
        #expect(mkdir(temporary.path + "/" + part.metaName, 0o700) == 0)
        let third = try create()
        #expect(third.name != part.name)
        #expect(Set(try temporary.names()) == [part.metaName, third.name, third.metaName])
        rmdir(temporary.path + "/" + part.metaName)
    }

    @Test("A damaged meta, or that of another URL, adopts nothing")
    func foreignMetas() throws {
        let part = try create()
        try part.write("hello", at: 0)
        part.close()
        #expect(try PartFile.adopt(in: folder, url: url + "&id=1", name: .fixed("f.bin")) == nil)
        try rewriteMeta(of: part) { ($0.urlDigest, $0.resourceDigest) = ("0", "0") }
        #expect(try adopt() == nil)
        try temporary.write("sessioncore-part 1\n", to: part.metaName)
        #expect(try adopt() == nil)
        try temporary.write("", to: part.metaName)
        #expect(try adopt() == nil)
    }

    @Test("A link that was signed anew finds its part, unless there is one of its own, and proves a whole one")
    func signedAnew() throws {
        let other = "http://h/f.bin?token=another"
        let part = try create()
        try part.write("hello", at: 0)
        part.close()
        func look(_ url: String) throws -> PartFile.Adopted? {
            try PartFile.adopt(in: Folder(path: temporary.path), url: url, name: .fixed("f.bin"))
        }
        #expect(try look("http://h/f.bin?token=x&id=1") == nil)
        let found = try #require(try look(other))
        #expect(found.part.name == part.name && found.validLength == 5 && found.metadata.url == other)
        // Somebody else's while it is held, which is no reason to fail.
        #expect(try look(url) == nil)
        try found.part.write("world", at: 5)
        found.part.close()
        #expect(DownloadTarget(folder: temporary.path, name: .fixed("f.bin")).existing(url: url).keptBytes == 10)
        let complete = try #require(try look(url))
        #expect(complete.validLength == 9)
        complete.part.close()
        let own = try PartFile.create(
            in: folder, url: other, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata())
        try own.write("me", at: 0)
        own.close()
        let chosen = try #require(try look(other))
        #expect(chosen.part.name == own.name && chosen.validLength == 2)
        chosen.part.close()
        #expect(try look(url)?.validLength == 9)
    }

    @Test("A meta whose part is gone is removed")
    func orphanedMeta() throws {
        let part = try create()
        part.close()
        #expect(unlink(part.path) == 0)
        #expect(try adopt() == nil)
        #expect(try temporary.names().isEmpty)
    }

    @Test("A part can be adopted by its path")
    func adoptionByPath() throws {
        let part = try create(.automatic, finalName: "chosen.zip")
        try part.write("abc", at: 0)
        part.close()
        #expect(try PartFile.adopt(path: part.path, url: url)?.validLength == 3)
        #expect(try PartFile.adopt(path: part.path + "x", url: url) == nil)
    }

    @Test("A part of the same process is found by a folder that was scanned before it came")
    func scanCache() throws {
        #expect(try PartFile.adopt(in: folder, url: url, name: .automatic) == nil)
        let part = try create(.automatic, finalName: "late.zip")
        part.close()
        #expect(try PartFile.adopt(in: folder, url: url, name: .automatic)?.part.name == part.name)
    }

    @Test("A second generation has its own file and meta, and the longer one survives an interruption")
    func generations() throws {
        let older = try create()
        try older.write("old old", at: 0)
        let newer = try older.createReplacement(url: url, name: .fixed("f.bin"), metadata: metadata())
        #expect(newer.name != older.name)
        try newer.write("new", at: 0)
        older.close()
        newer.close()
        let kept = try #require(try adopt())
        #expect(kept.validLength == 7)
        #expect(try temporary.names() == [older.name, older.metaName])
        let next = try kept.part.createReplacement(url: url, name: .fixed("f.bin"), metadata: metadata())
        next.promote(over: kept.part)
        #expect(try temporary.names() == [next.name, next.metaName])
        #expect(PartFile.readMeta(next.metaName, in: folder)?.identity == next.identity)
    }

    @Test("A part that another task was promised stays when a task of the same URL and name resumes")
    func promisedToAnother() throws {
        let parts = try [7, 3].map { try promised(bytes: $0) }
        let first = try #require(try adopt())
        #expect(first.validLength == 7)
        #expect(try temporary.names().count == 4)
        let second = try #require(try adopt())
        #expect(second.validLength == 3)
        #expect(Set([first.part.name, second.part.name]) == Set(parts.map(\.name)))
        for part in [first.part, second.part] { try part.checkpoint(offset: 3) }
        first.part.close()
        second.part.close()
        try #require(try adopt()).part.close()
        #expect(try temporary.names().count == 2, "and none is kept that is no task's")
    }

    private func promised(bytes count: Int) throws -> PartFile {
        let part = try create()
        try part.write(String(repeating: "x", count: count), at: 0)
        part.promise()
        try part.checkpoint(offset: Int64(count))
        part.close()
        return part
    }

    @Test("Discarding deletes nothing that took the part's place")
    func discarding() throws {
        let part = try create()
        #expect(unlink(part.path) == 0)
        try temporary.write("mine", to: part.name)
        part.discard()
        part.discard()
        #expect(try temporary.read(part.name) == "mine")
    }

    @Test("No descriptor stays open")
    func descriptors() throws {
        let before = try Folder(path: "/proc/self/fd").names().count
        for _ in 0..<20 {
            let part = try create()
            try part.checkpoint(offset: 0)
            #expect(throws: SessionError.self) { try adopt() }
            part.close()
            try adopt()?.part.discard()
        }
        // Other tests open and close files at the same time; a leak here would be twenty at least.
        #expect(try Folder(path: "/proc/self/fd").names().count < before + 20)
    }
}
