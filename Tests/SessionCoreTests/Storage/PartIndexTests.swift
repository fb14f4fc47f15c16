import Testing

@testable import SessionCore

/// What a folder knows of its parts, and how often it asks for them.
@Suite("Index of parts")
struct PartIndexTests {
    private let temporary: StorageTemporaryFolder
    private let url = "http://h/f.bin"
    private let name = DownloadTarget.Name.fixed("f.bin")

    init() throws { temporary = try StorageTemporaryFolder() }

    private func folder() throws -> Folder { try Folder(path: temporary.path) }

    private func create(in folder: Folder) throws -> PartFile {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = 10
        return try PartFile.create(in: folder, url: url, name: name, finalName: "f.bin", metadata: metadata)
    }

    private func candidates(in folder: Folder) throws -> [String] {
        try PartFile.candidates(in: folder, url: url, name: name)
    }

    @Test("A folder of many downloads is read once, and then asked for one name of each")
    func manyDownloads() throws {
        let folder = try self.folder()
        for _ in 0..<NameIndex.fewLookups { #expect(try candidates(in: folder).count == PartFile.adoptionLimit) }
        #expect(try candidates(in: folder).count == 1)
    }

    @Test("Every part that an earlier run left is found in a folder of many downloads, whatever its generation")
    func laterGeneration() throws {
        let earlier = try self.folder()
        let first = try create(in: earlier)
        let second = try create(in: earlier)
        #expect(first.name != second.name)
        try second.write("abc", at: 0)
        second.close()
        first.discard()
        let folder = try self.folder()
        for _ in 0...NameIndex.fewLookups { _ = try candidates(in: folder) }
        #expect(try PartFile.adopt(in: folder, url: url, name: name)?.part.name == second.name)
    }

    @Test("A part that another process has made since the folder was read is found")
    func laterPart() throws {
        let folder = try self.folder()
        for _ in 0...NameIndex.fewLookups { _ = try candidates(in: folder) }
        let part = try create(in: self.folder())
        part.close()
        #expect(try PartFile.adopt(in: folder, url: url, name: name)?.part.name == part.name)
    }

    @Test("A part that was moved to a link whose first name was taken is found in a folder of many downloads")
    func relinkedPart() throws {
        let folder = try self.folder()
        for _ in 0...NameIndex.fewLookups { _ = try candidates(in: folder) }
        try create(in: folder).close()
        let target = DownloadTarget(folder: temporary.path, name: name)
        let link = url + "?signature=new"
        let moved = try target.movePart(of: url, to: target, url: link)
        #expect(moved != nil)
        #expect(try PartFile.adopt(in: folder, url: link, name: name) != nil)
    }

    @Test("An empty part of a link with another signature is removed, unless it is in use or has a byte")
    func emptyPart() throws {
        let folder = try self.folder()
        func create(_ signature: String) throws -> PartFile {
            let link = url + "?signature=" + signature
            return try PartFile.create(
                in: folder, url: link, name: name, finalName: "f.bin",
                metadata: StoredMetadata(url: link, finalURL: link, method: "GET", status: 200))
        }
        let (empty, full, used) = (try create("a"), try create("b"), try create("c"))
        for part in [empty, used] { try part.checkpoint(offset: 0) }
        try [UInt8]("abc".utf8).withUnsafeBytes { try full.write($0, at: 0) }
        try full.checkpoint(offset: 3)
        empty.close()
        full.close()
        let adopted = try PartFile.adopt(in: folder, url: url + "?signature=d", name: name)
        #expect(adopted?.part.name == full.name)
        #expect(folder.status(empty.name) == nil && folder.status(empty.metaName) == nil)
        #expect(folder.status(used.name) != nil && folder.status(used.metaName) != nil)
        used.discard()
    }
}
