import Glibc
import Testing

@testable import SessionCore

@Suite("Damaged stores", .timeLimit(.minutes(1)))
struct StoreRecoveryTests {
    /// A store of which some rows are in the file and the latest in the log alone, as a kill leaves it, with its lock file.
    private func leftOpen(_ fixture: StoreFixture) throws -> TaskStore {
        let (store, _) = try fixture.open()
        try store.apply((1...60).map { .add(StoreFixture.transfer($0)) })
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for number in UInt64(61)...70 { try store.apply([.add(StoreFixture.transfer(number))]) }
        return store
    }

    private func size(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return Int(status.st_size)
    }

    /// Damage of the files of a store that was left open, and the rows that must be there again.
    enum Damage: String, CaseIterable {
        case logCut, logFlipped, logGone, logEmpty, fileEmpty, fileGone, fileCut

        var least: Int {
            switch self {
            case .logCut, .logFlipped: 62
            case .logGone, .logEmpty: 60
            case .fileEmpty, .fileGone: 10
            case .fileCut: 30
            }
        }
    }

    @Test("What a damaged store still has is there again, and the notice says what is not", arguments: Damage.allCases)
    func damage(kind: Damage) throws {
        let original = try StoreFixture()
        let store = try leftOpen(original)
        defer { store.close() }
        let fixture = try original.image(withLock: true)
        let (file, log) = (fixture.database, fixture.database + "-wal")
        switch kind {
        case .logCut: try #require(truncate(log, off_t(try size(log) / 2)) == 0)
        case .logFlipped: try overwrite(log, at: try size(log) / 2, [0x5A, 0xA5])
        case .logGone: unlink(log)
        case .logEmpty: try #require(truncate(log, 0) == 0)
        case .fileEmpty: try #require(truncate(file, 0) == 0)
        case .fileGone: unlink(file)
        case .fileCut: try #require(truncate(file, off_t(try size(file) / 4_096 / 2 * 4_096)) == 0)
        }
        let (fresh, opening) = try fixture.open()
        let notice = try #require(opening.notice)
        let names = try fixture.names()
        let aside = names.filter { $0.contains(".corrupt-") }
        #expect(!aside.isEmpty)
        let (found, highest) = (opening.unfinished.count, opening.highestID)
        #expect(found >= kind.least, "\(notice)")
        #expect(notice.contains(StoreReasons.restored(found)), "\(notice)")
        let isRight = opening.unfinished.allSatisfy { $0 == StoreFixture.transfer($0.id.rawValue) }
        #expect(isRight)
        #expect(highest == 70, "numbers must not be given again")
        // The new store is whole: nothing is said of it the next time.
        fresh.close()
        let (again, second) = try fixture.open()
        defer { again.close() }
        let (isComplete, isSame) = (second.notice == nil, second.unfinished == opening.unfinished)
        #expect(isComplete && isSame)
    }

    @Test("A store that was closed and then emptied is not taken for a new one")
    func emptied() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        try store.apply([.add(StoreFixture.transfer(7))])
        store.close()
        try #require(truncate(fixture.database, 0) == 0)
        let (fresh, opening) = try fixture.open()
        fresh.close()
        let (notice, highest) = (opening.notice ?? "", opening.highestID)
        #expect(notice.contains(StoreReasons.empty), "\(notice)")
        #expect(highest == 7)
        // Removing all of it is a new beginning that somebody wanted.
        unlink(fixture.database)
        let (third, newest) = try fixture.open()
        third.close()
        #expect(newest.notice == nil)
    }

    @Test("Rows of every kind, long ones and their counts survive, and rows without meaning are counted")
    func rowsOfEveryKind() throws {
        let original = try StoreFixture()
        let (store, _) = try original.open()
        var rows = TaskStoreTests.table
        rows.append(
            StoreFixture.transfer(50) {
                $0.kind = .upload; $0.destination = .memory
                $0.request.body = .bytes((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
            })
        try store.apply(rows.map { .add($0) } + [.add(StoreFixture.transfer(51))])
        try store.database.execute("UPDATE transfers SET standing='nonsense' WHERE id=51")
        // The first page's copy in the log would heal the file.
        try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        defer { store.close() }
        let fixture = try original.image()
        try overwrite(fixture.database, at: 0, [UInt8](repeating: 0xFF, count: 100))
        unlink(fixture.database + "-shm")
        let (fresh, opening) = try fixture.open()
        defer { fresh.close() }
        let (isSame, notice) = (try fresh.all() == rows.sorted { $0.id < $1.id }, opening.notice ?? "")
        #expect(isSame)
        #expect(notice.contains(StoreReasons.restored(14, lost: [StoreReasons.lostRows(1)])), "\(notice)")
        #expect(notice.contains("51 http://127.0.0.1/51"), "\(notice)")
    }

    @Test("A crash leaves nothing to complain of: the log may end in an unfinished transaction")
    func unfinishedTransaction() throws {
        let original = try StoreFixture()
        let store = try leftOpen(original)
        defer { store.close() }
        let fixture = try original.image(withLock: true)
        let log = fixture.database + "-wal"
        let file = Glibc.open(log, O_WRONLY | O_APPEND)
        defer { close(file) }
        #expect(write(file, [UInt8](repeating: 3, count: 5_000), 5_000) == 5_000)
        let (fresh, opening) = try fixture.open()
        defer { fresh.close() }
        let (notice, found) = (opening.notice, opening.unfinished.count)
        #expect(notice == nil)
        #expect(found == 70)
    }

    @Test("Whatever bytes a store's pages are, reading them ends")
    func garbage() throws {
        let original = try StoreFixture()
        let store = try leftOpen(original)
        defer { store.close() }
        var random = SplitMix(seed: 20_261_123)
        for round in 0..<12 {
            let fixture = try original.image()
            let length = try size(fixture.database)
            for _ in 0..<12 {
                let offset = round % 2 == 0 ? Int(random.next() % UInt64(length)) : Int(random.next() % 16) + 4_096
                try overwrite(fixture.database, at: offset, [UInt8(truncatingIfNeeded: random.next())])
            }
            var salvage = StoreRecovery(
                StorePages(folder: try Folder(path: fixture.path), name: "test.sqlite", log: "test.sqlite-wal"),
                highestID: 0)
            let other = try StoreFixture()
            let (fresh, _) = try other.open()
            defer { fresh.close() }
            try withExtendedLifetime(other) { try salvage.restore(into: fresh) }
            #expect(salvage.restored <= 70)
        }
    }

    private func overwrite(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
        let file = Glibc.open(path, O_RDWR)
        try #require(file >= 0)
        defer { close(file) }
        try #require(pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count)
    }
}

/// Numbers that look random and are the same in every run.
private struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
