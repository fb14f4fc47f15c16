import Glibc
import Testing

@testable import SessionCore

/// Files that have the names of parts and are none.
@Suite("Marks of parts", .timeLimit(.minutes(1)))
struct PartMarkTests {
    private let temporary: StorageTemporaryFolder

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private let url = "http://h/f.bin"

    private func create() throws -> PartFile {
        let metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        return try PartFile.create(
            in: temporary.folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
    }

    @Test(
        "A file of the user's that has the name of a part, or of its meta, stays, and the part gets another name",
        arguments: ["part", "meta", "new meta"])
    func foreignFiles(kind: String) throws {
        let part = try create()
        let names = ["part": part.name, "meta": part.metaName, "new meta": part.name + FileNames.temporaryMetaSuffix]
        let name = try #require(names[kind])
        part.discard()
        try temporary.write("mine", to: name)
        let next = try create()
        #expect(next.name != part.name)
        try next.write("data", at: 0)
        next.discard()
        #expect(try Leftover.find(in: temporary.path, neededBy: []).isEmpty)
        OrphanedParts.remove(from: temporary.path)
        #expect(try temporary.read(name) == "mine")
        #expect(try temporary.names() == [name])
    }

    @Test(
        "What a program leaves that is killed before it marks its part, or after it stamps it, is taken by the next run",
        arguments: ["no mark", "stamp"])
    func killed(kind: String) throws {
        let part = try create()
        let (name, meta) = (part.name, part.metaName)
        if kind == "no mark" {
            part.removeMark()
        } else {
            var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
            metadata.entityTag = "\"v1\""
            let target = DownloadTarget(folder: temporary.path, name: .fixed("f.bin"))
            try part.write("data", at: 0)
            try part.stamp(try #require(FileStamp(target, url: url, evidence: .stored(metadata))))
        }
        part.close()
        _ = unlinkat(temporary.folder.descriptor, meta, 0)
        let next = try create()
        #expect(next.name == name)
        next.discard()
        #expect(try temporary.names() == [])
    }

    @Test("What is set aside never takes the place of a file of the user's")
    func foreignFileAside() throws {
        let part = try create()
        let aside = part.name + FileNames.quarantineSuffix
        try temporary.write("mine", to: aside)
        _ = part.quarantine()
        let next = try create()
        next.removeSetAside()
        #expect(try temporary.read(aside) == "mine")
    }
}
