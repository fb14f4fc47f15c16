import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// What stays of a file whose last steps fail: its checksum, or the sync of its folder after it has its name.
@Suite("A name that is not kept", .timeLimit(.minutes(1)))
struct UnfinishedNamingTests {
    private let temporary: StorageTemporaryFolder
    private var folder: Folder { temporary.folder }
    private let url = "http://h/f.txt"

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func part(_ text: String, in folder: Folder) throws -> PartFile {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = "\"1\""
        metadata.length = Int64(text.utf8.count)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("f.txt"), finalName: "f.txt", metadata: metadata)
        try part.write(text, at: 0)
        return part
    }

    private func finish(
        _ part: PartFile, in folder: Folder, _ collision: DownloadTarget.Collision = .rename,
        checksum: Checksum? = nil, beforeNaming: () -> Void = {}
    ) -> Result<FinishedFile, SessionError> {
        var target = DownloadTarget(folder: folder.path, name: .fixed("f.txt"))
        target.collision = collision
        target.checksum = checksum
        let site = DownloadSite(folder: folder, url: url, isStaged: false, finalName: "f.txt")
        return site.finish(
            part, previous: nil, target: target, announced: nil, length: 3, stamp: nil, turn: nil, keepsWrong: true
        ) { _ in beforeNaming() }
    }

    private func error(of result: Result<FinishedFile, SessionError>) throws -> SessionError {
        guard case .failure(let error) = result else {
            Issue.record("no error")
            throw CancellationError()
        }
        return error
    }

    /// Returns the same folder, which takes new names but cannot be synced.
    private func unsyncable() throws -> Folder {
        let other = try Folder(path: temporary.path)
        // O_PATH, which the C library declares only for its own extensions.
        let path = open(temporary.path, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC)
        #expect(path >= 0)
        defer { close(path) }
        #expect(dup2(path, other.descriptor) == other.descriptor)
        return other
    }

    @Test(
        "Nothing is recorded of bytes with a wrong checksum, also where they cannot be set aside",
        arguments: [true, false])
    func refused(isObstructed: Bool) throws {
        let part = try part("bad", in: folder)
        if isObstructed { #expect(mkdir(part.path + ".bad", 0o700) == 0) }
        let checksum = Checksum(algorithm: .sha256, digest: try Digest.of("new".utf8, .sha256))
        let error = try error(of: finish(part, in: folder, checksum: checksum))
        #expect(error.code == .checksum)
        #expect(error.partPath == part.path + (isObstructed ? "" : ".bad"))
        #expect(try !temporary.names().contains { $0.hasSuffix(".meta") })
        #expect(try PartFile.adopt(in: folder, url: url, name: .fixed("f.txt")) == nil)
    }

    @Test("A part that another program has taken away is not recorded")
    func takenAway() throws {
        let part = try part("new", in: folder)
        let error = try error(of: finish(part, in: folder) { rename(part.path, part.path + "-mine") })
        #expect(error.code == .partChanged)
        #expect(error.partPath == nil)
        #expect(try temporary.names() == [part.name + "-mine"])
    }

    @Test("A file whose new name is not durable is a part again, and the next run goes on with it")
    func unsyncedName() throws {
        let other = try unsyncable()
        let part = try part("new", in: other)
        let error = try error(of: finish(part, in: other))
        #expect(error.errno == EBADF)
        #expect(error.partPath == part.path)
        #expect(try temporary.names() == [part.name, part.metaName])
        #expect(folder.status(part.name)?.mode == 0o600)
        let found = try #require(try PartFile.adopt(in: folder, url: url, name: .fixed("f.txt")))
        #expect(found.validLength == 3)
        let file = try finish(found.part, in: folder).get()
        #expect(file.path == folder.path(of: "f.txt"))
        #expect(try temporary.names() == ["f.txt"])
    }

    @Test("A file that has replaced another one keeps the name, and the error says where it is")
    func unsyncedReplacement() throws {
        try temporary.write("old", to: "f.txt")
        let other = try unsyncable()
        let error = try error(of: finish(part("new", in: other), in: other, .overwrite))
        #expect(error.errno == EBADF)
        #expect(error.partPath == nil)
        #expect(error.message.contains(folder.path(of: "f.txt")))
        #expect(try temporary.names() == ["f.txt"])
        #expect(try temporary.read("f.txt") == "new")
    }

    @Test("A move whose name is not durable is undone")
    func unsyncedMove() throws {
        try temporary.write("new", to: "staged")
        let other = try unsyncable()
        let error = #expect(throws: SessionError.self) {
            try FileMover.move("staged", in: folder, to: "f.txt", in: other) { _ in }
        }
        #expect(error?.errno == EBADF)
        #expect(try temporary.names() == ["staged"])
        try FileMover.move("staged", in: folder, to: "f.txt", in: folder) { _ in }
        #expect(try temporary.names() == ["f.txt"])
    }

    private func small(_ collision: DownloadTarget.Collision, in folder: Folder) -> SmallDownload {
        SmallDownload(
            id: TransferID(rawValue: 1), folder: folder, url: url, finalName: "f.txt", collision: collision,
            body: Array("new".utf8))
    }

    @Test("A small file that fails loses its name, unless it has replaced another one", arguments: [true, false])
    func smallFile(isInGroup: Bool) throws {
        let other = try unsyncable()
        func finish(_ collision: DownloadTarget.Collision) throws -> SessionError {
            let download = small(collision, in: other)
            guard isInGroup else { return try self.error(of: download.finish()) }
            return try self.error(of: GroupFinisher { _ in EIO }.finish([download])[0])
        }
        #expect(try finish(.rename).errno == EBADF)
        #expect(try temporary.names() == [])
        try temporary.write("old", to: "f.txt")
        #expect(try finish(.rename).errno == EBADF)
        #expect(try temporary.names() == ["f.txt"])
        #expect(try temporary.read("f.txt") == "old")
        let error = try finish(.overwrite)
        #expect(error.errno == EBADF)
        #expect(error.message.contains(folder.path(of: "f.txt")))
        #expect(try temporary.names() == ["f.txt"])
        #expect(try temporary.read("f.txt") == "new")
    }
}
