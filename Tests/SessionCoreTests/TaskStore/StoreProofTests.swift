import Glibc
import Testing

@testable import SessionCore

/// Damage that SQLite does not see, of stores that were closed.
@Suite("Proof of what a store has", .timeLimit(.minutes(3)))
struct StoreProofTests {
    /// Transfers of every state, of which most have ended: opening has no need to read those.
    private static let transfers: [StoredTransfer] = (1...30).map { number in
        StoreFixture.transfer(number) { stored in
            if number % 5 > 0 { (stored.standing, stored.finishedAt) = (.completed, 1_700_000_100) }
            if number % 7 == 0 {
                stored.standing = .failed(.http, message: ResponseErrors.status("404 Not Found", "host"))
            }
            if number % 3 == 0 { stored.counts.received = Int64(number) }
        }
    }

    private func closed() throws -> StoreFixture {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        try store.apply(Self.transfers.map { .add($0) })
        store.close()
        return fixture
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        let file = Glibc.open(path, O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        return try SmallFile.read(file, limit: 64 << 20, path: path)
    }

    private func replace(_ path: String, _ bytes: [UInt8]) throws {
        let file = Glibc.open(path, O_WRONLY | O_TRUNC)
        try #require(file >= 0)
        defer { close(file) }
        try #require(write(file, bytes, bytes.count) == bytes.count)
    }

    /// A store's opening, and everything in it then.
    private func look(_ fixture: StoreFixture) throws -> (notice: String?, transfers: [StoredTransfer]) {
        let (store, opening) = try fixture.open()
        defer { store.close() }
        return (opening.notice, try store.all())
    }

    @Test("A bit that changes anywhere is either of no importance or said, and never becomes a transfer")
    func flips() throws {
        let source = try closed()
        let complete = try bytes(source.database)
        for offset in stride(from: 0, to: complete.count, by: 171) where complete[offset] != 0 || offset % 3 == 0 {
            let fixture = try source.image(withLock: true)
            var changed = complete
            changed[offset] ^= 1 << UInt8(offset % 8)
            try replace(fixture.database, changed)
            let (notice, transfers) = try look(fixture)
            let isSame = transfers == Self.transfers
            #expect(isSame || notice != nil, "byte \(offset)")
            let areKnown = transfers.allSatisfy { found in
                Self.transfers.contains { known in
                    var bare = known
                    bare.counts = found.counts
                    return bare == found && [known.counts, BodyCounts()].contains(found.counts)
                }
            }
            #expect(areKnown, "byte \(offset)")
        }
    }

    @Test(
        "Fields that were changed without a digest are not believed",
        arguments: [
            "UPDATE transfers SET url='http://127.0.0.1/other' WHERE id=6",
            "UPDATE transfers SET standing='odd' WHERE id=6",
            "UPDATE transfers SET checksum='md5:00112233445566778899aabbccddeeff' WHERE id=6",
            "UPDATE transfers SET digest=NULL WHERE id=6",
        ])
    func changedFields(change: String) throws {
        let fixture = try closed()
        let database = try SQLiteDatabase(path: fixture.database)
        try database.execute(change)
        database.close()
        let (notice, transfers) = try look(fixture)
        #expect(
            notice?.contains(StoreReasons.restored(29, lost: [StoreReasons.lostRows(1)])) == true, "\(notice ?? "")")
        let ids = transfers.map(\.id.rawValue)
        #expect(ids == Self.transfers.map(\.id.rawValue).filter { $0 != 6 })
    }

    @Test(
        "Counts that cannot be, or were not written, are left out and said",
        arguments: ["received=-1", "sent=-5", "expected_to_receive=-9", "sent=6"])
    func impossibleCounts(change: String) throws {
        let fixture = try StoreFixture()
        var (store, _) = try fixture.open()
        let transfer = StoreFixture.transfer(1)
        try store.apply([.add(transfer), .progress(transfer.id, BodyCounts(received: 5, sent: 5))])
        try store.database.execute("UPDATE progress SET \(change)")
        store.close()
        let opening: StoreOpening
        (store, opening) = try fixture.open()
        defer { store.close() }
        #expect(opening.unfinished == [transfer] && opening.notice != nil)
    }

