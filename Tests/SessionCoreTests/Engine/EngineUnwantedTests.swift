import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// What a server does that nobody has asked for, and how little of it has an effect.
@Suite("What nobody has asked for", .timeLimit(.minutes(1)))
struct EngineUnwantedTests {
    private func server() throws -> LoopbackServer {
        let server = LoopbackServer()
        try server.start()
        return server
    }

    @Test("A refusal in the middle of an upload stops it", arguments: [413, 401])
    func refusedInTheMiddle(status: Int) throws {
        let server = try server()
        let harness = try EngineHarness()
        let size: off_t = 256 << 20
        let path = harness.folder.path + "/body"
        #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, size) == 0)
        let refusal = Behaviour.respond(ScriptedResponse(status))
        server.setRoute("/file", refusal.receiving(UploadPolicy(answersAfter: 200_000)))
        var request = TransferRequest(url: server.url("/file"), method: "PUT", body: .file(path: path))
        // Nobody is asked before, so that the answer comes in the middle.
        request.headers["Expect"] = ""
        let id = harness.add(request, kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.head?.statusCode == status)
        #expect(server.requestCount == 1)
        // What the kernel had taken until then; the rest is never read from the file.
        #expect(harness.status(id).sent < 32 << 20, "\(harness.status(id).sent)")
        #expect(server.requests[0].bodyByteCount < 4 << 20)
    }

