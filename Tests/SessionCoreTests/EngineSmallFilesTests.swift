import LoopbackServer
import Testing

@testable import SessionCore

/// Long lists of small files against a real server on loopback.
@Suite("Small files in the engine", .timeLimit(.minutes(1)))
struct EngineSmallFilesTests {
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
}
