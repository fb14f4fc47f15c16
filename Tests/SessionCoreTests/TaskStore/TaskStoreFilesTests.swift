import Glibc
import Testing

@testable import SessionCore

@Suite("Files of the task store", .timeLimit(.minutes(1)))
struct TaskStoreFilesTests {
    @Test("Folder and files are for their user alone, whatever the umask")
    func modesArePrivate() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        defer { store.close() }
        try store.apply([.add(StoreFixture.transfer(1))])
        #expect(try fixture.mode(fixture.path) == 0o700)
        for suffix in ["", "-wal", "-shm"] { #expect(try fixture.mode(fixture.database + suffix) == 0o600) }
    }

    @Test("A file that others could read is closed to them")
    func looseFilesAreTightened() throws {
        let fixture = try StoreFixture()
        try fixture.open().store.close()
        try #require(chmod(fixture.database, 0o666) == 0)
        try fixture.open().store.close()
        #expect(try fixture.mode(fixture.database) == 0o600)
    }

    @Test("A folder that is open to others, a link or no folder is refused", arguments: ["open", "link", "file"])
    func unsafeFoldersAreRefused(kind: String) throws {
        let parent = try StorageTemporaryFolder()
        let path = parent.path + "/state"
        switch kind {
        case "open": try #require(mkdir(path, 0o755) == 0 && chmod(path, 0o755) == 0)
        case "link":
            try #require(mkdir(parent.path + "/real", 0o700) == 0)
            try #require(symlink("real", path) == 0)
        default: try parent.write("", to: "state")
        }
        for spelling in kind == "file" ? [path] : [path, path + "/"] {
            let error = #expect(throws: SessionError.self) {
                try TaskStore.open(identifier: "test", folder: spelling)
            }
            #expect(error?.code == (kind == "open" ? .permission : .storage))
        }
        unlink(path)
    }

    @Test("A database that is a link is refused and what it names stays as it is")
    func linkedDatabasesAreRefused() throws {
        let parent = try StorageTemporaryFolder()
        let path = parent.path + "/state"
        try #require(mkdir(path, 0o700) == 0)
        try parent.write("precious", to: "victim")
        try #require(symlink("../victim", path + "/test.sqlite") == 0)
        #expect(throws: SessionError.self) { try TaskStore.open(identifier: "test", folder: path) }
        #expect(try parent.read("victim") == "precious")
    }

    @Test(
        "Identifiers that could leave the folder are refused", arguments: ["", ".", "..", "a/b", ".hidden", "a b", "ä"])
    func badIdentifiersAreRefused(identifier: String) throws {
        let fixture = try StoreFixture()
        let error = #expect(throws: SessionError.self) {
            try TaskStore.open(identifier: identifier, folder: fixture.path)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test("A store that is open cannot be opened again until it is closed; another identifier can")
    func storesAreExclusive() throws {
        let fixture = try StoreFixture()
        let first = try fixture.writer()
        let error = #expect(throws: SessionError.self) { try fixture.open() }
        #expect(error?.code == .sessionInUse)
        let other = try TaskStore.open(identifier: "other", folder: fixture.path).store
        other.close()
        first.release()
        first.waitUntilClosed()
        try fixture.open().store.close()
    }

    @Test(
        "A damaged file is moved aside with its log, said so, and what can be read of it is there again",
        arguments: [false, true])
    func damagedFilesAreMovedAside(leftOpen: Bool) throws {
        let original = try StoreFixture()
        let (store, _) = try original.open()
        try store.apply((1...200).map { .add(StoreFixture.transfer($0)) })
        // What lies in the log alone would heal the file.
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try store.apply([.position(TransferID(rawValue: 200), 500)])
        if !leftOpen { store.close() }
        let fixture = try original.image()
        let file = Glibc.open(fixture.database, O_RDWR)
        try #require(file >= 0)
        let garbage = [UInt8](repeating: 0xA5, count: 6_000)
        try #require(pwrite(file, garbage, garbage.count, 0) == garbage.count)
        close(file)
        let (fresh, opening) = try fixture.open()
        #expect(opening.notice?.contains(" recovered") == true, "\(opening.notice ?? "")")
        let (found, highest) = (opening.unfinished.count, opening.highestID)
        #expect(found > 150, "\(opening.notice ?? "")")
        #expect(highest == 200)
        fresh.close()
        #expect(try fixture.names().contains { $0.hasPrefix("test.sqlite.corrupt-") })
        #expect(try fixture.names().contains { $0.contains("-wal.corrupt-") } == leftOpen)
        #expect(try fixture.reopened().count == found)
        store.close()
    }

    @Test("After an unclean end damage in a page that opening does not read is found")
    func uncleanEndsAreChecked() throws {
        let original = try StoreFixture()
        let (store, _) = try original.open()
        let end = StoredEnd(standing: .completed, counts: BodyCounts(), finishedAt: 1)
        try store.apply((1...3_000).map { .add(StoreFixture.transfer($0)) })
        try store.database.execute("PRAGMA wal_checkpoint(FULL)")
        try store.apply([.ended(TransferID(rawValue: 1), end)])
        let fixture = try original.image()
        store.close()
        let file = Glibc.open(fixture.database, O_RDWR)
        try #require(file >= 0)
        let garbage = [UInt8](repeating: 0xFF, count: 4_096)
        try #require(pwrite(file, garbage, garbage.count, 40 * 4_096) == garbage.count)
        close(file)
        let (fresh, opening) = try fixture.open()
        fresh.close()
        #expect(opening.notice?.contains("\(StoreReasons.lostPages(1)) lost") == true, "\(opening.notice ?? "")")
        let found = opening.unfinished.count
        #expect(found > 2_900)
    }

    @Test("What was committed is there after the power went, without a close")
    func committedChangesSurvive() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        for number in 1...20 { try store.apply([.add(StoreFixture.transfer(UInt64(number)))]) }
        let image = try fixture.image()
        #expect(try image.reopened().count == 20)
        store.close()
    }

    @Test("A change is refused once the database is not where a later run looks", arguments: ["removed", "replaced"])
    func movedFiles(route: String) throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        try store.apply([.add(StoreFixture.transfer(1))])
        #expect(rename(fixture.database, fixture.database + ".away") == 0)
        if route == "replaced" {
            let file = Glibc.open(fixture.database, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            try #require(file >= 0)
            close(file)
        }
        let failure = #expect(throws: SessionError.self) { try store.apply([.add(StoreFixture.transfer(2))]) }
        #expect(failure?.code == .storage)
        // It came back.
        #expect(rename(fixture.database + ".away", fixture.database) == 0)
        try store.apply([.add(StoreFixture.transfer(2))])
        store.close()
        #expect(try fixture.reopened().count == 2)
    }

    @Test(
        "Network file systems are told from local ones",
        arguments: [(0x6969, true), (0xFF53_4D42, true), (0xEF53, false), (0x0102_1994, false), (0x9123_683E, false)])
    func networkFileSystemsAreKnown(type: Int, isNetwork: Bool) {
        #expect(NetworkFileSystem.isNetwork(type: UInt32(type)) == isNetwork)
    }
}
