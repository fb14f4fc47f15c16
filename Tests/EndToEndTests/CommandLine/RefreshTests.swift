import Foundation
import LoopbackServer
import Testing

/// Files that are there already and are asked for again only when they have changed.
@Suite("Refreshing files", .timeLimit(.minutes(1)))
struct RefreshTests {
    private static let changed = 1_700_000_000

    private static func behaviour(_ text: String, tag: String?, changed: Int?) -> Behaviour {
        .resource(ServedResource(body: .text(text), entityTag: tag, lastModified: changed))
    }

    /// What the server knows its file by.
    struct Proof: Sendable, CustomTestStringConvertible {
        var tag: String?
        var changed: Int?
        var size = 30
        var testDescription: String { "\(tag ?? "no tag"), \(changed.map { "\($0)" } ?? "no date"), \(size) bytes" }
    }

    @Test(
        "A second run asks with what is known, takes 304 for success, and fetches a file that has changed",
        arguments: [
            Proof(tag: "\"v1\"", changed: changed), Proof(tag: "\"v1\""), Proof(tag: "W/\"v1\""),
            Proof(changed: changed),
            Proof(tag: "\"v1\"", changed: changed, size: 200_000),
        ])
    func refreshed(proof: Proof) async throws {
        let folder = try ScratchFolder()
        let text = String(repeating: "a", count: proof.size)
        let server = try Served.start(["/file": Self.behaviour(text, tag: proof.tag, changed: proof.changed)])
        let words = ["--json", "--if-exists", "refresh", server.url("/file")]
        let first = try await ProgramRun.finished(words, in: folder)
        #expect(first.status == 0, "\(first.messages)")
        #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
        let second = try await ProgramRun.finished(words, in: folder)
        #expect(second.status == 0, "\(second.messages)")
        let completed = try #require(try JSONLines(second.output).first("completed"))
        #expect(completed.fields["unchanged"] as? Bool == true && completed.fields["skipped"] as? Bool == true)
        #expect(completed.number("bytes") == 0)
        #expect(server.requests.last?.header("If-None-Match") == proof.tag)
        #expect(folder.bytes(of: "file") == Array(text.utf8))
        server.setRoute(
            "/file",
            Self.behaviour("newer", tag: proof.tag.map { _ in "\"v2\"" }, changed: proof.changed.map { $0 + 9 }))
        let third = try await ProgramRun.finished(words, in: folder)
        #expect(third.status == 0, "\(third.messages)")
        #expect(folder.bytes(of: "file") == Array("newer".utf8))
        #expect(try folder.names == ["file"])
    }

    @Test("A file of another program is fetched, because nothing says which version it is", arguments: [true, false])
    func foreign(isEmpty: Bool) async throws {
        let folder = try ScratchFolder()
        try folder.write(isEmpty ? "" : "mine", to: "file")
        let server = try Served.start(["/file": Self.behaviour("theirs", tag: nil, changed: Self.changed)])
        let result = try await ProgramRun.finished(
            ["--plain", "--if-exists", "refresh", "-o", "file", server.url("/file")], in: folder)
        #expect(result.status == 0, "\(result.messages)")
        #expect(server.requests.first?.header("If-Modified-Since") == nil)
        #expect(folder.bytes(of: "file") == Array("theirs".utf8))
    }

