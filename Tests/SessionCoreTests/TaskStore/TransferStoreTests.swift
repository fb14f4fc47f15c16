import FuzzTestSupport
import SessionSupport
import Testing

@testable import SessionCore

/// What every store promises, of the one in a file and the one in memory.
@Suite("Stores of transfers", .timeLimit(.minutes(1)))
struct TransferStoreTests {
    private static let file = StoredTransfer.FinishingFile(path: "/tmp/f", device: 1, inode: 2)

    private static func change(_ random: inout SeededGenerator) -> TaskStoreChange {
        let id = TransferID(rawValue: UInt64.random(in: 1...12, using: &random))
        let counts = BodyCounts(
            received: .random(in: 0...9, using: &random), sent: .random(in: 0...9, using: &random),
            expectedToReceive: Bool.random(using: &random) ? 9 : nil, expectedToSend: nil)
        let path = Bool.random(using: &random) ? "/tmp/.part-\(counts.sent)" : nil
        let wanted: StoredTransfer.Wanted = Bool.random(using: &random) ? .running : .paused
        switch Int.random(in: 0..<14, using: &random) {
        case 0...2:
            return .add(
                StoreFixture.transfer(id.rawValue) {
                    $0.counts = counts
                    $0.position = Int64(counts.received)
                })
        case 3: return .wanted(id, wanted)
        case 4:
            let set = StoredTransfer.Wanted.allCases.randomElement(using: &random) ?? wanted
            return .waiting([id, TransferID(rawValue: 3)], set)
        case 5: return .finishing(id, file)
        case 6, 7:
            let standings: [StoredTransfer.Status] = [.completed, .cancelled, .failed(.http, message: "404")]
            guard let standing = standings.randomElement(using: &random) else { return .remove(id) }
            return .ended(
                id,
                StoredEnd(
                    standing: standing, counts: counts, partPath: path, filePath: path.map { $0 + ".file" },
                    finishedAt: Double(counts.sent), startedAt: path == nil ? nil : 1.5, statusCode: 200,
                    failedAttempts: Int(counts.received)))
        case 8: return .parked(id, counts, partPath: path)
        case 9: return counts.sent % 2 == 0 ? .label(id, path) : .annotation(id, path)
        case 10: return .position(id, counts.received)
        case 11, 12: return .progress(id, counts)
        default: return .remove(id)
        }
    }

