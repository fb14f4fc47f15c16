import Glibc
import Testing

@testable import SessionCore

/// A folder for one test's stores and transfers to put into them.
final class StoreFixture {
    private let parent: StorageTemporaryFolder
    /// Does not exist at first; opening a store creates it.
    let path: String
    let identifier = "test"

    init() throws {
        parent = try StorageTemporaryFolder()
        path = parent.path + "/state"
    }

    var database: String { path + "/\(identifier).sqlite" }

    func open() throws -> (store: TaskStore, opening: StoreOpening) {
        try TaskStore.open(identifier: identifier, folder: path)
    }

    func writer() throws -> TaskStoreWriter { try TaskStoreWriter(identifier: identifier, folder: path) }

    /// What a fresh look into the store finds.
    func reopened() throws -> [StoredTransfer] {
        let (store, _) = try open()
        defer { store.close() }
        return try store.all()
    }

    func names() throws -> [String] { try Folder(path: path, creating: false).names().sorted() }

    func mode(_ path: String) throws -> mode_t {
        var raw = stat()
        try #require(lstat(path, &raw) == 0, "\(path) is missing")
        return raw.st_mode & 0o7777
    }

    /// The files as a power cut would leave them now, as a store of their own; without the lock file's mark, unless it is
    /// asked for.
    func image(withLock: Bool = false) throws -> StoreFixture {
        let image = try StoreFixture()
        try #require(mkdir(image.path, 0o700) == 0)
        let source = try Folder(path: path, creating: false)
        let target = try Folder(path: image.path, creating: false)
        for name in try source.names() where withLock || !name.hasSuffix(".lock") {
            let from = source.open(name, flags: O_RDONLY)
            try #require(from >= 0)
            defer { close(from) }
            let bytes = try SmallFile.read(from, limit: 64 << 20, path: name)
            let copy = target.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try #require(copy >= 0)
            defer { close(copy) }
            try #require(write(copy, bytes, bytes.count) == bytes.count)
        }
        return image
    }

    /// Removes the lock file and with it the mark of what was committed, as another version of the program has another.
    func removeLock() throws { try #require(unlink(path + "/\(identifier).lock") == 0) }

    /// Gives rows that were changed the digests of what they are now.
    static let seal = TaskStoreRow.update([:], where: "1")

    static func transfer(_ id: UInt64, _ change: (inout StoredTransfer) -> Void = { _ in }) -> StoredTransfer {
        var transfer = StoredTransfer(
            id: TransferID(rawValue: id), kind: .download, request: TransferRequest(url: "http://127.0.0.1/\(id)"),
            destination: .target(DownloadTarget(folder: "/tmp/files", name: .fixed("file-\(id)"))),
            createdAt: 1_700_000_000)
        change(&transfer)
        return transfer
    }
}
