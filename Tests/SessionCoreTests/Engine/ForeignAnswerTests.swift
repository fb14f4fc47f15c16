import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// A server, or something between it and the client, answers 200 with something else than the file.
@Suite("Answers that are not the file", .timeLimit(.minutes(1)))
struct ForeignAnswerTests {
    static let length: Int64 = 1_048_576
    static let partSize: Int64 = 400_000

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: ScriptedResponse
        /// Whether the answer becomes the file.
        var isTaken = false
        /// Bytes of an earlier run; nil for a download without a part.
        var partSize: Int64? = ForeignAnswerTests.partSize
        var path = "/file.iso"
        var fixedName: String? = "file.iso"
        /// What was known of the part.
        var type: String? = "application/x-iso9660-image"
        var tag: String? = "\"31-1048576\""
        var isBehindRedirect = false
        var testDescription: String { name }
    }

    static func answer(
        _ type: String?, _ count: Int, _ fields: [(String, String)] = [], framing: Framing = .contentLength
    ) -> ScriptedResponse {
        var response = ScriptedResponse(200, body: .text(String(repeating: "p", count: count)), framing: framing)
        response.headers["Content-Type"] = type
        for (name, value) in fields { response.headers[name] = value }
        return response
    }

    static let page = answer("text/html; charset=utf-8", 2_000)

    static let cases: [Case] = [
        Case(name: "a small page", answer: page),
        Case(name: "a page with a tag", answer: answer("TEXT/HTML", 2_000, [("ETag", "\"portal\"")])),
        Case(name: "a page as long as the file", answer: answer("text/html", Int(length))),
        Case(name: "a page as long as the part", answer: answer("text/html", Int(partSize))),
        Case(name: "a page in chunks", answer: answer("text/html", 2_000, framing: .chunked)),
        Case(name: "an XHTML page", answer: answer("application/xhtml+xml", 2_000)),
        Case(name: "a page behind a redirect", answer: page, isBehindRedirect: true),
        Case(name: "a page for a part of no known type", answer: page, type: nil),
        Case(name: "a page for a part of a type that says nothing", answer: page, type: "application/octet-stream"),
        Case(name: "a page for a part without validators", answer: page, tag: nil),
        Case(
            name: "an error in JSON for a part of a film", answer: answer("application/json", 200), type: "video/mp4"),
        Case(name: "few bytes without type or proof", answer: answer(nil, 2_000), type: nil),
        Case(name: "few bytes in chunks without type or proof", answer: answer(nil, 2_000, framing: .chunked)),
        Case(
            name: "a file that has changed", answer: answer("application/x-iso9660-image", 900, [("ETag", "\"2\"")]),
            isTaken: true),
        Case(
            name: "a changed file of a type that says nothing",
            answer: answer("application/octet-stream", 900, [("ETag", "\"2\"")]), isTaken: true),
        Case(
            name: "a changed file of another name for its type",
            answer: answer("application/x-cd-image", 900, [("ETag", "\"2\"")]), isTaken: true),
        Case(
            name: "a changed file that has no proof but its type", answer: answer("application/x-iso9660-image", 900),
            isTaken: true),
        Case(
            name: "a page for the part of a page", answer: page, isTaken: true, path: "/index.html",
            fixedName: "index.html", type: "text/html"),
        Case(name: "a page for a fresh .iso", answer: page, partSize: nil),
        Case(name: "a page for a fresh .iso by its URL", answer: page, partSize: nil, fixedName: nil),
        Case(
            name: "a page for a fresh .iso behind a redirect", answer: page, partSize: nil, fixedName: nil,
            isBehindRedirect: true),
        Case(
            name: "a fresh .iso that the server calls a page but offers as a file",
            answer: answer("text/html", 900, [("Content-Disposition", "attachment; filename=\"file.iso\"")]),
            isTaken: true, partSize: nil),
        Case(
            name: "a fresh .iso of a type that says nothing", answer: answer("application/octet-stream", 900),
            isTaken: true, partSize: nil),
        Case(
            name: "a fresh page without an extension", answer: page, isTaken: true, partSize: nil, path: "/article",
            fixedName: nil),
        Case(
            name: "a fresh page that is to have the name of one", answer: page, isTaken: true, partSize: nil,
            fixedName: "page.html"),
        Case(
            name: "a fresh page about a text", answer: page, isTaken: true, partSize: nil, path: "/README.md",
            fixedName: nil),
        Case(
            name: "a fresh page with a file's name in its query", answer: page, isTaken: true, partSize: nil,
            path: "/view", fixedName: nil),
    ]

    @Test("are not taken for it, and a changed file is", arguments: cases)
    func judged(scenario: Case) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        if scenario.isBehindRedirect {
            server.setRoute(scenario.path, .redirect(to: "/login"))
            server.setRoute("/login", .respond(scenario.answer))
        } else {
            server.setRoute(scenario.path, .respond(scenario.answer))
        }
        let query = scenario.name.contains("query") ? "?file=a.iso" : ""
        let url = server.url(scenario.path) + query
        let name = scenario.fixedName.map { DownloadTarget.Name.fixed($0) } ?? .automatic
        if let partSize = scenario.partSize { try leavePart(scenario, partSize, url, in: harness.folder.path) }
        let outcome = try #require(harness.outcome(of: harness.download(url, name: name)))
        let finished = harness.folder.names.filter { !$0.hasPrefix(".") && $0 != "staging" }
        guard !scenario.isTaken else {
            #expect(outcome.error == nil)
            #expect(finished.count == 1)
            return
        }
        #expect(outcome.error?.code.rawValue == "unexpectedContent")
        #expect(outcome.error?.message.contains("retry") == true)
        #expect(
            outcome.error?.statusCode == 200 || outcome.error?.message.contains("less than the partial file") == true)
        #expect(finished == [])
        guard let partSize = scenario.partSize, scenario.tag != nil else { return }
        let part = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        #expect(
            harness.folder.bytes(of: part) == DeterministicContent(seed: 31, count: Self.length).bytes(in: 0..<partSize)
        )
        #expect(outcome.error?.partPath == harness.folder.path + "/" + part)

        // Once the page is gone, the same download goes on from its part.
        server.setRoute(
            scenario.path,
            .resource(ServedResource(body: .generated(seed: 31, count: Self.length), entityTag: scenario.tag)))
        let again = harness.download(url, name: name)
        #expect(harness.outcome(of: again)?.error == nil)
        #expect(harness.restarts(of: again) == [])
        #expect(server.requests(for: scenario.path).last?.header("Range") == "bytes=\(partSize - RangeOverlap.short)-")
    }

    @Test("are asked for anew without the part, as their user may want it")
    func anew() throws {
        let (server, harness) = try pageInPlaceOfThePart()
        let id = harness.download(server.url("/file")) { $0.adoptsPart = false }
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.folder.bytes(of: "file")?.count == 2_000)
    }

    @Test("A checksum that is known does not make a page the file")
    func checksum() throws {
        let (server, harness) = try pageInPlaceOfThePart()
        let id = harness.download(server.url("/file")) {
            $0.checksum = Checksum(algorithm: .sha256, digest: [UInt8](repeating: 1, count: 32))
        }
        #expect(harness.outcome(of: id)?.error?.code.rawValue == "unexpectedContent")
        #expect(harness.folder.names.filter { $0.hasSuffix(".part") }.count == 1)
    }

    /// A server that answers with a page where the file was, and a folder with a part of that file.
    private func pageInPlaceOfThePart() throws -> (LoopbackServer, EngineHarness) {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness()
        server.setRoute("/file", .respond(Self.page))
        let scenario = Case(name: "", answer: Self.page, path: "/file", fixedName: "file")
        try leavePart(scenario, Self.partSize, server.url("/file"), in: harness.folder.path)
        return (server, harness)
    }

    private func leavePart(_ scenario: Case, _ partSize: Int64, _ url: String, in path: String) throws {
        var metadata = StoredMetadata(url: url, finalURL: url, method: "GET", status: 200)
        metadata.entityTag = scenario.tag
        metadata.length = Self.length
        metadata.contentType = scenario.type
        let name = scenario.fixedName ?? "file.iso"
        let folder = try Folder(path: path)
        let part = try PartFile.create(in: folder, url: url, name: .fixed(name), finalName: name, metadata: metadata)
        let bytes = DeterministicContent(seed: 31, count: Self.length).bytes(in: 0..<partSize)
        try bytes.withUnsafeBytes { try part.write($0, at: 0) }
        try part.checkpoint(offset: partSize)
        part.close()
    }
}

