import Glibc
import Testing

@testable import SessionCore

/// Parts for which the disk has no room.
@Suite("Space for a part")
struct PartSpaceTests {
    private let temporary: StorageTemporaryFolder
    private let url = "http://h/f.bin"
    private var folder: Folder { temporary.folder }

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    @Test("A part whose space cannot be reserved is removed, and the error does not say that it was kept")
    func noSpace() throws {
        let site = DownloadSite(folder: folder, url: url, isStaged: false, finalName: "f.bin")
        let target = DownloadTarget(folder: folder.path, name: .fixed("f.bin"))
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.length = 1 << 62
        guard case .failure(let error) = site.makePart(metadata, target: target) else {
            Issue.record("No file system has so much space")
            return
        }
        #expect([.diskFull, .fileTooLarge].contains(error.code))
        #expect(error.partPath == nil)
        #expect(try temporary.names().isEmpty)
    }

    @Test("A rest without a part is kept where the next run looks for it, whatever name the server has given")
    func restIsFound() throws {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        (metadata.length, metadata.entityTag) = (1_000, "\"1\"")
        let site = DownloadSite(folder: folder, url: url, isStaged: false, finalName: "given.bin")
        let kept = site.close(
            DownloadSite.End(
                metadata: metadata, length: 0, rest: [1, 2, 3], keeps: true, keepsPrevious: false, name: .automatic))
        #expect(kept?.byteCount == 3)
        let found = try #require(try PartFile.adopt(in: folder, url: url, name: .automatic, hasChecksum: false))
        #expect(found.validLength == 3)
        found.part.close()
    }

    @Test("A full disk and a refused write are errors with the part's path and a sentence")
    func fullDisk() throws {
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(full >= 0)
        let part = PartFile(
            folder: folder, name: "full", finalName: "full", urlDigest: "",
            identity: FileStatus.Identity(device: 0, inode: 0), descriptor: full,
            state: PartFile.State(metadata: nil, syncedOffset: 0, metaIsWritten: false))
        let error = #expect(throws: SessionError.self) { try part.write("x", at: 0) }
        #expect(error?.code == .diskFull)
        #expect(error?.errno == ENOSPC)
        #expect(error?.partPath == part.path)
        #expect(error?.message.contains(part.path) == true)
        part.close()
    }
}