    @Test("A file that has both a length and chunks is that of the chunks, and its connection is not used again")
    func lengthAndChunks() throws {
        let server = try server()
        let harness = try EngineHarness { $0.maximumConcurrentTransfers = 1 }
        server.setRoute("/both", .file(seed: 1, count: 5_000).framed(.chunked).header("Content-Length", "4000"))
        server.setRoute("/next", .file(seed: 2, count: 5_000))
        for (name, seed) in [("both", UInt64(1)), ("next", 2)] {
            let outcome = try #require(
                harness.outcome(of: harness.download(server.url("/" + name), name: .fixed(name))))
            #expect(outcome.error == nil)
            let file = FileManager.default.contents(atPath: harness.folder.path + "/" + name)
            #expect(file == Data(DeterministicContent(seed: seed, count: 5_000).bytes))
        }
        #expect(Set(server.requests.map(\.connectionID)).count == 2)
    }

    @Test(
        "A chunk that says too much, or nothing that is a size, fails the transfer",
        arguments: [
            "FFFFFFFFFFFFFFFFF\r\nabc", "7FFFFFFFFFFFFFFFFF\r\nabc", "-5\r\nabc", "x\r\nabc\r\n0\r\n\r\n", "5;\r\nabc",
            "3 \r\nabcdef\r\n0\r\n\r\n", "3\r\nabcdef\r\n0\r\n\r\n",
        ])
    func badChunks(body: String) throws {
        let server = try server()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        server.setRoute("/file", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error != nil)
        #expect(!FileManager.default.fileExists(atPath: harness.folder.path + "/file"))
    }

    @Test("The path of a redirect does not name the file, and no Referer is sent unasked")
    func redirect() throws {
        let server = try server()
        let harness = try EngineHarness()
        server.setRoute("/asked.bin", .redirect(to: "/elsewhere.exe"))
        server.setRoute("/elsewhere.exe", .file(seed: 1, count: 100))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/asked.bin"), name: .automatic)))
        #expect(outcome.result.filePath == harness.folder.path + "/asked.bin")
        #expect(server.requests.allSatisfy { $0.header("Referer") == nil })
    }

    @Test("An offer of another host is not heeded")
    func alternativeService() throws {
        let (server, other) = (try server(), try server())
        let harness = try EngineHarness()
        let offer = "http/1.1=\":\(other.port)\"; ma=3600"
        server.setRoute("/file", .file(seed: 1, count: 100).header("Alt-Svc", offer))
        for name in ["a", "b", "c"] {
            _ = try #require(harness.outcome(of: harness.download(server.url("/file"), name: .fixed(name))))
        }
        #expect(server.requestCount == 3 && other.requestCount == 0)
    }

    @Test("A very large page of an error is read as far as 64 KiB, and its connection ends")
    func largePage() throws {
        let server = try server()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        var page = ScriptedResponse(404)
        page.body = .generated(seed: 1, count: 512 << 20)
        server.setRoute("/file", .respond(page))
        let outcome = try #require(harness.outcome(of: harness.download(server.url("/file"))))
        #expect(outcome.error?.statusCode == 404)
        #expect(outcome.body.count <= 64 << 10)
        #expect(server.waitForFinishedRequests(count: 1))
        #expect(server.requests[0].responseBodyBytesSent < 64 << 20)
    }

    @Test("A finished file has no attribute that tells where it came from")
    func noAttributes() throws {
        let server = try server()
        let harness = try EngineHarness()
        server.setRoute("/file", .file(seed: 1, count: 200_000))
        server.setRoute("/small", .file(seed: 1, count: 200))
        for name in ["file", "small"] {
            _ = try #require(
                harness.outcome(of: harness.download(server.url("/\(name)?token=hush"), name: .fixed(name))))
            let path = harness.folder.path + "/" + name
            #expect(FileManager.default.fileExists(atPath: path))
            let found = try attributes(of: path)
            // What a refresh asks by is kept with a hash of the URL, which does not tell it.
            let others = found.split(separator: "\0").filter { $0 != "\(FileMark.attribute)" }
            #expect(!others.contains { $0.contains("user.") }, "\(found)")
        }
    }

    /// The names of a file's extended attributes; Swift's module of the C library does not have the call.
    private func attributes(of path: String) throws -> String {
        typealias List = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int
        let list = unsafeBitCast(try #require(dlsym(nil, "listxattr")), to: List.self)
        var names = [CChar](repeating: 0, count: 4_096)
        let count = list(path, &names, names.count)
        return String(decoding: names.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test("Two names that differ in case alone are two files")
    func caseAlone() throws {
        let server = try server()
        let harness = try EngineHarness()
        let names = ["Read.Me", "READ.ME", "read.me"]
        for (index, name) in names.enumerated() {
            server.setRoute("/" + name, .file(seed: UInt64(index), count: 1_000))
            _ = try #require(harness.outcome(of: harness.download(server.url("/" + name), name: .automatic)))
        }
        for (index, name) in names.enumerated() {
            let file = FileManager.default.contents(atPath: harness.folder.path + "/" + name)
            #expect(file == Data(DeterministicContent(seed: UInt64(index), count: 1_000).bytes), "\(name)")
        }
    }

    @Test("A kept connection that is closed just as a request comes costs a new one, and no try")
    func closedKeptConnection() throws {
        let server = try server()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        server.setRoute("/first", .file(seed: 1, count: 1_000))
        // The second request of a connection gets nothing but its end.
        server.setRoute("/second", .sequence([.silence(), .file(seed: 2, count: 1_000)]))
        for name in ["first", "second"] {
            let outcome = try #require(
                harness.outcome(of: harness.download(server.url("/" + name), name: .fixed(name))))
            #expect(outcome.error == nil, "\(outcome.error?.message ?? "")")
        }
        #expect(server.requests.count == 3)
        #expect(Set(server.requests.map(\.connectionID)).count == 2)
    }

    @Test("A file goes on behind 4 GiB")
    func behindFourGibibytes() throws {
        let server = try server()
        let (kept, size): (Int64, Int64) = ((4 << 30) + 1, (4 << 30) + 100_000)
        server.setRoute("/file", .file(seed: 7, count: size))
        let harness = try EngineHarness()
        // A part that takes no room, but for its end.
        var metadata = StoredMetadata(
            url: server.url("/file"), finalURL: server.url("/file"), method: "GET", status: 200)
        (metadata.entityTag, metadata.length) = ("\"7-\(size)\"", size)
        let folder = try Folder(path: harness.folder.path)
        let part = try PartFile.create(
            in: folder, url: metadata.url, name: .fixed("file"), finalName: "file", metadata: metadata)
        let end = DeterministicContent(seed: 7, count: size).bytes(in: kept - RangeOverlap.short..<kept)
        try end.withUnsafeBytes { try part.write($0, at: kept - RangeOverlap.short) }
        try part.checkpoint(offset: kept)
        part.close()
        let id = harness.download(server.url("/file"))
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(server.requests[0].header("Range") == "bytes=4294967041-")
        #expect(server.ended("/file")[0].responseBodyBytesSent == 99_999 + RangeOverlap.short)
        #expect(harness.status(id).received == size && harness.status(id).resumedAt == kept)
        var status = stat()
        #expect(stat(harness.folder.path + "/file", &status) == 0 && Int64(status.st_size) == size)
    }
}
