import Foundation
import LoopbackServer
import Testing

/// Files that exist already and are kept only when they are proven to be the server's.
@Suite("The same file", .timeLimit(.minutes(1)))
struct SameFileTests {
    private static let changed = 1_700_000_000

    private static func behaviour(_ text: String, tag: String?, changed: Int?) -> Behaviour {
        .resource(ServedResource(body: .text(text), entityTag: tag, lastModified: changed))
    }

    @Test(
        "A second run keeps a file that the server confirms, and numbers one that has changed",
        arguments: [("\"v1\"", changed), ("\"v1\"", nil), (nil, changed)] as [(String?, Int?)])
    func confirmed(tag: String?, changed: Int?) async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": Self.behaviour("first", tag: tag, changed: changed)])
        let words = ["--json", "--if-exists", "same", server.url("/file")]
        for isFirst in [true, false] {
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 0, "\(run.messages)")
            let completed = try #require(try JSONLines(run.output).first("completed"))
            #expect((completed.fields["unchanged"] as? Bool == true) == !isFirst)
            #expect(try folder.names == ["file"])
        }
        server.setRoute(
            "/file", Self.behaviour("other", tag: tag.map { _ in "\"v2\"" }, changed: changed.map { $0 + 9 }))
        let third = try await ProgramRun.finished(words, in: folder)
        #expect(third.status == 0, "\(third.messages)")
        #expect(try folder.names.sorted() == ["file", "file (1)"])
        #expect(folder.bytes(of: "file") == Array("first".utf8))
        #expect(folder.bytes(of: "file (1)") == Array("other".utf8))
        let fourth = try await ProgramRun.finished(words, in: folder)
        #expect(try JSONLines(fourth.output).first("completed")?.fields["unchanged"] as? Bool == true)
        #expect(try folder.names.sorted() == ["file", "file (1)"])
    }

    @Test("A server that ignores conditions proves it with the tag of its response")
    func ignored() async throws {
        let folder = try ScratchFolder()
        func answers(_ text: String, _ tag: String) -> Behaviour {
            .respond(ScriptedResponse(headers: ["ETag": tag], body: .bytes(Array(text.utf8))))
        }
        let server = try Served.start(["/file": answers("first", "\"v1\"")])
        let words = ["--plain", "--if-exists", "same", server.url("/file")]
        for _ in 1...2 {
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 0, "\(run.messages)")
        }
        #expect(try folder.names == ["file"])
        server.setRoute("/file", answers("other", "\"v2\""))
        #expect(try await ProgramRun.finished(words, in: folder).status == 0)
        #expect(try folder.names.sorted() == ["file", "file (1)"])
    }

    /// A file of another program, beside one of five bytes on the server.
    struct Foreign: Sendable {
        var text = "there"
        var offset = 0.0
        var isSame = false
    }

    @Test(
        "A file of another program is the same with the server's size and time, and another one without",
        arguments: [
            Foreign(isSame: true), Foreign(text: "longer"), Foreign(offset: 1), Foreign(offset: 0.5),
        ])
    func foreign(file: Foreign) async throws {
        let folder = try ScratchFolder()
        try folder.write(file.text.utf8, to: "file")
        let time = Date(timeIntervalSince1970: Double(Self.changed) + file.offset)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder.path(of: "file"))
        let server = try Served.start(["/file": Self.behaviour("other", tag: nil, changed: Self.changed)])
        let run = try await ProgramRun.finished(["--plain", "--if-exists", "same", server.url("/file")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(try folder.names.sorted() == (file.isSame ? ["file"] : ["file", "file (1)"]))
        #expect(folder.bytes(of: "file") == Array(file.text.utf8))
        #expect(run.messages.contains("not modified, file kept") == file.isSame, "\(run.messages)")
        let second = try await ProgramRun.finished(["--plain", "--if-exists", "same", server.url("/file")], in: folder)
        #expect(second.messages.contains("not modified, file kept"), "\(second.messages)")
        #expect(try folder.names.sorted() == (file.isSame ? ["file"] : ["file", "file (1)"]))
    }

    @Test("Where a server proves nothing, a file that was fetched again is kept at its number")
    func unproven() async throws {
        let folder = try ScratchFolder()
        for name in ["file", "file (1)"] { try folder.write("of another program", to: name) }
        let server = try Served.start(["/file": .respond(.text("body"))])
        for isFirst in [true, false] {
            let run = try await ProgramRun.finished(
                ["--json", "--if-exists", "same", server.url("/file")], in: folder)
            let completed = try #require(try JSONLines(run.output).first("completed"))
            #expect(run.status == 0 && (completed.fields["skipped"] as? Bool == true) == !isFirst)
            #expect((completed.fields["path"] as? String)?.hasSuffix("/file (2)") == true, "\(completed.fields)")
            #expect(try folder.names.sorted() == ["file", "file (1)", "file (2)"])
        }
    }

    @Test("A checksum decides alone, without a request where it matches")
    func checksum() async throws {
        let folder = try ScratchFolder()
        try folder.write("there".utf8, to: "file")
        let server = try Served.start(["/file": Self.behaviour("other", tag: nil, changed: nil)])
        let words = ["--plain", "--if-exists", "same", "--checksum"]
        let digests = ["md5=d850f04cdb48312a9be171e214c0b4ee", "md5=795f3202b17cb6bc3d4b771d8c6c9eaf"]
        let kept = try await ProgramRun.finished(words + [digests[0], server.url("/file")], in: folder)
        #expect(kept.status == 0 && server.requestCount == 0, "\(kept.messages)")
        let other = try await ProgramRun.finished(words + [digests[1], server.url("/file")], in: folder)
        #expect(other.status == 0, "\(other.messages)")
        #expect(folder.bytes(of: "file") == Array("there".utf8))
        #expect(folder.bytes(of: "file (1)") == Array("other".utf8))
        let count = server.requestCount
        let again = try await ProgramRun.finished(words + [digests[1], server.url("/file")], in: folder)
        #expect(again.status == 0 && server.requestCount == count, "\(again.messages)")
        #expect(try folder.names.sorted() == ["file", "file (1)"])
    }

    @Test("Where no number may be added, another file fails the download, and an equal one is the download")
    func withoutNumber() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/f": .file(seed: 1, count: 200_000)])
        let words = ["aria2c", "-c", "--auto-file-renaming=false", "-q", server.url("/f")]
        for count in [100, 300_000] as [Int64] {
            try folder.write(DeterministicContent(seed: 2, count: count).bytes, to: "f")
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 13, "aria2c's status: \(run.messages)")
            #expect(try folder.names == ["f"] && folder.bytes(of: "f")?.count == Int(count))
        }
        try folder.write(DeterministicContent(seed: 1, count: 200_000).bytes, to: "f")
        let same = try await ProgramRun.finished(words, in: folder)
        #expect(same.status == 0, "\(same.messages)")
        #expect(try folder.names == ["f"])
    }
}
