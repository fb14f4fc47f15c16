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

    @Test("Reading sees every change that was queued before")
    func readingSeesEarlierChanges() throws {
        let writer = try StoreFixture().writer()
        for number in 1...1_000 { writer.submit(.add(StoreFixture.transfer(UInt64(number)))) }
        #expect(try writer.all().count == 1_000)
    }

    @Test("Progress is written once a second at most, and what was not due yet when the store closes")
    func progressRidesAlong() async throws {
        let fixture = try StoreFixture()
        let writer = try fixture.writer()
        writer.submit(.add(StoreFixture.transfer(1)))
        for count in 1...10_000 {
            writer.submit([TransferID(rawValue: 1): StoredTransfer.Counts(received: Int64(count))])
        }
        await close(writer)
        #expect(try fixture.reopened().first?.counts.received == 10_000)
    }

    @Test("Counts of a row that is added with them stay, and those of an end are the last ones")
    func orderOfCounts() throws {
        let fixture = try StoreFixture()
        let (store, _) = try fixture.open()
        defer { store.close() }
        let ids = [1, 2].map { TransferID(rawValue: $0) }
        try store.apply([.add(StoreFixture.transfer(1))])
        let counts = [ids[0]: StoredTransfer.Counts(received: 5), ids[1]: StoredTransfer.Counts(received: 6)]
        let end = StoredEnd(
            standing: .completed, counts: StoredTransfer.Counts(received: 9), partPath: nil, finishedAt: 1)
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
        for (number, standing) in [(1, StoredTransfer.Standing.cancelled), (2, .completed)] {
            let end = StoredEnd(
                standing: standing, counts: StoredTransfer.Counts(received: 9), partPath: "/p", finishedAt: 1)
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
