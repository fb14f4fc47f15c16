import Dispatch
import LoopbackServer
import Testing

@testable import SessionCore

/// Long lists of small files against a real server on loopback.
@Suite("Small files in the engine", .timeLimit(.minutes(1)))
struct EngineSmallFilesTests {
    /// Holds whatever is to be written down until it is opened.
    private final class SlowJournal: FinishJournal {
        let entered = DispatchSemaphore(value: 0)
        let opened = DispatchSemaphore(value: 0)

        func record(_ files: [TransferID: StoredTransfer.FinishingFile]) {
            entered.signal()
            opened.wait()
        }
    }

    let server: LoopbackServer

    init() throws {
        server = LoopbackServer()
        try server.start()
    }

    @Test("More files than slots all arrive whole, on a disk and in memory", arguments: ["/tmp", "/dev/shm"])
    func all(parent: String) throws {
        let temporary = try StorageTemporaryFolder(in: parent)
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 2 }
        server.setRoute("/small", .file(seed: 9, count: 10_000))
        let ids = (0..<60).map { number in
            harness.add(
                TransferRequest(url: server.url("/small?\(number)")), kind: .download,
                sink: .file(DownloadTarget(folder: temporary.path)))
        }
        for id in ids { harness.resume(id) }
        let outcomes = ids.map { harness.outcome(of: $0, resuming: false) }
        #expect(outcomes.allSatisfy { $0?.status.phase == .completed })
        #expect(Set(outcomes.compactMap { $0?.filePath }).count == ids.count)
        let names = try temporary.names()
        #expect(names.count == ids.count)
        let expected = String(decoding: DeterministicContent(seed: 9, count: 10_000).bytes, as: UTF8.self)
        for name in names { #expect(try temporary.read(name) == expected) }
    }

    @Test("The next transfer begins while a body that is here waits for the disk")
    func slotIsPassedOn() throws {
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/small", .file(seed: 9, count: 10_000))
        let journal = SlowJournal()
        let first = add("first", to: harness, journal)
        let second = add("second", to: harness, nil)
        harness.resume(first)
        #expect(journal.entered.wait(timeout: .now() + 30) == .success)
        harness.resume(second)
        let hasBegun = harness.wait(second) { $0.contains { if case .response = $0 { true } else { false } } }
        #expect(hasBegun && harness.outcomeIfAny(first) == nil)
        journal.opened.signal()
        for id in [first, second] { #expect(harness.outcome(of: id, resuming: false)?.status.phase == .completed) }
        let third = add("third", to: harness, nil)
        #expect(harness.outcome(of: third)?.status.phase == .completed, "the slot came back")
    }

    private func add(_ name: String, to harness: EngineHarness, _ journal: SlowJournal?) -> TransferID {
        harness.add(
            TransferRequest(url: server.url("/small?\(name)")), kind: .download,
            sink: .file(DownloadTarget(folder: harness.folder.path, name: .fixed(name)))
        ) { $0.journal = journal }
    }
}