extension ForeignAnswerTests {
    @Test("A newer generation that breaks off does not take the older part with it, also when nothing proves the newer")
    func brokenGeneration() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.maximumRetries = 1 }
        let newer = Behaviour.respond(Self.answer("application/x-iso9660-image", 300_000)).cutting(after: 100_000)
        server.setRoute("/file.iso", newer)
        let scenario = Case(name: "", answer: Self.page)
        try leavePart(scenario, Self.partSize, server.url("/file.iso"), in: harness.folder.path)
        let id = harness.download(server.url("/file.iso"), name: .fixed("file.iso"))
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error?.code == .truncated || outcome.error?.code == .connectionLost)
        let part = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        #expect(outcome.resumeData?.partPath == harness.folder.path + "/" + part)
        let kept = DeterministicContent(seed: 31, count: Self.length).bytes(in: 0..<Self.partSize)
        #expect(harness.folder.bytes(of: part) == kept)
    }

    /// An answer to a request for the rest that fits nothing.
    private static func odd(_ status: Int, _ range: String?, _ fields: [(String, String)] = []) -> ScriptedResponse {
        var response = answer("application/x-iso9660-image", 100, fields)
        response.status = status
        response.headers["Content-Range"] = range
        return response
    }

    static let oddAnswers: [(String, ScriptedResponse)] = [
        ("not modified", ScriptedResponse(304)), ("no length", odd(416, nil)),
        ("another part", odd(206, "bytes 7-106/\(length)", [("ETag", "\"31-1048576\"")])),
        ("another length", odd(206, "bytes 5-104/200")), ("no range", odd(206, nil)),
        ("a weak tag", odd(206, "bytes \(partSize)-\(partSize + 99)/\(length)", [("ETag", "W/\"31-1048576\"")])),
        ("gzip", odd(206, "bytes \(partSize)-\(partSize + 99)/\(length)", [("Content-Encoding", "gzip")])),
    ]

    @Test("An odd answer to a request for the rest leaves the part until the whole has come", arguments: oddAnswers)
    func oddAnswer(name: String, answer: ScriptedResponse) throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        server.setRoute(
            "/file.iso", .choosing { $0.header("Range") == nil ? .respond(ScriptedResponse(404)) : .respond(answer) })
        try leavePart(
            Case(name: "", answer: Self.page), Self.partSize, server.url("/file.iso"), in: harness.folder.path)
        let first = harness.download(server.url("/file.iso"), name: .fixed("file.iso"))
        let outcome = try #require(harness.outcome(of: first))
        #expect(outcome.error?.statusCode == 404)
        let part = try #require(harness.folder.names.first { $0.hasSuffix(".part") })
        let kept = DeterministicContent(seed: 31, count: Self.length).bytes(in: 0..<Self.partSize)
        #expect(harness.folder.bytes(of: part) == kept)
        #expect(outcome.error?.partPath == harness.folder.path + "/" + part)

        let resource = ServedResource(
            body: .generated(seed: 31, count: Self.length), entityTag: "\"31-1048576\"")
        server.setRoute("/file.iso", .resource(resource))
        let again = harness.download(server.url("/file.iso"), name: .fixed("file.iso"))
        #expect(harness.outcome(of: again)?.error == nil)
        #expect(server.requests.last?.header("Range") == "bytes=\(Self.partSize - RangeOverlap.short)-")
        #expect(harness.folder.names.filter { $0 != "staging" } == ["file.iso"])
    }

    @Test("A redirect that leads to another file by now begins it anew, also when the tags are the same")
    func otherRedirect() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.maximumRetries = 2 }
        let tag = "\"6955b900-100000\""
        let first = ServedResource(body: .generated(seed: 1, count: Self.length), entityTag: tag)
        let second = ServedResource(body: .generated(seed: 2, count: Self.length), entityTag: tag)
        server.setRoute("/part.001", Behaviour.resource(first).cutting(after: 300_000))
        server.setRoute("/part.002", .resource(second))
        let isLater = Locked(false)
        server.setRoute(
            "/latest",
            .choosing { _ in
                .redirect(
                    to: isLater.withLock { later in
                        defer { later = true }; return later
                    } ? "/part.002" : "/part.001")
            })
        let id = harness.download(server.url("/latest"), name: .fixed("file"))
        #expect(harness.outcome(of: id)?.error == nil)
        #expect(harness.restarts(of: id) == [ResumeReasons.redirectChanged])
        #expect(
            harness.folder.bytes(of: "file")
                == DeterministicContent(seed: 2, count: Self.length).bytes(in: 0..<Self.length))
        #expect(harness.folder.names.filter { $0 != "staging" } == ["file"])
    }
}
