import Foundation
import Glibc
import LoopbackServer
import Testing

/// What an upload is made of is more than a small file.
@Suite("Sources of uploads", .timeLimit(.minutes(1)))
struct UploadSourceTests {
    @Test("A device without an end is refused before anything is sent", arguments: ["/dev/zero", "/dev/full"])
    func devices(path: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/up": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", path, server.url("/up")], in: folder)
        #expect(run.status != 0 && run.status < 128, "\(run.messages)")
        #expect(run.messages.contains(path) && run.messages.contains("file"), "\(run.messages)")
        #expect(server.requests.isEmpty)
    }

    @Test("A file of ten GiB with a hole is announced with its length, and a server that refuses it stops it")
    func sparse() async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "sparse")
        try #require(truncate(folder.path(of: "sparse"), 10 << 30) == 0)
        let server = try Served.start(["/up": .refusing(.text("too large\n", status: 413))])
        let run = try await ProgramRun.finished(
            ["upload", "--plain", "--retries", "0", "sparse", server.url("/up")], in: folder)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("413"), "\(run.messages)")
        #expect(server.requests.first?.header("Content-Length") == String(10 << 30))
        #expect(server.requests.first.map { $0.bodyByteCount < 64 << 20 } == true)
    }

    @Test("A server that accepts an upload before it has read it is said to have done so")
    func earlyResponse() async throws {
        let folder = try ScratchFolder()
        try folder.write([UInt8](repeating: 7, count: 30_000_000), to: "large")
        let server = try Served.start(["/up": .refusing(.text("ok\n")), "/whole": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", "large", server.url("/up")], in: folder)
        #expect(run.status == 0 && run.messages.contains("may not have all of it"), "\(run.messages)")
        let whole = try await ProgramRun.finished(["upload", "--plain", "large", server.url("/whole")], in: folder)
        #expect(whole.status == 0 && !whole.messages.contains("may not"), "\(whole.messages)")
    }

    @Test("A file without a byte is sent as that")
    func empty() async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "empty")
        let server = try Served.start(["/up": .uploadSink()])
        let run = try await ProgramRun.finished(["upload", "--plain", "empty", server.url("/up")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(server.requests.first?.header("Content-Length") == "0")
    }
}