    @Test("Rows that another program took away are missed")
    func fewerRows() throws {
        let fixture = try closed()
        let database = try SQLiteDatabase(path: fixture.database)
        try database.execute("DELETE FROM transfers WHERE id=6")
        database.close()
        let (notice, transfers) = try look(fixture)
        #expect(notice?.contains(StoreReasons.otherCount(29, expected: 30)) == true, "\(notice ?? "")")
        #expect(transfers.count == 29)
    }

    @Test("A file that ends inside its last page is damaged", arguments: [1, 2_000, 4_095])
    func cutInsidePage(missing: Int) throws {
        let fixture = try closed()
        let complete = try bytes(fixture.database)
        try replace(fixture.database, Array(complete.dropLast(missing)))
        let (notice, transfers) = try look(fixture)
        #expect(notice?.contains(StoreReasons.endsInPage) == true, "\(notice ?? "")")
        let areKnown = transfers.allSatisfy { Self.transfers.contains($0) }
        #expect(areKnown)
    }

    @Test("An older copy in the place of the file is told by the commits that it lacks")
    func olderCopy() throws {
        let fixture = try closed()
        let older = try bytes(fixture.database)
        let (store, _) = try fixture.open()
        try store.apply([.add(StoreFixture.transfer(31))])
        try store.apply([.remove(TransferID(rawValue: 31))])
        store.close()
        try replace(fixture.database, older)
        let (notice, transfers) = try look(fixture)
        #expect(notice?.contains(StoreReasons.changesMissing(2)) == true, "\(notice ?? "")")
        #expect(transfers == Self.transfers)
    }

    @Test(
        "A log that another program has brought into the file is no damage, and nor is looking",
        arguments: [true, false])
    func lookedAt(leftOpen: Bool) throws {
        let original = try StoreFixture()
        let (store, _) = try original.open()
        try store.apply(Self.transfers.map { .add($0) })
        try store.apply([.label(TransferID(rawValue: 1), "mine"), .label(TransferID(rawValue: 1), nil)])
        if !leftOpen { store.close() }
        let fixture = try original.image(withLock: true)
        if leftOpen { store.close() }
        let other = try SQLiteDatabase(path: fixture.database)
        #expect(try other.integer("SELECT count(*) FROM transfers") == 30)
        _ = try other.texts("PRAGMA journal_mode=\(leftOpen ? "WAL" : "DELETE")")
        other.close()
        #expect(try !fixture.names().contains("test.sqlite-wal"))
        let (notice, transfers) = try look(fixture)
        #expect(notice == nil)
        #expect(transfers == Self.transfers)
    }

    @Test("Every change keeps the digests, and the numbers of rows and of commits")
    func everyChange() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        try store.apply(Self.transfers.map { .add($0) })
        let id = Self.transfers[0].id
        let counts = BodyCounts(received: 5, sent: 6, expectedToReceive: 7, expectedToSend: 8)
        let file = StoredTransfer.FinishingFile(path: "/f", device: .max, inode: 2)
        let end = StoredEnd(standing: .completed, counts: counts, finishedAt: -0.0, startedAt: 3)
        let changes: [TaskStoreChange] = [
            .wanted(id, .running), .waiting([id], .paused), .label(id, "ä"), .position(id, -5), .progress(id, counts),
            .upload(id, "x"), .parked(id, counts, partPath: "/p"), .finishing(Self.transfers[4].id, file),
            .ended(id, end), .add(Self.transfers[0]), .remove(id), .remove(id), .add(Self.transfers[0]),
        ]
        let check = StoreCheck(database: store.database)
        for (number, change) in changes.enumerated() {
            try store.apply([change])
            #expect(throws: Never.self, "\(change)") { try check.rows() }
            #expect(try store.database.integer("SELECT revision FROM revisions") == Int64(number) + 2)
        }
        store.close()
        #expect(try look(fixture).notice == nil)
    }
}
