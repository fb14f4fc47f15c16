import SessionSupport
import Testing

@testable import SessionCore

@Suite("Writing down what is finished", .timeLimit(.minutes(1))) struct FinishJournalTests {
    /// Takes note of what it is told and of the names that exist then.
    private final class Journal: FinishJournal {
        struct Entry: Sendable {
            var files: [TransferID: StoredTransfer.FinishingFile]
            var names: [String]
        }

        let folder: Folder
        let entries = Locked<[Entry]>([])

        init(_ folder: Folder) { self.folder = folder }

        func record(_ files: [TransferID: StoredTransfer.FinishingFile]) {
            let names = (try? folder.names()) ?? ["unreadable"]
            entries.withLock { $0.append(Entry(files: files, names: names)) }
        }
    }

    private let temporary: StorageTemporaryFolder
    private let journal: Journal
    private var folder: Folder { temporary.folder }

    init() throws {
        temporary = try StorageTemporaryFolder()
        journal = Journal(temporary.folder)
    }

    private func download(_ number: UInt64, keptBy journal: Journal?) -> SmallDownload {
        SmallDownload(
            id: TransferID(rawValue: number), folder: folder, url: "http://h/\(number)", finalName: "f\(number)",
            collision: .rename, body: [1, 2, 3], journal: journal)
    }

    @Test("A group is written down at once, before the first of it has a name, by the numbers that find it afterwards")
    func group() throws {
        let syncs = Locked(0)
        let finisher = GroupFinisher { _ in
            syncs.withLock { $0 += 1 }
            return 0
        }
        let results = finisher.finish([
            download(1, keptBy: journal), download(2, keptBy: nil), download(3, keptBy: journal),
        ])
        let entries = journal.entries.withLock { $0 }
        #expect(results.count == 3 && syncs.withLock { $0 } == 2)
        #expect(entries.count == 1)
        #expect(entries.first?.names == [])
        #expect(entries.first?.files.keys.map(\.rawValue).sorted() == [1, 3])
        for (id, file) in entries.first?.files ?? [:] {
            #expect(FinishedFileSearch.find(file)?.path == folder.path(of: "f\(id.rawValue)"))
        }
    }

    @Test("A file alone is written down before it has its name")
    func single() throws {
        let result = download(1, keptBy: journal).finish()
        #expect(try result.get().path == folder.path(of: "f1"))
        let entry = try #require(journal.entries.withLock { $0.first })
        #expect(entry.names.allSatisfy { $0.hasSuffix(".part") })
        #expect(FinishedFileSearch.find(try #require(entry.files[TransferID(rawValue: 1)]))?.size == 3)
    }

    @Test("A file that is moved is written down under the place it goes to", arguments: ["/dev/shm", nil])
    func moved(other: String?) throws {
        let source = try StorageTemporaryFolder(in: other ?? folder.path)
        try source.write("body", to: "staged")
        let target = folder.path(of: "final")
        try FileMover.move(from: source.folder.path(of: "staged"), to: target) { file in
            journal.record([TransferID(rawValue: 1): file])
        }
        let entries = journal.entries.withLock { $0 }
        #expect(entries.count == 1)
        #expect(entries.first.map { $0.names.contains("final") } == false)
        #expect(entries.first?.files.values.first.flatMap { FinishedFileSearch.find($0) }?.path == target)
    }

    @Test("A store commits a group before it lets it go on, and refuses without waiting once it is closed")
    func store() throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        let file = StoredTransfer.FinishingFile(path: "/tmp/f", device: 1, inode: 2)
        writer.submit(.add(StoreFixture.transfer(1)))
        writer.submit(.add(StoreFixture.transfer(2)))
        writer.record([TransferID(rawValue: 1): file, TransferID(rawValue: 2): file])
        #expect(try fixture.image().reopened().map(\.standing) == [.finishing(file), .finishing(file)])
        var later = file
        later.inode = 3
        writer.record([TransferID(rawValue: 1): later])
        #expect(try fixture.image().reopened().first?.standing == .finishing(later))
        writer.release()
        writer.waitUntilClosed()
        writer.record([TransferID(rawValue: 1): file])
        #expect(try fixture.reopened().first?.standing == .finishing(later))
    }

    @Test("Only transfers of persistent sessions are written down")
    func onlyStored() async throws {
        let plain = ManagerFixture()
        let task = try plain.manager.dataTask(with: plain.request, completionHandler: nil)
        task.resume()
        #expect(plain.engine.description(of: task)?.arrangement.journal == nil)
        let fixture = try PersistentFixture()
        let engine = ScriptedEngine()
        let manager = fixture.manager(engine)
        let kept = try manager.dataTask(with: plain.request, completionHandler: nil)
        kept.resume()
        #expect(engine.description(of: kept)?.arrangement.journal is TaskStoreWriter)
        await manager.close()
    }
}