    @Test("An older version is another one, also where the 304 of a server names no date", arguments: [true, false])
    func older(isNamed: Bool) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour("newer", tag: nil, changed: Self.changed)])
        let words = ["--plain", "--if-exists", "refresh", server.url("/file")]
        #expect(try await ProgramRun.finished(words, in: folder).status == 0)
        func answers(_ text: String, changed: Int) -> Behaviour {
            Self.behaviour(text, tag: nil, changed: changed).adjusting { response in
                if response.status == 304, !isNamed { response.headers.remove("Last-Modified") }
            }
        }
        server.setRoute("/file", answers("newer", changed: Self.changed))
        let before = server.requestCount
        let second = try await ProgramRun.finished(words, in: folder)
        #expect(second.status == 0 && second.messages.contains("not modified, file kept"), "\(second.messages)")
        #expect(server.requestCount - before == (isNamed ? 1 : 2))
        server.setRoute("/file", answers("older", changed: Self.changed - 9))
        let third = try await ProgramRun.finished(words, in: folder)
        #expect(third.status == 0, "\(third.messages)")
        #expect(folder.bytes(of: "file") == Array("older".utf8))
    }

    @Test("What a download with another policy has kept is asked by, and not from another URL")
    func otherPolicy() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        for name in ["/a/file", "/b/file"] {
            server.setRoute(name, Self.behaviour(name, tag: "\"same\"", changed: Self.changed))
        }
        #expect(try await ProgramRun.finished(["--plain", server.url("/a/file")], in: folder).status == 0)
        let same = try await ProgramRun.finished(
            ["--plain", "--if-exists", "refresh", server.url("/a/file")], in: folder)
        #expect(same.messages.contains("not modified, file kept"), "\(same.messages)")
        let other = try await ProgramRun.finished(
            ["--plain", "--if-exists", "refresh", server.url("/b/file")], in: folder)
        #expect(other.status == 0 && folder.bytes(of: "file") == Array("/b/file".utf8), "\(other.messages)")
    }

    @Test("A file that was changed here is fetched, and one with its checksum is not asked for")
    func changedHere() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour("one", tag: "\"v1\"", changed: nil)])
        let words = ["--plain", "--if-exists", "refresh", server.url("/file")]
        _ = try await ProgramRun.finished(words, in: folder)
        try folder.write("edited", to: "file")
        let second = try await ProgramRun.finished(words, in: folder)
        #expect(second.status == 0 && server.requests.last?.header("If-None-Match") == nil, "\(second.messages)")
        #expect(folder.bytes(of: "file") == Array("one".utf8))
        let digest = "md5=f97c5d29941bfb1b2fdab0874906ab82"
        let count = server.requestCount
        let third = try await ProgramRun.finished(["--checksum", digest] + words, in: folder)
        #expect(third.status == 0 && server.requestCount == count, "\(third.messages)")
        try folder.write("edited", to: "file")
        let fourth = try await ProgramRun.finished(["--checksum", digest] + words, in: folder)
        #expect(fourth.status == 0 && folder.bytes(of: "file") == Array("one".utf8), "\(fourth.messages)")
    }

    @Test("Two hundred files that are there are left without a request, and a refresh asks each once")
    func many() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let numbers = 1...200
        for number in numbers {
            server.setRoute("/f\(number)", Self.behaviour("x", tag: "\"\(number)\"", changed: Self.changed))
        }
        try folder.write(numbers.map { server.url("/f\($0)") + "\n" }.joined(), to: "list")
        for policy in ["refresh", "skip", "refresh"] {
            let before = server.requestCount
            let result = try await ProgramRun.finished(["--quiet", "--if-exists", policy, "-i", "list"], in: folder)
            #expect(result.status == 0, "\(result.messages)")
            #expect(server.requestCount - before == (policy == "skip" ? 0 : numbers.count), "\(policy)")
        }
        #expect(server.requests.suffix(numbers.count).allSatisfy { $0.header("If-None-Match") != nil })
    }

    @Test("A link that was signed anew goes on with the part of the earlier one")
    func signedAnew() async throws {
        let folder = try ScratchFolder()
        let complete = Behaviour.file(seed: 3, count: 300_000)
        let server = try Served.start(["/file": .sequence([complete.cutting(after: 200_000), complete])])
        let words = ["--plain", "--retries", "0"]
        func url(_ day: Int) -> String { server.url("/file") + "?X-Amz-Date=\(day)&X-Amz-Signature=a\(day)&v=1" }
        let first = try await ProgramRun.finished(words + [url(1)], in: folder)
        #expect(first.status == 1, "\(first.messages)")
        let second = try await ProgramRun.finished(words + [url(2)], in: folder)
        #expect(second.status == 0, "\(second.messages)")
        #expect(server.requests.last?.header("Range")?.hasPrefix("bytes=") == true)
        #expect(folder.bytes(of: "file") == DeterministicContent(seed: 3, count: 300_000).bytes)
        #expect(try folder.names == ["file"])
    }

    @Test("The time of the last change is the file's where it is asked for", arguments: [true, false], [30, 200_000])
    func remoteTime(isAsked: Bool, size: Int) async throws {
        let folder = try ScratchFolder()
        let text = String(repeating: "a", count: size)
        let server = try Served.start(["/file": Self.behaviour(text, tag: nil, changed: Self.changed)])
        let words = (isAsked ? ["-R"] : []) + [server.url("/file")]
        let result = try await ProgramRun.finished(words, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "file"))
        let date = try #require(attributes[.modificationDate] as? Date)
        #expect((Int(date.timeIntervalSince1970) == Self.changed) == isAsked)
    }
}
