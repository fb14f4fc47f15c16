import Glibc
import SessionSupport
import Testing

@testable import SessionCore

@Suite("Writer of the task store", .timeLimit(.minutes(1)))
struct TaskStoreWriterTests {
    @Test("A change is on the disk when it is acknowledged, and changes keep their order")
    func acknowledgedChangesAreOnTheDisk() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        let id = TransferID(rawValue: 1)
        for number in 1...50 { writer.submit(.add(StoreFixture.transfer(UInt64(number)))) }
        writer.submit(.wanted(id, .running))
        writer.submit(.wanted(id, .paused))
        let error = await withCheckedContinuation { continuation in
            writer.submit(.remove(TransferID(rawValue: 50))) { continuation.resume(returning: $0) }
        }
        #expect(error == nil)
        let found = try fixture.image().reopened()
        #expect(found.map(\.id.rawValue) == Array(1...49))
        #expect(found.first?.wanted == .paused && found.first?.wasStarted == true)
        await close(writer)
    }

    @Test("What the program does to a task without its user's wish is not stored: a pause, and one cancellation")
    func keptWishes() throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        func end(_ standing: StoredTransfer.Status) -> StoredEnd {
            StoredEnd(standing: standing, counts: BodyCounts(received: 7), partPath: "/p", finishedAt: 1)
        }
        let ids = (1...5).map { TransferID(rawValue: $0) }
        for id in ids {
            writer.submit(.add(StoreFixture.transfer(id.rawValue)))
            writer.submit(.wanted(id, .running))
        }
        writer.keepWishes(of: ids)
        for id in ids { writer.submit(.wanted(id, .paused)) }
        writer.followWishes(of: [ids[1]])
        for id in ids[...2] { writer.submit(.ended(id, end(.cancelled))) }
        // It is kept once, and a real end is one.
        writer.submit(.ended(ids[2], end(.cancelled)))
        writer.submit(.ended(ids[3], end(.completed)))
        // A transfer that is put again follows its user from there on.
        writer.submit(.add(StoreFixture.transfer(5)))
        writer.submit(.ended(ids[4], end(.cancelled)))
        let found = try withExtendedLifetime(fixture) { try writer.all() }
        #expect(found.map(\.standing) == [.unfinished, .cancelled, .cancelled, .completed, .cancelled])
        #expect(found[...3].map(\.wanted) == Array(repeating: .running, count: 4))
        #expect(found[0].partPath == "/p" && found[0].counts.received == 7)
    }

    @Test("Reading sees every change that was queued before")
    func readingSeesEarlierChanges() throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        for number in 1...1_000 { writer.submit(.add(StoreFixture.transfer(UInt64(number)))) }
        #expect(try withExtendedLifetime(fixture) { try writer.all().count } == 1_000)
    }

    @Test("Whoever adds very many waits until few of them wait for the disk, and no longer than they want to")
    func room() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        let (isCommitting, mayGoOn) = (Monitor(false), Monitor(false))
        writer.submit(.add(StoreFixture.transfer(1))) { _ in
            isCommitting.change { $0 = true }
            mayGoOn.wait { $0 ? () : nil }
        }
        isCommitting.wait { $0 ? () : nil }
        let changes = (0..<TaskStoreWriter.comfortableCount).map {
            TaskStoreChange.position(TransferID(rawValue: 1), Int64($0))
        }
        writer.submit(changes.dropLast())
        #expect(writer.waitForRoom(milliseconds: 0))
        writer.submit(changes.suffix(1))
        #expect(!writer.waitForRoom(milliseconds: 1))
        mayGoOn.change { $0 = true }
        #expect(writer.waitForRoom(milliseconds: 20_000))
        await close(writer)
        #expect(writer.waitForRoom(milliseconds: 0))
    }

    @Test("What a disk refused is written with what comes next, and nothing of it is lost")
    func refusedChangesAreKept() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        #expect(await committed([.add(StoreFixture.transfer(1))], by: writer) == nil)
        #expect(rename(fixture.database, fixture.database + ".away") == 0)
        for number: UInt64 in 2...5 {
            #expect(await committed([.add(StoreFixture.transfer(number))], by: writer)?.code == .storage)
        }
        #expect(writer.failure != nil)
        #expect(rename(fixture.database + ".away", fixture.database) == 0)
        #expect(await committed([.position(TransferID(rawValue: 1), 9)], by: writer) == nil)
        #expect(writer.failure == nil)
        await close(writer)
        #expect(try fixture.reopened().map(\.id.rawValue) == [2, 3, 4, 5, 1])
    }

    @Test("What met a page that cannot be read is kept, and nobody is told that it is on the disk before it is")
    func damageIsNotForgotten() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        #expect(await committed((1...50).map { .add(StoreFixture.transfer($0)) }, by: writer) == nil)
        // A second connection has the first one read its pages again.
        let second = try SQLiteDatabase(path: fixture.database)
        try second.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        // Open to the end: closing it would free SQLite's locks of this process.
        let file = Glibc.open(fixture.database, O_RDWR)
        try #require(file >= 0)
        defer { Glibc.close(file) }
        let pages = try SmallFile.read(file, limit: 1 << 20, path: fixture.database)
        let junk = [UInt8](repeating: 0xA5, count: pages.count)
        try second.execute("UPDATE transfers SET label='a' WHERE id=1")
        #expect(pwrite(file, junk, pages.count - 4_096, 4_096) == pages.count - 4_096)
        writer.submit(.add(StoreFixture.transfer(51)))
        #expect(await flushed(writer) != nil)
        #expect(await flushed(writer) != nil)
        #expect(writer.failure != nil)
        #expect(pwrite(file, Array(pages[4_096...]), pages.count - 4_096, 4_096) == pages.count - 4_096)
        try second.execute("UPDATE transfers SET label='b' WHERE id=2")
        try second.execute(StoreFixture.seal)
        second.close()
        #expect(await flushed(writer) == nil)
        #expect(writer.failure == nil)
        await close(writer)
        #expect(try fixture.reopened().count == 51)
    }

    @Test("Of counts that wait for a disk the latest of each transfer stay, in their places")
    func compactedCounts() {
        let ids = [1, 2].map { TransferID(rawValue: $0) }
        func counts(_ index: Int, _ number: Int64) -> TaskStoreChange {
            .progress(ids[index], BodyCounts(received: number))
        }
        let changes = [counts(0, 1), .remove(ids[1]), counts(1, 2), counts(0, 3), .label(ids[0], "a"), counts(0, 4)]
        #expect(
            TaskStoreWriter.compacted(changes)
                == [.remove(ids[1]), counts(1, 2), .label(ids[0], "a"), counts(0, 4)])
    }

    private func flushed(_ writer: TaskStoreWriter) async -> SessionError? {
        await withCheckedContinuation { continuation in
            writer.flush { continuation.resume(returning: $0) }
        }
    }

    /// Waits for changes, and answers why the disk refuses them.
    private func committed(_ changes: [TaskStoreChange], by writer: TaskStoreWriter) async -> SessionError? {
        await withCheckedContinuation { continuation in
            writer.submit(changes) { continuation.resume(returning: $0) }
        }
    }

    @Test("Progress is written once a second at most, and what was not due yet when the store closes")
    func progressRidesAlong() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        writer.submit(.add(StoreFixture.transfer(1)))
        for count in 1...10_000 {
            writer.submit([TransferID(rawValue: 1): BodyCounts(received: Int64(count))])
        }
        await close(writer)
        #expect(try fixture.reopened().first?.counts.received == 10_000)
    }

    @Test("Counts that are urgent wait for neither their turn nor another change")
    func urgentCounts() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        let id = TransferID(rawValue: 1)
        writer.submit(.add(StoreFixture.transfer(1)))
        writer.submit([id: BodyCounts(sent: 1)])
        #expect(await flushed(writer) == nil)
        writer.submit([id: BodyCounts(sent: 5)], isUrgent: true)
        while try fixture.image().reopened().first?.counts.sent != 5 { await Task.yield() }
        await close(writer)
    }

    @Test("Counts of a row that is added with them stay, and those of an end are the last ones")
    func orderOfCounts() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        defer { store.close() }
        let ids = [1, 2].map { TransferID(rawValue: $0) }
        try store.apply([.add(StoreFixture.transfer(1))])
        let counts = [ids[0]: BodyCounts(received: 5), ids[1]: BodyCounts(received: 6)]
        let end = StoredEnd(
            standing: .completed, counts: BodyCounts(received: 9), partPath: nil, finishedAt: 1)
        try store.apply(TaskStoreWriter.ordered(counts, [.ended(ids[0], end), .add(StoreFixture.transfer(2))]))
        #expect(try store.all().map(\.counts.received) == [9, 6])
        #expect(TaskStoreWriter.ordered([:], [.remove(ids[0])]).count == 1)
    }

    @Test("While a session is being left a cancelled transfer stays unfinished, and a completed one is completed")
    func aFrozenStoreKeepsTransfers() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        for number in 1...2 {
            writer.submit(.add(StoreFixture.transfer(UInt64(number))))
            writer.submit(.wanted(TransferID(rawValue: UInt64(number)), .running))
        }
        writer.freeze()
        writer.submit(.wanted(TransferID(rawValue: 1), .paused))
        for (number, standing) in [(1, StoredTransfer.Status.cancelled), (2, .completed)] {
            let end = StoredEnd(
                standing: standing, counts: BodyCounts(received: 9), partPath: "/p", finishedAt: 1)
            writer.submit(.ended(TransferID(rawValue: UInt64(number)), end))
        }
        await close(writer)
        let found = try fixture.reopened()
        #expect(found.map(\.standing) == [.unfinished, .completed])
        #expect(found.map(\.wanted) == [.running, .running])
        #expect(found.first?.partPath == "/p")
        #expect(found.first?.counts.received == 9)
    }

    @Test("A writer that is held closes only when it is released, and refuses what comes afterwards")
    func holdersKeepTheStoreOpen() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        #expect(writer.hold())
        writer.release()
        writer.submit(.add(StoreFixture.transfer(1)))
        #expect(try writer.all().count == 1)
        await close(writer)
        #expect(!writer.hold())
        let error = await withCheckedContinuation { continuation in
            writer.submit(.remove(TransferID(rawValue: 1))) { continuation.resume(returning: $0) }
        }
        #expect(error?.code == .sessionInvalidated)
        #expect(throws: SessionError.self) { try writer.all() }
        #expect(try fixture.reopened().count == 1)
    }

    private func close(_ writer: TaskStoreWriter) async {
        await withCheckedContinuation { continuation in
            writer.whenClosed { continuation.resume() }
            writer.release()
        }
    }
}
