import Glibc
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Finishing small downloads in groups", .timeLimit(.minutes(1)))
struct StorageGroupTests {
    private let temporary: StorageTemporaryFolder
    private var folder: Folder { temporary.folder }

    init() throws {
        temporary = try StorageTemporaryFolder()
    }

    private func download(
        _ number: Int, name: String? = nil, _ collision: DownloadTarget.Collision = .rename, checksum: Checksum? = nil,
        in folder: Folder? = nil
    ) -> SmallDownload {
        SmallDownload(
            id: TransferID(rawValue: UInt64(number)), folder: folder ?? self.folder, url: "http://h/\(number)",
            finalName: name ?? "f\(number)", collision: collision, checksum: checksum,
            body: Array("body \(number)".utf8))
    }

    private func paths(_ results: [Result<FinishedFile, SessionError>]) -> [String?] {
        results.map { try? $0.get().path }
    }

    @Test("Nothing has its name before the first sync, and everything has it before the second")
    func order() throws {
        let seen = Locked<[[String]]>([])
        let finisher = GroupFinisher { folder in
            let names = (try? folder.names().sorted()) ?? ["unreadable"]
            seen.withLock { $0.append(names) }
            return 0
        }
        let results = finisher.finish((0..<9).map { download($0) })
        #expect(seen.withLock { $0 } == [[], (0..<9).map { "f\($0)" }])
        #expect(paths(results) == (0..<9).map { folder.path(of: "f\($0)") })
        for number in 0..<9 { #expect(try temporary.read("f\(number)") == "body \(number)") }
    }

    @Test("A finished file has the mode of any new file")
    func mode() throws {
        _ = GroupFinisher().finish([download(1)])
        var raw = stat()
        #expect(stat(folder.path(of: "f1"), &raw) == 0)
        #expect(raw.st_mode & 0o777 == FileMode.finished)
        #expect(raw.st_nlink == 1)
    }

    @Test("When the sync of the file system fails each file is synced and gets its own verdict")
    func failingSync() throws {
        let calls = Locked(0)
        let finisher = GroupFinisher { _ in
            calls.withLock { $0 += 1 }
            return EIO
        }
        try #require(mkdir(folder.path(of: "f2"), 0o700) == 0)
        let results = finisher.finish((1...3).map { download($0, $0 == 2 ? .fail : .rename) })
        #expect(calls.withLock { $0 } == 2)
        #expect(paths(results) == [folder.path(of: "f1"), nil, folder.path(of: "f3")])
        #expect(throws: SessionError.self) { try results[1].get() }
        #expect(try temporary.read("f3") == "body 3")
    }

    @Test("Members that want one name all get a file")
    func sameName() throws {
        let results = GroupFinisher().finish((0..<3).map { download($0, name: "same.txt") })
        let names = ["same.txt", "same (1).txt", "same (2).txt"]
        #expect(paths(results) == names.map { folder.path(of: $0) })
        #expect(try names.map { try temporary.read($0) } == ["body 0", "body 1", "body 2"])
    }

    @Test("A taken name is treated as the policy says, and nothing else is left behind")
    func collisions() throws {
        for name in ["skip", "fail", "overwrite", "rename"] { try temporary.write("old", to: name) }
        let policies: [DownloadTarget.Collision] = [.skip, .fail, .overwrite, .rename]
        let results = GroupFinisher().finish(
            policies.enumerated().map { download($0.offset, name: $0.element.rawValue, $0.element) })
        #expect(try results[0].get().wasSkipped)
        let error = #expect(throws: SessionError.self) { try results[1].get() }
        #expect(error?.code == .destinationExists)
        #expect(try results[2].get().path == folder.path(of: "overwrite"))
        #expect(try results[3].get().path == folder.path(of: "rename (1)"))
        #expect(try temporary.names() == ["fail", "overwrite", "rename", "rename (1)", "skip"])
        #expect(try temporary.read("overwrite") == "body 2")
        #expect(try temporary.read("skip") == "old")
    }

    @Test("A wrong checksum sets the body aside; the others get their names")
    func checksums() throws {
        let right = Checksum(algorithm: .sha256, digest: try Digest.of("body 1".utf8, .sha256))
        let results = GroupFinisher().finish([
            download(1, checksum: right), download(2, checksum: right), download(3),
        ])
        #expect(try results[0].get().digest == ByteText.hexadecimal(right.digest))
        let error = #expect(throws: SessionError.self) { try results[1].get() }
        #expect(error?.code == .checksum)
        #expect(paths(results)[2] == folder.path(of: "f3"))
        #expect(try temporary.names().filter { !$0.hasSuffix(".bad") } == ["f1", "f3"])
    }

    @Test("What arrives while a group is synced becomes the next group, and each is answered once")
    func grouping() throws {
        let memory = try StorageTemporaryFolder(in: "/dev/shm")
        let worker = try StorageWorker(threadCount: 2)
        let syncs = Monitor(0)
        let gate = Monitor(false)
        let answers = Monitor<[TransferID: Int]>([:])
        let finisher = GroupFinisher { _ in
            syncs.change { $0 += 1 }
            gate.wait { $0 ? () : nil }
            return 0
        }
        let committer = SmallFileCommitter(worker: worker, finisher: finisher) { replies in
            answers.change { answers in for reply in replies { answers[reply.id, default: 0] += 1 } }
        }
        committer.submit([download(0, in: memory.folder)])
        syncs.wait { $0 > 0 ? () : nil }
        for number in 1...20 { committer.submit([download(number, in: memory.folder)]) }
        gate.change { $0 = true }
        answers.wait { $0.count == 21 ? () : nil }
        worker.stop()
        #expect(syncs.change { $0 } == 4)
        #expect(answers.change { $0.values.allSatisfy { $0 == 1 } })
        #expect(try memory.names().count == 21)
    }

    @Test("Few files are finished one by one, without a sync of the whole file system")
    func few() throws {
        let worker = try StorageWorker(threadCount: 2)
        let syncs = Locked(0)
        let answers = Monitor(0)
        let finisher = GroupFinisher { _ in
            syncs.withLock { $0 += 1 }
            return 0
        }
        let committer = SmallFileCommitter(worker: worker, finisher: finisher) { replies in
            answers.change { $0 += replies.count }
        }
        let few = SmallFileCommitter.smallestGroup - 1
        committer.submit((0..<few).map { download($0) })
        answers.wait { $0 == few ? () : nil }
        worker.stop()
        #expect(syncs.withLock { $0 } == 0 || folder.groupSync == .free)
        #expect(try temporary.names().count == few)
    }

    @Test("A slow sync shuts the gate of its device for as long as it took")
    func gate() {
        var gate = SyncGate()
        #expect(gate.isOpen(for: 1, at: 0))
        gate.record(device: 1, began: 1_000, ended: 1_000 + SyncGate.patience)
        #expect(gate.isOpen(for: 1, at: 1_000 + SyncGate.patience))
        gate.record(device: 1, began: 2_000, ended: 3_000)
        #expect(!gate.isOpen(for: 1, at: 3_999))
        #expect(gate.isOpen(for: 2, at: 3_000))
        #expect(gate.isOpen(for: 1, at: 4_000))
    }

    @Test("Parts are found by the identifier in their metas' names, whatever else lies in the folder")
    func index() throws {
        try temporary.write("", to: ".a.tar.gz.0badcafe.part.meta")
        try temporary.write("", to: ".b.0badcafe.part.meta")
        try temporary.write("", to: ".c.deadbeef.part")
        try temporary.write("", to: "d.deadbeef.part.meta")
        #expect(folder.mayHavePart(url: "http://h/x", name: .automatic))
        #expect(
            try folder.partMetas(["deadbeef", "0badcafe"]) == [".a.tar.gz.0badcafe.part.meta", ".b.0badcafe.part.meta"])
        #expect(!folder.mayHavePart(url: "http://h/x", name: .automatic))
        let identifier = FileNames.identifier(url: "http://h/x", name: "x", generation: 3)
        folder.rememberMeta(".x.\(identifier).part.meta")
        #expect(folder.mayHavePart(url: "http://h/x", name: .automatic))
        #expect(!folder.mayHavePart(url: "http://h/y", name: .automatic))
    }
}
