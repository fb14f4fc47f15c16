import Glibc
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Finishing a download", .timeLimit(.minutes(1)))
struct StorageFinisherTests {
    private let temporary: StorageTemporaryFolder
    private var folder: Folder { temporary.folder }
    private let url = "http://h/f.txt"

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func part(_ text: String, url: String = "http://h/f.txt") throws -> PartFile {
        let metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        let part = try PartFile.create(
            in: folder, url: url, name: .fixed("f.txt"), finalName: "f.txt", metadata: metadata)
        try part.write(text, at: 0)
        return part
    }

    private func finish(
        _ part: PartFile, _ collision: DownloadTarget.Collision = .rename, length: Int64? = 3,
        checksum: Checksum? = nil
    ) throws -> FinishedFile {
        try Finisher.finish(
            part, finalName: "f.txt", collision: collision, expectedLength: length, checksum: checksum)
    }

    private func small(
        _ text: String, _ collision: DownloadTarget.Collision = .rename, checksum: Checksum? = nil
    ) throws -> FinishedFile {
        try Array(text.utf8).withUnsafeBytes { bytes in
            try Finisher.finishSmall(
                bytes, in: folder, url: url, finalName: "f.txt", collision: collision, checksum: checksum)
        }
    }

    @Test("A finished part has its name and the mode of any new file, and nothing else is left")
    func plain() throws {
        let finished = try finish(part("new"))
        #expect(finished == FinishedFile(path: folder.path(of: "f.txt"), digest: nil))
        #expect(try temporary.names() == ["f.txt"])
        #expect(try temporary.read("f.txt") == "new")
        var raw = stat()
        #expect(stat(finished.path, &raw) == 0)
        let reference = open(folder.path(of: "reference"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o666)
        defer { close(reference) }
        var expected = stat()
        #expect(fstat(reference, &expected) == 0)
        #expect(raw.st_mode == expected.st_mode)
    }

    @Test("A taken name gets a number, and what had it stays untouched")
    func renaming() throws {
        try temporary.write("old", to: "f.txt")
        #expect(try finish(part("new")).path == folder.path(of: "f (1).txt"))
        #expect(try small("two").path == folder.path(of: "f (2).txt"))
        #expect(try temporary.read("f.txt") == "old")
        #expect(try temporary.names() == ["f (1).txt", "f (2).txt", "f.txt"])
    }

    @Test("Overwriting replaces the old file at the end, as a whole")
    func overwriting() throws {
        try temporary.write("old", to: "f.txt")
        let part = try part("new")
        #expect(try temporary.read("f.txt") == "old")
        #expect(try finish(part, .overwrite).path == folder.path(of: "f.txt"))
        #expect(try temporary.read("f.txt") == "new")
        #expect(try temporary.names() == ["f.txt"])
    }

    enum Impostor: String, CaseIterable { case file, link, folder, pipe }

    @Test(
        "What has taken the place of a part never gets its name, whatever proves the part", arguments: Impostor.allCases
    )
    func impostor(kind: Impostor) throws {
        for checksum in [nil, Checksum(algorithm: .sha256, digest: try Digest.of(Array("new".utf8), .sha256))] {
            let part = try part("new")
            part.acceptChanges()
            #expect(rename(part.path, folder.path(of: "away")) == 0)
            switch kind {
            case .file: try temporary.write("bad", to: part.name)
            case .link: #expect(symlink("/etc/passwd", part.path) == 0)
            case .folder: #expect(mkdir(part.path, 0o700) == 0)
            case .pipe: #expect(mkfifo(part.path, 0o600) == 0)
            }
            let error = #expect(throws: SessionError.self) { try finish(part, .overwrite, checksum: checksum) }
            #expect(error?.code == .partChanged)
            #expect(try !temporary.names().contains("f.txt"))
            part.close()
            for name in try temporary.names() { remove(folder.path(of: name)) }
        }
    }

    @Test("What is written into a part after its bytes were proven does not get the name")
    func changedAfterProof() throws {
        let part = try part("new")
        part.acceptChanges()
        let checksum = Checksum(algorithm: .sha256, digest: try Digest.of(Array("new".utf8), .sha256))
        let error = #expect(throws: SessionError.self) {
            try Finisher.finish(
                part, finalName: "f.txt", collision: .rename, expectedLength: 3, checksum: checksum
            ) { _ in try? self.temporary.write("bad", to: part.name) }
        }
        #expect(error?.code == .partChanged)
        #expect(try !temporary.names().contains("f.txt"))
    }

