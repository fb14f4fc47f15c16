import LoopbackServer
import Testing

/// Bodies whose connection is cut in the middle, where nothing lies on a disk that proves what was there.
@Suite("Cut bodies", .timeLimit(.minutes(1)))
struct CutBodyTests {
    private static let content = DeterministicContent(seed: 11, count: 300_000)
    private static let complete = Behaviour.file(seed: 11, count: 300_000)

    @Test(
        "A body that goes to a pipe goes on behind a cut where the server proves that it is the same one",
        arguments: ["-o", "request"])
    func streamed(route: String) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start([
            "/file": .sequence([
                Self.complete.cutting(after: 100_000), .respond(.text("later\n", status: 503)),
                Self.complete.cutting(after: 50_000), Self.complete,
            ])
        ])
        let words = route == "-o" ? ["-o", "-"] : ["request", "-H", "Accept-Encoding: identity"]
        let result = try await ProgramRun.finished(words + [server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(result.output == Self.content.bytes)
        #expect(server.requests.dropFirst().allSatisfy { $0.header("If-Range") == "\"11-300000\"" })
        #expect(server.requests.last?.header("Range") == "bytes=149488-")
    }

    @Test("A body that goes to a pipe and is not what its server announces ends as a file does")
    func announced() async throws {
        let folder = try ScratchFolder()
        let zeros = "sha-256=:" + String(repeating: "A", count: 43) + "=:"
        let server = try Served.start(["/file": Self.complete.header("Repr-Digest", zeros)])
        for words in [["-o", "-"], ["-o", "file"]] {
            let result = try await ProgramRun.finished(words + [server.url("/file")], in: folder)
            #expect(result.status == 5, "\(result.messages)")
            #expect(result.messages.contains("server announced 00"), "\(result.messages)")
        }
    }

    @Test("What cannot be proven to be the rest is not written behind what was there", arguments: [true, false])
    func changed(hasTag: Bool) async throws {
        let folder = try ScratchFolder()
        func file(_ seed: UInt64) -> Behaviour {
            .resource(
                ServedResource(
                    body: .generated(seed: seed, count: 300_000), entityTag: hasTag ? "\"\(seed)\"" : nil))
        }
        let server = try Served.start(["/file": .sequence([file(11).cutting(after: 100_000), file(12)])])
        let result = try await ProgramRun.finished(["-o", "-", server.url("/file")], in: folder)
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.output == Array(Self.content.bytes[..<100_000]))
        #expect(server.requestCount == (hasTag ? 2 : 1))
        #expect(!hasTag || result.messages.contains("cannot be replaced"), "\(result.messages)")
    }

    private static let first = String(repeating: "a", count: 200_000) + String(repeating: "b", count: 100_000)
    private static let other = String(repeating: "c", count: 300_000)

    @Test(
        "With a checksum a part without a validator is gone on with, and fetched anew where its end is another",
        arguments: [
            (false, "md5=4b011152f64be8761c865070d13e52f8"), (true, "md5=23120692d2bab0d04e9635b5f077b4d4"),
        ])
    func withoutValidator(hasChanged: Bool, checksum: String) async throws {
        let folder = try ScratchFolder()
        func file(_ text: String) -> Behaviour {
            .resource(ServedResource(body: .text(text), entityTag: nil))
        }
        let second = hasChanged ? Self.other : Self.first
        let server = try Served.start([
            "/file": .sequence([file(Self.first).cutting(after: 200_000), file(second)])
        ])
        let words = ["--plain", "--retries", "0", "--checksum", checksum, server.url("/file")]
        let cut = try await ProgramRun.finished(words, in: folder)
        #expect(cut.status == 1 && cut.messages.contains("kept"), "\(cut.messages)")
        let result = try await ProgramRun.finished(words, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests[1].header("Range")?.hasPrefix("bytes=") == true)
        #expect(server.requests[1].header("If-Range") == nil)
        #expect(
            result.messages.contains("Partial file differs from the file on server") == hasChanged, "\(result.messages)"
        )
        #expect(folder.bytes(of: "file") == Array(second.utf8))
        #expect(try folder.names == ["file"])
    }
}
