import Glibc
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Disks that take no more bytes while a range is compared with the part.
@Suite("Writes that fail before a comparison", .timeLimit(.minutes(1)))
struct EngineRefusedWriteTests {
    private static let resource = ServedResource(seed: 5, count: 400_000)
    private let server = LoopbackServer()
    private let harness: EngineHarness

    init() throws {
        try server.start()
        harness = try EngineHarness()
    }

    /// Makes every later write to a download's part fail; its bytes can still be read.
    private func refuseWrites(of id: TransferID) -> Bool {
        let isDone = Locked(false)
        harness.engine.run { core in
            guard let part = (core.transfer(id)?.handler as? DownloadWriter)?.part else { return }
            let file = open(part.path, O_RDONLY)
            let isReplaced = file >= 0 && dup2(file, part.descriptor) == part.descriptor
            close(file)
            isDone.withLock { $0 = isReplaced }
        }
        harness.waitForLoop()
        return isDone.withLock { $0 }
    }

    /// A range of few bytes behind the requested comparison, which ends when the gate opens.
    private static func shortRange(_ request: RecordedRequest, until gate: Gate) -> Behaviour {
        let first = request.header("Range")?.split(separator: "=").last?.split(separator: "-").first
        guard let start = first.flatMap({ Int64($0) }) else { return .respond(.text("no range", status: 400)) }
        let end = start + RangeOverlap.short + 1_000
        var response = ScriptedResponse(206, body: .slice(resource.body, start..<end), framing: .chunked)
        response.headers["ETag"] = resource.entityTag
        response.headers["Content-Range"] = "bytes \(start)-\(end - 1)/\(resource.body.count)"
        response.delivery.stalls = [Stall(after: end - start, gate: gate)]
        return .respond(response)
    }

    @Test("are failures of the disk, and say nothing of the server's bytes")
    func lead() throws {
        let gate = try server.gate(named: "range")
        let file = Behaviour.resource(Self.resource)
        server.setRoute(
            "/file",
            .choosing { request in
                switch request.index {
                case 0: file.cutting(after: 200_000)
                case 1: Self.shortRange(request, until: gate)
                default: file
                }
            })
        let id = harness.download(server.url("/file"))
        harness.resume(id)
        #expect(harness.waitForReceived(201_000, id))
        #expect(refuseWrites(of: id))
        gate.release()
        let end = try #require(harness.outcome(of: id, resuming: false))
        #expect(end.error?.errno == EBADF && end.error?.code == .storage, "\(end.error?.message ?? "none")")
        #expect(harness.restarts(of: id) == [])
        try #require(server.waitForFinishedRequests(count: 3))
        #expect(server.requests.map(\.status) == [200, 206, 206])
    }
}
