import Foundation
import LoopbackServer
import SessionCore
import SessionSupport
import Testing

@testable import TransferService

/// How long a folder's list of checksums counts.
@Suite("Lists of checksums that change", .timeLimit(.minutes(1)))
struct ChecksumFinderTests {
    private let server = LoopbackServer()
    private let time = Locked(Int64(0))

    private static func list(_ digit: Character) -> Behaviour {
        .respond(.text(String(repeating: digit, count: 64) + "  file\n"))
    }

    private func finder() throws -> ChecksumFinder {
        try server.start()
        var configuration = SessionConfiguration.default
        configuration.maximumRetries = 0
        return ChecksumFinder(configuration) { [time] in time.withLock { $0 } }
    }

    /// The first digit of the checksum that is found; nil for none.
    private func found(by finder: ChecksumFinder) -> Character? {
        let answer = Monitor<Job.Checksum??>(nil)
        finder.find(Job(kind: .download, url: server.url("/file")), request: { TransferRequest(url: $0) }) { found in
            answer.change { $0 = .some(found) }
        }
        return answer.wait { $0 }?.hex.first
    }

    @Test("A list counts for a minute, and is then asked for again")
    func renewed() throws {
        let finder = try finder()
        defer { server.stop() }
        server.setRoute("/SHA256SUMS", Self.list("1"))
        #expect(found(by: finder) == "1")
        server.setRoute("/SHA256SUMS", Self.list("2"))
        time.withLock { $0 = 59_999 }
        #expect(found(by: finder) == "1" && server.requests(for: "/SHA256SUMS").count == 1)
        time.withLock { $0 = 60_000 }
        #expect(found(by: finder) == "2")
        finder.close()
    }

    @Test("A list that is missing is looked for after a minute, and one that a failing server has at once")
    func absent() throws {
        let finder = try finder()
        defer { server.stop() }
        #expect(found(by: finder) == nil)
        server.setRoute("/SHA256SUMS", Self.list("1"))
        #expect(found(by: finder) == nil)
        time.withLock { $0 = 60_000 }
        #expect(found(by: finder) == "1")
        server.setRoute("/SHA256SUMS", .respond(.text("busy", status: 503)))
        time.withLock { $0 = 120_000 }
        #expect(found(by: finder) == nil)
        server.setRoute("/SHA256SUMS", Self.list("3"))
        #expect(found(by: finder) == "3")
        finder.close()
    }

    @Test(
        "A refusal that holds for every download of the folder counts for a minute",
        arguments: [(403, 1), (400, 1), (401, 2), (429, 2), (500, 2)])
    func refusals(status: Int, requests: Int) throws {
        let finder = try finder()
        defer { server.stop() }
        server.setRoute("/SHA256SUMS", .respond(.text("no", status: status)))
        for _ in 0..<2 { #expect(found(by: finder) == nil) }
        #expect(server.requests(for: "/SHA256SUMS").count == requests)
        finder.close()
    }

    @Test("A text that is too long for a list is asked for once in a minute")
    func tooLong() throws {
        let finder = try finder()
        defer { server.stop() }
        server.setRoute("/SHA256SUMS", .file(seed: 1, count: 5 << 20))
        for _ in 0..<2 { #expect(found(by: finder) == nil) }
        #expect(server.requests(for: "/SHA256SUMS").count == 1)
        finder.close()
    }
}
