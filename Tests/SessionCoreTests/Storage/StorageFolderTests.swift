import CLinux
import Glibc
import Testing

@testable import SessionCore

/// Whose permissions the calling thread has with files.
@_silgen_name("setfsuid") private func setFileUser(_ user: uid_t) -> Int32

@Suite("Folders and moves", .timeLimit(.minutes(1)))
struct StorageFolderTests {
    private let temporary: StorageTemporaryFolder

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func code(_ body: () throws -> Void) -> SessionError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SessionError)?.code
        }
    }

    @Test("Missing folders are created with their parents, only when asked for")
    func creation() throws {
        let path = temporary.path + "/a/b//c/"
        #expect(code { _ = try Folder(path: path, creating: false) } == .notFound)
        #expect(try Folder(path: path).path == temporary.path + "/a/b//c")
        try temporary.write("x", to: "file")
        #expect(code { _ = try Folder(path: temporary.path + "/file") } == .storage)
        #expect(code { _ = try Folder(path: temporary.path + "/file/x") } != nil)
    }

    @Test("A file that has its new name counts as placed although the old name cannot be removed")
    func renameByLink() throws {
        let source = try Folder(path: temporary.path + "/source")
        let target = try Folder(path: temporary.path + "/target")
        try temporary.write("x", to: "old")
        try #require(rename(temporary.path + "/old", source.path + "/old") == 0)
        try #require(chmod(source.path + "/old", 0o666) == 0)
        try #require(chmod(source.path, 0o555) == 0 && chmod(target.path, 0o777) == 0)
        defer { chmod(source.path, 0o755) }
        // Permissions bind the superuser's thread only while it acts as somebody else.
        _ = setFileUser(geteuid() == 0 ? 65_534 : geteuid())
        defer { _ = setFileUser(geteuid()) }
        let result = cl_rename_by_link(source.descriptor, "old", target.descriptor, "new")
        let number = errno
        #expect(result == 1 && number == EACCES)
        #expect(source.status("old")?.identity == target.status("new")?.identity)
        #expect(cl_rename_by_link(source.descriptor, "old", target.descriptor, "new") == -1 && errno == EEXIST)
        #expect(cl_rename_by_link(target.descriptor, "new", target.descriptor, "newer") == 0)
        #expect(target.status("new") == nil && target.status("newer") != nil)
    }

    @Test("Without second names a file gets its name all the same, and never that of another")
    func renameByPlaceholder() throws {
        let folder = try Folder(path: temporary.path)
        try temporary.write("x", to: "old")
        try temporary.write("mine", to: "taken")
        #expect(cl_rename_by_placeholder(folder.descriptor, "old", folder.descriptor, "taken") == -1 && errno == EEXIST)
        #expect(
            cl_rename_by_placeholder(folder.descriptor, "nothing", folder.descriptor, "new") == -1 && errno == ENOENT)
        #expect(folder.status("new") == nil, "the placeholder is gone")
        #expect(cl_rename_by_placeholder(folder.descriptor, "old", folder.descriptor, "new") == 0)
        #expect(try temporary.read("new") == "x" && temporary.read("taken") == "mine")
        #expect(folder.status("old") == nil)
    }

    @Test("A folder that was replaced behind its path keeps what is written into it")
    func heldOpen() throws {
        let inner = try Folder(path: temporary.path + "/inner")
        #expect(rename(inner.path, temporary.path + "/moved") == 0)
        #expect(symlink("/", inner.path) == 0)
        let part = try PartFile.create(in: inner, url: "u", name: .fixed("f"), finalName: "f", metadata: nil)
        _ = try Finisher.finish(part, finalName: "f", collision: .rename, expectedLength: 0, checksum: nil)
        #expect(try Folder(path: temporary.path + "/moved").names() == ["f"])
    }

    @Test("No name with a separator reaches the system", arguments: ["../x", "a/b", "..", ".", "", "a\0b"])
    func components(name: String) {
        #expect(temporary.folder.open(name, flags: O_RDONLY) == -1)
        #expect(errno == EINVAL)
    }

    @Test("Error numbers become kinds with sentences that name the path")
    func errors() {
        let kinds: [(Int32, SessionError.Code)] = [
            (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EROFS, .readOnly), (EACCES, .permission), (EPERM, .permission),
            (ENOENT, .notFound), (EISDIR, .destinationIsFolder), (EEXIST, .destinationExists), (EFBIG, .fileTooLarge),
            (EAGAIN, .partInUse), (EIO, .storage), (ENAMETOOLONG, .storage), (ENOTDIR, .storage), (ELOOP, .storage),
            (EMFILE, .storage), (9_999, .storage),
        ]
        for (number, code) in kinds {
            let error = SystemError.error(number, FileErrors.write, path: "/some/file")
            #expect(error.code == code && error.errno == number)
            #expect(error.message.hasPrefix("Cannot write to /some/file: "))
        }
    }

    @Test("One folder is opened once, and again when its path names another")
    func cache() throws {
        let cache = FolderCache()
        let path = temporary.path + "/inner"
        let first = try cache.folder(at: path)
        #expect(try cache.folder(at: path) === first)
        #expect(rename(path, temporary.path + "/moved") == 0)
        let second = try cache.folder(at: path)
        #expect(second !== first && second.identity != first.identity)
        for index in 0..<100 { _ = try cache.folder(at: temporary.path + "/\(index)") }
        #expect(try cache.folder(at: path).identity == second.identity)
    }

    // MARK: - Moves

    @Test("LT8: a staged file moves to a free name and to no other")
    func moves() throws {
        let from = temporary.folder.path(of: "staged")
        try temporary.write("data", to: "staged")
        try temporary.write("old", to: "taken")
        #expect(mkdir(temporary.path + "/folder", 0o700) == 0)
        #expect(code { try FileMover.move(from: from, to: temporary.path + "/taken") } == .destinationExists)
        #expect(code { try FileMover.move(from: from, to: temporary.path + "/folder") } == .destinationIsFolder)
        #expect(code { try FileMover.move(from: from, to: temporary.path + "/missing/x") } == .notFound)
        #expect(code { try FileMover.move(from: from, to: temporary.path + "/folder/..") } == .invalidRequest)
        #expect(try temporary.read("staged") == "data")
        try FileMover.move(from: from, to: temporary.path + "/folder/new")
        #expect(try temporary.names() == ["folder", "taken"])
        #expect(code { try FileMover.move(from: from, to: temporary.path + "/other") } == .notFound)
    }

    @Test(
        "LT8: to another file system a file is copied as a whole, then removed",
        .enabled(if: StorageTemporaryFolder.otherFileSystem != nil))
    func movesAcrossFileSystems() throws {
        let other = try StorageTemporaryFolder(in: try #require(StorageTemporaryFolder.otherFileSystem))
        let text = String(repeating: "0123456789", count: 50_000)
        try temporary.write(text, to: "staged")
        try other.write("old", to: "taken")
        let from = temporary.folder.path(of: "staged")
        #expect(code { try FileMover.move(from: from, to: other.path + "/taken") } == .destinationExists)
        let source = try #require(temporary.folder.status("staged"))
        let descriptor = temporary.folder.open("staged", flags: O_RDWR)
        FileMark.set(Array("validator".utf8), on: descriptor)
        #expect(fchmod(descriptor, 0o640) == 0)
        let times = [timespec(tv_sec: 7, tv_nsec: 8), timespec(tv_sec: 1_000_000_000, tv_nsec: 9)]
        #expect(futimens(descriptor, times) == 0)
        close(descriptor)
        try FileMover.move(from: from, to: other.path + "/new")
        #expect(try other.read("new") == text)
        let copy = try #require(other.folder.status("new"))
        #expect(copy.mode == 0o640 && copy.modified == 1_000_000_000_000_000_009 && source.modified != copy.modified)
        let moved = other.folder.open("new", flags: O_RDONLY)
        #expect(FileMark.text(of: moved) == "validator")
        close(moved)
        #expect(try other.names() == ["new", "taken"])
        #expect(try temporary.names().isEmpty)
    }
}