    @Test("The same changes leave the same transfers in each, also behind a new opening", arguments: UInt64(0)..<20)
    func sameChanges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try StoreFixture()
        let memory = TransferMemory()
        for _ in 0..<4 {
            let first = try fixture.open()
            let second = try memory.open()
            #expect(first.opening.unfinished == second.opening.unfinished)
            #expect(first.opening.highestID == second.opening.highestID)
            for _ in 0..<12 {
                let changes = (0..<4).map { _ in Self.change(&random) }
                try first.store.apply(changes)
                try second.store.apply(changes)
                #expect(try first.store.all() == second.store.all(), "\(changes)")
                let after =
                    Bool.random(using: &random) ? TransferID(rawValue: .random(in: 1...12, using: &random)) : nil
                let limit = Int.random(in: 0...6, using: &random)
                let page = try first.store.load(after: after, limit: limit)
                #expect(try page == second.store.load(after: after, limit: limit), "\(changes)")
            }
            first.store.close()
            second.store.close()
        }
    }

    @Test("A store that is open is not opened twice, and can be when it is closed")
    func oneAtATime() throws {
        let fixture = try StoreFixture()
        let memory = TransferMemory()
        let openings: [() throws -> any TransferStore] = [{ try fixture.open().store }, { try memory.open().store }]
        for open in openings {
            let store = try open()
            #expect((#expect(throws: SessionError.self) { try open() })?.code == .sessionInUse)
            store.close()
            try open().close()
        }
    }

    @Test("What a store refuses is kept and written with what comes next")
    func refusal() throws {
        let memory = TransferMemory()
        let writer = try TaskStoreWriter { () throws(SessionError) in try memory.open() }
        memory.state.withLock { $0.refuses = true }
        writer.submit(.add(StoreFixture.transfer(1)))
        let isRefused = Monitor<SessionError??>(nil)
        writer.flush { error in isRefused.change { $0 = .some(error) } }
        #expect(isRefused.wait { $0 }?.code == .diskFull)
        memory.state.withLock { $0.refuses = false }
        writer.submit(.label(TransferID(rawValue: 1), "mine"))
        #expect(try writer.all().map(\.label) == ["mine"])
        #expect(writer.failure == nil)
        writer.release()
        writer.waitUntilClosed()
        #expect(try memory.open().opening.unfinished.map(\.id.rawValue) == [1])
    }

    @Test("A session whose transfers are in memory finds them in its next run")
    func session() async throws {
        let memory = TransferMemory()
        var configuration = SessionConfiguration.persistent(identifier: "memory")
        configuration.storeFolder = "/nonexistent/folder"
        for run in 1...2 {
            let writer = try TaskStoreWriter { () throws(SessionError) in try memory.open() }
            let manager = SessionManager(
                configuration: configuration, handlers: SessionHandlers(), store: writer
            ) { _ in ScriptedEngine() }
            writer.release()
            #expect(manager.store.error == nil)
            if run == 1 {
                let task = try manager.dataTask(
                    with: TransferRequest(url: "http://127.0.0.1/f"), completionHandler: nil)
                task.resume()
            } else {
                #expect(manager.tasks.map(\.state) == [.running])
            }
            await manager.close()
        }
    }

    @Test("A page behind an opening has what was read then and what was not, each once and in the order of the numbers")
    func pages() throws {
        let fixture = try StoreFixture()
        let store = try fixture.open().store
        try store.apply((1...9).map { number in .add(StoreFixture.transfer(number) { $0.position = -Int64(number) }) })
        let end = StoredEnd(standing: .completed, counts: BodyCounts(), finishedAt: 1)
        try store.apply([2, 3, 6, 9].map { .ended(TransferID(rawValue: $0), end) })
        store.close()
        let again = try fixture.open().store
        defer { again.close() }
        for isChanged in [false, true] {
            if isChanged { try again.apply([.label(TransferID(rawValue: 9), "l")]) }
            var (numbers, last): ([UInt64], TransferID?) = ([], nil)
            while case let page = try again.load(after: last, limit: 2), let end = page.last?.id {
                #expect(page.count <= 2)
                numbers += page.map(\.id.rawValue)
                last = end
            }
            #expect(numbers == Array(1...9))
            #expect(try again.all().map(\.id.rawValue) == Array((1...9).reversed()))
        }
    }

    @Test(
        "Workers share the transfers: none is claimed twice, a lease that is over ends with its word, and an end stays one"
    )
    func claims() throws {
        let memory = TransferMemory()
        let (first, second) = (MemoryTransferStore(memory, worker: "a"), MemoryTransferStore(memory, worker: "b"))
        try first.apply((1...5).map { .add(StoreFixture.transfer($0)) })
        #expect(first.claim(2, for: "a", lease: 1_000).map(\.id.rawValue) == [1, 2])
        #expect(second.claim(9, for: "b", lease: 5_000).map(\.id.rawValue) == [3, 4, 5])
        #expect(second.claim(9, for: "b", lease: 5_000).count == 3, "its own, anew")
        let end = StoredEnd(standing: .completed, counts: BodyCounts(), finishedAt: 1)
        try first.apply([.ended(TransferID(rawValue: 1), end)])
        memory.clock.withLock { $0 = 1_000 }
        #expect((#expect(throws: SessionError.self) { try first.apply([.label(TransferID(rawValue: 2), "a")]) }) != nil)
        #expect(second.claim(9, for: "b", lease: 5_000).map(\.id.rawValue) == [3, 4, 5, 2])
        try second.apply([.ended(TransferID(rawValue: 2), end), .label(TransferID(rawValue: 3), "b")])
        #expect(first.claim(9, for: "a", lease: 1_000).isEmpty)
        memory.clock.withLock { $0 = 6_000 }
        #expect(first.claim(9, for: "a", lease: 1_000).map(\.id.rawValue) == [3, 4, 5])
    }
}
