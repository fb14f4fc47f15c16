import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// The folder in the place where every user of a machine can make names.
@Suite("The staging folder")
struct StagingFolderTests {
    private let temporary: StorageTemporaryFolder
    private var usual: String { temporary.path + "/sessioncore-7" }

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func mode(of path: String) -> mode_t? {
        var raw = stat()
        return lstat(path, &raw) == 0 ? raw.st_mode & 0o7777 : nil
    }

    @Test("Only a folder of the same user is taken, and a name that is free")
    func owners() {
        for (kind, owner, expected) in [
            (S_IFDIR, 7, true), (S_IFDIR, 8, false), (S_IFDIR, 0, false), (S_IFLNK, 7, false), (S_IFREG, 7, false),
        ] as [(mode_t, UInt32, Bool)] {
            var raw = stat()
            (raw.st_mode, raw.st_uid) = (kind | 0o777, owner)
            #expect(StagingFolder.isOwn(FileStatus(raw), user: 7) == expected, "\(kind) \(owner)")
        }
        #expect(StagingFolder.isFree(usual))
        #expect(mkdir(usual, 0o700) == 0)
        #expect(StagingFolder.isFree(usual))
        #expect(symlink("sessioncore-7", usual + "-link") == 0)
        #expect(!StagingFolder.isFree(usual + "-link"))
    }

    @Test(
        "The system's place is known by its path, and a folder that the caller has chosen stays as it is",
        arguments: [
            ("/tmp/sessioncore-7", true), ("/tmp/sessioncore-7.a1B2c3", true), ("/tmp/sessioncore-77", false),
            ("/tmp/sessioncore-7/x", false), ("/tmp/sessioncore-7.a1/x", false), ("/tmp", false),
            ("/home/u/sessioncore-7", false),
        ])
    func places(path: String, expected: Bool) {
        #expect(StagingFolder.isShared(path, usual: "/tmp/sessioncore-7") == expected)
    }

    @Test("It is made for this user alone, and one that an earlier version has made is closed to others")
    func modes() throws {
        _ = try Folder(path: usual, isPrivate: true)
        #expect(mode(of: usual) == 0o700)
        #expect(chmod(usual, 0o777) == 0)
        _ = try Folder(path: usual, creating: false, isPrivate: true)
        #expect(mode(of: usual) == 0o700)
        #expect(chmod(usual, 0o755) == 0)
        _ = try Folder(path: usual)
        #expect(mode(of: usual) == 0o755)
    }

    @Test("A link and another user's folder are refused, and a folder with a name of its own takes their place")
    func others() throws {
        let link = usual + "-link"
        #expect(mkdir(usual, 0o777) == 0 && symlink(usual, link) == 0)
        #expect(throws: SessionError.self) { try Folder(path: link, isPrivate: true) }
        if geteuid() == 0 {
            #expect(chown(usual, 12_345, 12_345) == 0)
            let error = #expect(throws: SessionError.self) { try Folder(path: usual, isPrivate: true) }
            #expect(error?.code == .permission)
            #expect(error?.message.contains(usual) == true)
            #expect(!StagingFolder.isFree(usual))
        }
        let made = try #require(StagingFolder.made(besides: usual))
        #expect(StagingFolder.isShared(made, usual: usual))
        #expect(mode(of: made) == 0o700)
        _ = try Folder(path: made, isPrivate: true)
        #expect(StagingFolder.made(besides: temporary.path + "/missing/sessioncore-7") == nil)
    }
}