    @Test("Skipping leaves the file and drops the part; failing keeps both")
    func skippingAndFailing() throws {
        try temporary.write("old", to: "f.txt")
        #expect(try finish(part("new"), .skip).wasSkipped)
        #expect(try temporary.names() == ["f.txt"])
        let part = try part("new")
        let error = #expect(throws: SessionError.self) { try finish(part, .fail) }
        #expect(error?.code == .destinationExists)
        #expect(try temporary.names() == [part.name, part.metaName, "f.txt"])
        var raw = stat()
        #expect(stat(part.path, &raw) == 0 && raw.st_mode & 0o777 == 0o600)
        #expect(try temporary.read("f.txt") == "old")
        #expect(throws: SessionError.self) { try small("new", .fail) }
        #expect(try temporary.names() == [part.name, part.metaName, "f.txt"])
    }

    @Test("A link at the name is left alone under a number, and overwriting writes the file behind it")
    func links() throws {
        try temporary.write("old", to: "real")
        #expect(symlink("real", folder.path(of: "f.txt")) == 0)
        #expect(try finish(part("new")).path == folder.path(of: "f (1).txt"))
        #expect(try temporary.read("real") == "old")
        #expect(try finish(part("new"), .overwrite).path == folder.path(of: "f.txt"))
        #expect(folder.status("f.txt")?.kind == .symbolicLink)
        #expect(try temporary.read("real") == "new")
        #expect(try small("two", .overwrite).path == folder.path(of: "f.txt"))
        #expect(folder.status("f.txt")?.kind == .symbolicLink)
        #expect(try temporary.read("real") == "two")
    }

    @Test(
        "What is overwritten keeps its mode, under each policy that does so", arguments: [0o600, 0o640, 0o755, 0o444],
        [DownloadTarget.Collision.overwrite, .refresh])
    func keptMode(mode: Int, collision: DownloadTarget.Collision) throws {
        try temporary.write("old", to: "f.txt")
        #expect(chmod(folder.path(of: "f.txt"), mode_t(mode)) == 0)
        #expect(try finish(part("new"), collision).note == nil)
        #expect(folder.status("f.txt")?.mode == mode_t(mode))
        #expect(try small("two", collision).note == nil)
        #expect(folder.status("f.txt")?.mode == mode_t(mode))
        #expect(try temporary.names() == ["f.txt"])
    }

    @Test("The rights to run as another user do not go with new bytes")
    func setUserID() throws {
        try temporary.write("old", to: "f.txt")
        #expect(chmod(folder.path(of: "f.txt"), 0o6755) == 0)
        _ = try finish(part("new"), .overwrite)
        #expect(folder.status("f.txt")?.mode == 0o755)
    }

