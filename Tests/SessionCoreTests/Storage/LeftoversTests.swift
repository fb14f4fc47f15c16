import CLinux
import Glibc
import SessionSupport
import Testing

@testable import SessionCore

/// What runs that were killed have left in a folder, and what of it is still somebody's.
@Suite("Parts that nothing owns", .timeLimit(.minutes(1)))
struct LeftoversTests {
    /// One state in which a part is found.
    enum Litter: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case resumable, unproven, touched, lengthened, shortened, withoutMeta, damagedMeta, otherFilesMeta, setAside
        case metaAlone, newMetaAlone
        case inUse, movedAway, hardLinked, ofSession, ofSessionByPath, ofSessionWithoutMeta, ofCompleted, noPart

        var testDescription: String { rawValue }

        var kind: Leftover.Kind? {
            switch self {
            case .resumable, .ofCompleted: .resumable
            case .unproven, .touched, .lengthened: .unproven
            case .shortened, .withoutMeta, .damagedMeta: .worthless
            case .setAside: .refused
            case .metaAlone, .newMetaAlone: .description
            case .otherFilesMeta, .inUse, .movedAway, .hardLinked, .ofSession, .ofSessionByPath, .ofSessionWithoutMeta,
                .noPart:
                nil
            }
        }
    }

    private let url = "http://h/f.bin?token=secret"

    /// Makes the litter, and the transfers that saved sessions have.
    private func make(_ litter: Litter, in temporary: StorageTemporaryFolder) throws -> [StoredTransfer] {
        guard litter != .noPart else {
            for name in [".x.part", ".x.0a1b2c3.part", "x.0a1b2c3d.part", ".x.0a1b2c3d.part.other", "file"] {
                try temporary.write("mine", to: name)
            }
            return []
        }
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        if litter != .unproven { metadata.entityTag = "\"one\"" }
        let part = try PartFile.create(
            in: temporary.folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
        try [UInt8]("hello".utf8).withUnsafeBytes { try part.write($0, at: 0) }
        try part.checkpoint(offset: 5)
        if litter == .inUse {
            // The lock stays for as long as somebody has the file open.
            _ = Unmanaged.passRetained(part)
            return []
        }
        part.close()
        var transfer = StoredTransfer(
            id: .next(), kind: .download, request: TransferRequest(url: url), needsCredentials: false,
            destination: .target(DownloadTarget(folder: temporary.path, name: .fixed("f.bin"))), createdAt: 0)
        switch litter {
        case .resumable, .unproven, .inUse, .noPart: return []
        case .touched:
            // Long ago, because a change within the same tick of the kernel's clock leaves the same time.
            let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, part.path, times, 0) == 0)
        case .lengthened: #expect(truncate(part.path, 9) == 0)
        case .shortened: #expect(truncate(part.path, 2) == 0)
        case .withoutMeta: #expect(unlink(temporary.path + "/" + part.metaName) == 0)
        case .damagedMeta: try temporary.write("sessioncore-part 1\nrubbish", to: part.metaName)
        case .otherFilesMeta:
            try temporary.write("hello", to: "copy")
            #expect(rename(temporary.path + "/copy", part.path) == 0)
        case .setAside: #expect(rename(part.path, part.path + ".bad") == 0 && unlink(part.path + ".meta") == 0)
        case .metaAlone: #expect(unlink(part.path) == 0)
        case .newMetaAlone: #expect(unlink(part.path) == 0 && rename(part.path + ".meta", part.path + ".new") == 0)
        case .movedAway:
            var meta = try #require(PartFile.readMeta(part.metaName, in: temporary.folder))
            meta.movedTo = "/elsewhere"
            try temporary.write(String(decoding: meta.encoded(), as: UTF8.self), to: part.metaName)
        case .hardLinked: #expect(link(part.path, temporary.path + "/second") == 0)
        case .ofSession:
            // Its secret was not stored, so its part is not found by its name.
            transfer.request.url = Redaction.url(url, userInfo: .removed)
            transfer.standing = .failed(.stalled, message: "")
            return [transfer]
        case .ofSessionByPath:
            transfer.destination = .memory
            transfer.partPath = part.path
            return [transfer]
        case .ofSessionWithoutMeta:
            #expect(unlink(temporary.path + "/" + part.metaName) == 0)
            return [transfer]
        case .ofCompleted:
            transfer.standing = .completed
            return [transfer]
        }
        return []
    }

    @Test("are found, and nothing that somebody may still need", arguments: Litter.allCases)
    func found(litter: Litter) throws {
        let temporary = try StorageTemporaryFolder()
        let transfers = try make(litter, in: temporary)
        let before = try temporary.names()
        let parts = try Leftover.find(in: temporary.path, neededBy: transfers)
        #expect(parts.map(\.kind) == [litter.kind].compactMap(\.self))
        #expect(try temporary.names() == before, "looking changes nothing")
        for part in parts {
            #expect(part.url?.contains("secret") != true)
            #expect(part.url == nil || [.resumable, .unproven, .description].contains(part.kind))
            #expect(try part.remove())
        }
        let spared = try temporary.names().filter { $0.hasSuffix(".part") || $0.contains(".part.") }
        #expect(spared.isEmpty == (litter.kind != nil))
        for part in parts { #expect(try !part.remove(), "it is gone") }
    }

    @Test("are as large as their bytes where several connections have left holes")
    func holes() throws {
        let temporary = try StorageTemporaryFolder()
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        (metadata.entityTag, metadata.length) = ("\"one\"", 1_000_000)
        let part = try PartFile.create(
            in: temporary.folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
        try part.checkpoint(offset: 0)
        #expect(try part.takeInHand())
        try #require(part.becomeSparse())
        for offset: Int64 in [0, 900_000] {
            try [UInt8](repeating: 1, count: 500).withUnsafeBytes { try part.write($0, at: offset) }
        }
        try part.checkpoint(offset: 500, beyond: [900_000..<900_500])
        part.close()
        let meta = Int64(try #require(temporary.folder.status(part.metaName)).size)
        #expect(try Leftover.find(in: temporary.path, neededBy: []).map(\.byteCount) == [1_000 + meta])
    }

    @Test("are as large as the space that a killed run has reserved for them")
    func reserved() throws {
        let temporary = try StorageTemporaryFolder()
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        (metadata.entityTag, metadata.length) = ("\"one\"", 1_000_000)
        let part = try PartFile.create(
            in: temporary.folder, url: url, name: .fixed("f.bin"), finalName: "f.bin", metadata: metadata)
        try part.reserve(from: 0, length: 1_000_000)
        try part.checkpoint(offset: 0)
        part.close()
        let status = try #require(temporary.folder.status(part.name))
        try #require(status.size == 0)
        // A file system that reserves nothing has nothing to show.
        let found = try #require(try Leftover.find(in: temporary.path, neededBy: []).first)
        #expect(found.byteCount >= status.allocated)
    }

    @Test("stay when somebody takes them up between the list and the removal")
    func takenUp() throws {
        let temporary = try StorageTemporaryFolder()
        _ = try make(.resumable, in: temporary)
        let found = try #require(try Leftover.find(in: temporary.path, neededBy: []).first)
        let adopted = try #require(
            try PartFile.adopt(in: Folder(path: temporary.path), url: url, name: .fixed("f.bin")))
        #expect(try !found.remove())
        #expect(temporary.folder.status(adopted.part.name) != nil)
        adopted.part.discard()
    }

    @Test("A saved session is read beside whoever has it open, and one that cannot be read is an error")
    func sessions() throws {
        let store = try StorageTemporaryFolder()
        #expect(chmod(store.path, 0o700) == 0)
        #expect(try StoredTransfer.saved(in: store.path + "/none").isEmpty)
        let (open, _) = try TaskStore.open(identifier: "one", folder: store.path)
        let transfer = StoredTransfer(
            id: .next(), kind: .download, request: TransferRequest(url: url), needsCredentials: false,
            destination: .target(DownloadTarget(folder: "/tmp", name: .automatic)), createdAt: 0)
        try open.apply([.add(transfer)])
        let names = try store.names()
        #expect(try StoredTransfer.saved(in: store.path).map(\.id) == [transfer.id])
        #expect(try store.names() == names)
        open.close()
        #expect(try StoredTransfer.saved(in: store.path).map(\.id) == [transfer.id])
        let (again, opening) = try TaskStore.open(identifier: "one", folder: store.path)
        #expect(opening.notice == nil && opening.unfinished.map(\.id) == [transfer.id])
        again.close()
        let newer = try SQLiteDatabase(path: store.path + "/one.sqlite")
        try newer.execute("PRAGMA user_version=99")
        newer.close()
        #expect(throws: SessionError.self) { try StoredTransfer.saved(in: store.path) }
        #expect(unlink(store.path + "/one.sqlite") == 0)
        try store.write("rubbish", to: "two.sqlite")
        #expect(throws: SessionError.self) { try StoredTransfer.saved(in: store.path) }
    }

    @Test("A session with a row that cannot be read hides neither its other rows nor the other sessions")
    func unreadableRow() throws {
        let store = try StorageTemporaryFolder()
        #expect(chmod(store.path, 0o700) == 0)
        for (name, ids) in [("one", [UInt64(1), 2]), ("two", [3])] {
            let (session, _) = try TaskStore.open(identifier: name, folder: store.path)
            try session.apply(ids.map { .add(StoreFixture.transfer($0)) })
            if name == "one" { try session.database.execute("UPDATE transfers SET url='http://h/other' WHERE id=1") }
            session.close()
        }
        let saved = try SavedTransfers(in: store.path)
        #expect(saved.transfers.map(\.id.rawValue) == [2, 3])
        #expect(saved.failures.count == 1 && saved.failures.first?.message.contains("one.sqlite") ?? false)
    }
}
