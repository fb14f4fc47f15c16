import Glibc
import Testing

@testable import SessionCore

@Suite("Search for finished files") struct FinishedFileSearchTests {
    private let temporary: StorageTemporaryFolder
    private var folder: Folder { temporary.folder }

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func finishing(_ name: String, of other: String) throws -> StoredTransfer.FinishingFile {
        let identity = try #require(folder.status(other)?.identity)
        return StoredTransfer.FinishingFile(folder.path(of: name), identity)
    }

    @Test("A file is found at its name, at a numbered one, and nowhere else", arguments: ["f.txt", "f (7).txt"])
    func names(name: String) throws {
        try temporary.write("other", to: "f (1).txt")
        try temporary.write("body", to: name)
        let found = try #require(FinishedFileSearch.find(try finishing("f.txt", of: name)))
        #expect(found == FinishedFileSearch.Found(path: folder.path(of: name), size: 4))
        #expect(try FinishedFileSearch.find(finishing("g.txt", of: name)) == nil)
    }

    @Test("Another file of that name, a link to the file and a folder that is gone are not the file")
    func strangers() throws {
        try temporary.write("body", to: "elsewhere")
        try temporary.write("body", to: "f.txt")
        #expect(try FinishedFileSearch.find(finishing("f.txt", of: "elsewhere")) == nil)
        #expect(unlinkat(folder.descriptor, "f.txt", 0) == 0)
        #expect(symlinkat("elsewhere", folder.descriptor, "f.txt") == 0)
        #expect(try FinishedFileSearch.find(finishing("f.txt", of: "elsewhere")) == nil)
        let gone = StoredTransfer.FinishingFile(path: folder.path + "/gone/f.txt", device: 0, inode: 1)
        #expect(FinishedFileSearch.find(gone) == nil)
        #expect(FinishedFileSearch.find(StoredTransfer.FinishingFile(path: "", device: 0, inode: 1)) == nil)
    }

    @Test("A device number that changed with a restart does not matter")
    func device() throws {
        try temporary.write("body", to: "f.txt")
        var file = try finishing("f.txt", of: "f.txt")
        file.device += 1
        #expect(FinishedFileSearch.find(file) != nil)
    }

    @Test("The meta that a finished part has left is removed, that of another part stays")
    func leftovers() throws {
        let metadata = StoredMetadata(url: "http://h/f", finalURL: "http://h/f", method: "GET", status: 200)
        let part = try PartFile.create(
            in: folder, url: "http://h/f", name: .fixed("f.txt"), finalName: "f.txt", metadata: metadata)
        let other = try PartFile.create(
            in: folder, url: "http://h/g", name: .fixed("g.txt"), finalName: "g.txt", metadata: metadata)
        #expect(folder.rename(part.name, to: "f.txt", replacing: false) == 0)
        #expect(FinishedFileSearch.find(StoredTransfer.FinishingFile(folder.path(of: "f.txt"), part.identity)) != nil)
        #expect(try temporary.names().sorted() == [other.name, other.metaName, "f.txt"].sorted())
    }
}