    @Test(
        "A folder or a pipe is an error at a fixed name under every policy, and gives another name a number",
        arguments: DownloadTarget.Collision.allCases)
    func notReplaceable(collision: DownloadTarget.Collision) throws {
        #expect(mkdir(folder.path(of: "f.txt"), 0o700) == 0)
        let early = #expect(throws: SessionError.self) {
            try DestinationCheck.check("f.txt", in: folder, collision: collision)
        }
        #expect(early?.code == .destinationIsFolder)
        #expect(early?.message.contains(folder.path(of: "f.txt")) == true)
        func place() throws -> String { try finish(part("new"), collision).path }
        if collision == .fail || collision == .sameOrFail {
            #expect(throws: SessionError.self) { try place() }
            #expect(throws: SessionError.self) {
                try DestinationCheck.check("f.txt", in: folder, collision: collision, isFixed: false)
            }
        } else {
            #expect(try place() == folder.path(of: "f (1).txt"))
            #expect(try small("two", collision).path == folder.path(of: "f (2).txt"))
            let found = try DestinationCheck.check("f.txt", in: folder, collision: collision, isFixed: false)
            #expect(found == .clear)
        }
        #expect(rmdir(folder.path(of: "f.txt")) == 0 && mkfifo(folder.path(of: "f.txt"), 0o600) == 0)
        #expect(throws: SessionError.self) { try DestinationCheck.check("f.txt", in: folder, collision: collision) }
        #expect(folder.status("f.txt")?.kind == .other)
        #expect(symlink("/dev/null", folder.path(of: "device")) == 0)
        #expect(throws: SessionError.self) { try DestinationCheck.check("device", in: folder, collision: collision) }
    }

    @Test("A folder that was moved meanwhile has the file, and its path is where it is")
    func movedFolder() throws {
        let outer = try StorageTemporaryFolder()
        let before = outer.path + "/before"
        for isSmall in [true, false] {
            let inner = try Folder(path: before)
            let moved = outer.path + "/after \(isSmall)"
            #expect(rename(before, moved) == 0)
            let file: FinishedFile
            if isSmall {
                file = try [1].withUnsafeBytes { bytes in
                    try Finisher.finishSmall(
                        bytes, in: inner, url: url, finalName: "f", collision: .rename, checksum: nil)
                }
            } else {
                let part = try PartFile.create(in: inner, url: url, name: .fixed("f"), finalName: "f", metadata: nil)
                file = try Finisher.finish(part, finalName: "f", collision: .rename, expectedLength: 0, checksum: nil)
            }
            #expect(file.path == moved + "/f")
            #expect(access(file.path, F_OK) == 0)
            #expect(unlink(file.path) == 0)
        }
    }

    @Test("The name is looked at before any byte is requested")
    func check() throws {
        for collision in DownloadTarget.Collision.allCases {
            #expect(try DestinationCheck.check("f.txt", in: folder, collision: collision) == .clear)
        }
        try temporary.write("old", to: "f.txt")
        #expect(
            try DestinationCheck.check("f.txt", in: folder, collision: .skip) == .skip(path: folder.path(of: "f.txt")))
        #expect(try DestinationCheck.check("f.txt", in: folder, collision: .rename) == .clear)
        #expect(try DestinationCheck.check("f.txt", in: folder, collision: .overwrite) == .clear)
        let error = #expect(throws: SessionError.self) {
            try DestinationCheck.check("f.txt", in: folder, collision: .fail)
        }
        #expect(error?.code == .destinationExists)
    }

    @Test("A link to a file that is not there is no file that could be left")
    func linkToNothing() throws {
        #expect(symlink("nowhere", temporary.path + "/f.txt") == 0)
        let error = #expect(throws: SessionError.self) {
            try DestinationCheck.check("f.txt", in: folder, collision: .skip)
        }
        #expect(error?.message.contains("f.txt is a link to a missing file; remove it") == true)
        #expect(try DestinationCheck.check("f.txt", in: folder, collision: .overwrite) == .clear)
    }

    @Test(
        "A link into a folder that is not there is refused before any byte",
        arguments: [.overwrite, .refresh, .rename] as [DownloadTarget.Collision])
    func linkIntoNoFolder(collision: DownloadTarget.Collision) throws {
        #expect(symlink("absent/nowhere", temporary.path + "/f.txt") == 0)
        guard collision != .rename else {
            #expect(try DestinationCheck.check("f.txt", in: folder, collision: collision) == .clear)
            return
        }
        let error = #expect(throws: SessionError.self) {
            try DestinationCheck.check("f.txt", in: folder, collision: collision)
        }
        #expect(error?.message.contains("f.txt is a link into a missing folder; remove it") == true)
    }

    @Test(
        "A pipe or a folder behind a link stays, and the file gets a number",
        arguments: [.overwrite, .refresh] as [DownloadTarget.Collision], [true, false])
    func linkToObstacle(collision: DownloadTarget.Collision, isPipe: Bool) throws {
        let target = temporary.path + "/target"
        #expect((isPipe ? mkfifo(target, 0o600) : mkdir(target, 0o700)) == 0)
        #expect(symlink("target", temporary.path + "/f.txt") == 0)
        let placed = try finish(part("new"), collision)
        #expect(placed.path == temporary.path + "/f (1).txt")
        let kind = folder.status("target")?.kind
        #expect(kind == (isPipe ? .other : .folder))
        #expect(folder.status("f.txt")?.kind == .symbolicLink)
        // Also where it came to be there after the name was looked at.
        let late = try part("late")
        let replacement = try Replacement("target", in: folder)
        #expect(throws: SessionError.self) { try replacement.perform(with: late, stamp: nil) }
        #expect(folder.status("target")?.kind == kind)
    }

    @Test("A part of the wrong length never gets the name", arguments: [2, 4] as [Int64])
    func wrongLength(length: Int64) throws {
        let part = try part("new")
        let error = #expect(throws: SessionError.self) { try finish(part, length: length) }
        #expect(error?.code == .truncated)
        #expect(try temporary.names() == [part.name, part.metaName])
    }

    @Test("A right checksum is reported; a wrong one sets the part aside and leaves the old file alone")
    func checksums() throws {
        try temporary.write("old", to: "f.txt")
        let right = Checksum(algorithm: .sha256, digest: try Digest.of("new".utf8, .sha256))
        #expect(try finish(part("new"), .overwrite, checksum: right).digest == ByteText.hexadecimal(right.digest))
        let part = try part("bad")
        let error = #expect(throws: SessionError.self) { try finish(part, .overwrite, checksum: right) }
        #expect(error?.code == .checksum)
        #expect(error?.partPath == part.path + ".bad")
        #expect(try temporary.read("f.txt") == "new")
        #expect(try temporary.names() == [part.name + ".bad", "f.txt"])
        #expect(try PartFile.adopt(in: folder, url: url, name: .fixed("f.txt")) == nil)
        #expect(throws: SessionError.self) { try small("bad", .overwrite, checksum: right) }
        #expect(try temporary.read("f.txt") == "new")
        // What was set aside has no worth any more when the right file has come.
        _ = try finish(self.part("new"), .overwrite, checksum: right)
        #expect(try temporary.names() == ["f.txt"])
    }

    @Test("A file that is left although it has another digest is no success, and stays")
    func leftFile() throws {
        try temporary.write("old", to: "f.txt")
        let right = Checksum(algorithm: .md5, digest: try Digest.of("new".utf8, .md5))
        let error = #expect(throws: SessionError.self) { try finish(part("new"), .skip, checksum: right) }
        #expect(error?.code == .checksum && error?.message.contains("already exists with another md5") == true)
        #expect(throws: SessionError.self) { try small("new", .skip, checksum: right) }
        #expect(try temporary.read("f.txt") == "old")
        try temporary.write("new", to: "f.txt")
        let left = try small("new", .skip, checksum: right)
        #expect(left.wasSkipped && left.digest == ByteText.hexadecimal(right.digest))
    }

    @Test("Whoever kills a small file's finishing before it has its name leaves nothing", arguments: [false, true])
    func interruptedSmallFile(overwrites: Bool) throws {
        if overwrites { try temporary.write("old", to: "f.txt") }
        let before = try temporary.names()
        let namesThen = Locked<[String]?>(nil)
        let body = Array("new".utf8)
        let finished = try body.withUnsafeBytes { bytes in
            try Finisher.finishSmall(
                bytes, in: folder, url: url, finalName: "f.txt", collision: overwrites ? .overwrite : .rename,
                checksum: nil, beforeNaming: { _ in namesThen.withLock { $0 = try? temporary.names() } })
        }
        #expect(namesThen.withLock { $0 } == before)
        #expect(finished == FinishedFile(path: folder.path(of: "f.txt")))
        #expect(try temporary.names() == ["f.txt"])
        #expect(try temporary.read("f.txt") == "new")
    }

    @Test("An empty body becomes an empty file")
    func empty() throws {
        #expect(try small("").path == folder.path(of: "f.txt"))
        #expect(try temporary.read("f.txt").isEmpty)
    }

    @Test("Finishers that race for one name all get a file, and none loses its bytes")
    func race() throws {
        let worker = try StorageWorker(threadCount: 8, name: "race")
        let results = Locked<[String]>([])
        let folder = folder
        for index in 0..<64 {
            worker.submit {
                let body = Array("body \(index)".utf8)
                let finished = body.withUnsafeBytes { bytes in
                    try? Finisher.finishSmall(
                        bytes, in: folder, url: "http://h/\(index)", finalName: "same.txt", collision: .rename,
                        checksum: nil)
                }
                results.withLock { $0.append(finished?.path ?? "failed") }
            }
        }
        worker.stop()
        let names = try temporary.names()
        #expect(names.count == 64)
        #expect(Set(results.withLock { $0 }) == Set(names.map { folder.path(of: $0) }))
        #expect(Set(try names.map { try temporary.read($0) }) == Set((0..<64).map { "body \($0)" }))
    }
}
