import Glibc
import Testing

@testable import SessionCore

/// Locks and the children of a process.
///
/// A child has a copy of every descriptor until it executes its program, and with it a share in each lock. A second descriptor of the same open file is such a copy.
@Suite("Locks while children start", .timeLimit(.minutes(1)))
struct StorageLockTests {
    @Test("A store that was closed can be opened at once, although a child has a copy of its lock")
    func store() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        let copies = try Self.copies(ofDescriptorsAt: fixture.path + "/test.lock")
        defer { for copy in copies { close(copy) } }
        try #require(!copies.isEmpty)
        #expect(throws: SessionError.self) { try fixture.open() }
        store.close()
        try fixture.open().store.close()
    }

    @Test(
        "A part that was given up can be taken up at once, although a child has a copy of it", arguments: [true, false])
    func part(isClosed: Bool) throws {
        let temporary = try StorageTemporaryFolder()
        let url = "http://127.0.0.1/f.bin"
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"one\""
        metadata.length = 10
        var part: PartFile? = try PartFile.create(
            in: temporary.folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
        try part?.write("12345", at: 0)
        try part?.checkpoint(offset: 5)
        let copy = dup(try #require(part).descriptor)
        defer { close(copy) }
        if isClosed { part?.close() } else { part = nil }
        let adopted = try #require(try PartFile.adopt(in: temporary.folder, url: url, name: .fixed("f.bin")))
        #expect(adopted.validLength == 5)
        adopted.part.close()
    }

    /// Second descriptors of every open file of this process that lies at a path.
    private static func copies(ofDescriptorsAt path: String) throws -> [Int32] {
        try Folder(path: "/proc/self/fd").names().compactMap { name in
            guard let descriptor = Int32(name), let target = realpath("/proc/self/fd/\(name)", nil) else { return nil }
            defer { free(target) }
            return String(cString: target) == path ? dup(descriptor) : nil
        }
    }
}
