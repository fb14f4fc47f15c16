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
}
