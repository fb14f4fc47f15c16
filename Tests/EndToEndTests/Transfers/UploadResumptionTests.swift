import Foundation
import LoopbackServer
import Testing

/// Uploads that a kill has cut, which go on in the next run of their session behind what the server has.
@Suite("Uploads after a kill", .timeLimit(.minutes(1)))
struct UploadResumptionTests {
    private static let content = DeterministicContent(seed: 4, count: 1_000_000).bytes

    private static let ways = ["tus", "draft", "content-range"]

    private static func style(_ way: String) -> UploadKeeper.Style {
        switch way {
        case "tus": .tus
        case "draft": .draft
        default: .contentRange
        }
    }

    /// Where the last request of an upload begins.
    private static func offset(of request: RecordedRequest?) -> String? {
        request?.header("Upload-Offset")
            ?? request?.header("Content-Range").map { String($0.dropFirst("bytes ".count).prefix { $0 != "-" }) }
    }

    @Test("An upload that was killed in its middle goes on from the server's offset", arguments: ways)
    func killed(route: String) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 2 << 20
        let server = LoopbackServer(configuration: configuration)
        try server.start()
        var keeper = UploadKeeper(Self.style(route), at: "/files")
        let gate = try Gate()
        keeper.stall = Stall(after: 400_000, gate: gate)
        server.keepUploads(keeper)
        let folder = try ScratchFolder()
        try folder.write(Self.content, to: "body")
        let state = ["XDG_STATE_HOME": folder.path(of: "state")]
        let words = ["--plain", "--session", "up", "--retries", "0"]
        let first = try ProgramRun(
            ["upload"] + words + ["--resumable", route, "body", server.url("/files")], in: folder, environment: state)
        #expect(server.wait { requests in requests.contains { $0.bodyByteCount == 400_000 } })
        // The place is told by an event, which a later one of the same run proves to be on the disk.
        _ = try await waitUntil("the place on the disk") {
            SessionLog(path: folder.path(of: "state/netdash/up.sqlite-wal")).hasCommitted(
                Data((route == "content-range" ? "content-range content-range 1000000 " : "/files/kept").utf8))
                ? true : nil
        }
        kill(first.process, SIGKILL)
        #expect(try await first.waitForEnd().status == 137)
        // What the kernel had taken still arrives.
        gate.release()
        #expect(server.wait { requests in requests.contains { $0.outcome == .broken } })
        let kept = server.requests.first { $0.outcome == .broken }?.bodyByteCount ?? 0
        let second = try await ProgramRun.finished(words, in: folder, environment: state)
        #expect(second.status == 0, "\(second.messages)")
        #expect(keeper.bytes(in: server.requests) == Self.content)
        let seen = server.requests.map { "\($0.method) \($0.status ?? 0) \($0.bodyByteCount)" }
        #expect(Self.offset(of: server.requests.last) == String(kept), "\(seen) \(second.messages)")
        #expect(server.requests.last?.bodyByteCount == 1_000_000 - kept)
    }

    @Test(
        "An upload that failed in an earlier run goes on at the server's offset when it is tried again",
        arguments: ways)
    func failedEarlier(route: String) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 2 << 20
        let server = LoopbackServer(configuration: configuration)
        try server.start()
        var keeper = UploadKeeper(Self.style(route), at: "/files")
        keeper.cuts = [400_000]
        server.keepUploads(keeper)
        let folder = try ScratchFolder()
        try folder.write(Self.content, to: "body")
        let state = ["XDG_STATE_HOME": folder.path(of: "state")]
        let words = ["--plain", "--session", "up", "--retries", "0"]
        let first = try await ProgramRun.finished(
            ["upload"] + words + ["--resumable", route, "body", server.url("/files")], in: folder, environment: state)
        #expect(first.status == 1, "\(first.messages)")
        // Some servers go on with nothing whose type they were not told.
        let metadata = server.requests.first?.header("Upload-Metadata") ?? ""
        #expect(route != "tus" || metadata == "filename Ym9keQ==,filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt")
        let kept = keeper.bytes(in: server.requests).count
        #expect(kept == 400_000)
        let count = server.requests.count
        let second = try await ProgramRun.finished(words + ["--retry-failed"], in: folder, environment: state)
        #expect(second.status == 0, "\(second.messages)")
        let further = route == "content-range" ? ["PUT", "PUT"] : ["HEAD", "PATCH"]
        #expect(server.requests[count...].map(\.method) == further)
        #expect(Self.offset(of: server.requests.last) == "400000")
        #expect(server.requests.last?.bodyByteCount == 600_000)
        #expect(keeper.bytes(in: server.requests) == Self.content)
    }

    @Test(
        "An upload in parts that was killed sends only the missing parts in the next run, and no key is saved",
        arguments: ["@env:KEYS", "access:hidden-words"])
    func killedParts(keys: String) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 6 << 20
        let server = LoopbackServer(configuration: configuration)
        try server.start()
        var rules = MultipartKeeper.Rules()
        let gate = try Gate()
        rules.stall = (2, Stall(after: 400_000, gate: gate))
        let keeper = MultipartKeeper(rules)
        server.setRoute("/bucket/body", keeper.behaviour)
        let folder = try ScratchFolder()
        let content = DeterministicContent(seed: 5, count: 11_000_000).bytes
        try folder.write(content, to: "body")
        let environment = ["XDG_STATE_HOME": folder.path(of: "state"), "KEYS": "access:hidden-words"]
        let words = ["--plain", "--session", "up", "--retries", "0"]
        let command =
            ["upload"] + words + [
                "--resumable", "s3", "--part-size", "5M", "--aws-sigv4", "aws:amz:eu-west-1:s3", "-u", keys,
                "body", server.url("/bucket/"),
            ]
        let first = try ProgramRun(command, in: folder, environment: environment)
        #expect(
            server.wait { requests in
                requests.contains { $0.bodyByteCount == 400_000 }
                    && requests.count { $0.query?.hasPrefix("partNumber=") == true && $0.outcome == .answered } == 2
            })
        _ = try await waitUntil("the upload on the disk") {
            SessionLog(path: folder.path(of: "state/netdash/up.sqlite-wal")).hasCommitted(Data("uploadId=".utf8))
                ? true : nil
        }
        kill(first.process, SIGKILL)
        #expect(try await first.waitForEnd().status == 137)
        gate.release()
        #expect(server.wait { requests in requests.contains { $0.outcome == .broken } })
        #expect(keeper.object == nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "state/netdash")) {
            let data = FileManager.default.contents(atPath: folder.path(of: "state/netdash/" + name)) ?? Data()
            #expect(data.range(of: Data("hidden-words".utf8)) == nil, "\(name)")
        }
        let count = server.requests.count
        // Keys that were typed come with the command that is repeated.
        let second = try await ProgramRun.finished(
            keys.hasPrefix("@") ? words : command, in: folder, environment: environment)
        #expect(second.status == 0, "\(second.messages)")
        #expect(keeper.object == content && keeper.uploads.isEmpty)
        let further = server.requests[count...]
        #expect(further.map(\.method) == ["GET", "PUT", "POST"], "\(second.messages)")
        #expect(further.contains { $0.query?.contains("partNumber=2&") == true })
    }

    @Test("An upload in parts that fails says what stays at the server")
    func partsStay() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 6 << 20
        let server = LoopbackServer(configuration: configuration)
        try server.start()
        var rules = MultipartKeeper.Rules()
        rules.fault = { kind, number in kind == "part" && number == 1 ? ScriptedResponse(403) : nil }
        let keeper = MultipartKeeper(rules)
        server.setRoute("/bucket/body", keeper.behaviour)
        let folder = try ScratchFolder()
        try folder.write(DeterministicContent(seed: 5, count: 11_000_000).bytes, to: "body")
        let run = try await ProgramRun.finished(
            [
                "upload", "--plain", "--ephemeral", "--resumable", "s3", "--part-size", "5M", "--max-per-host", "1",
                "body", server.url("/bucket/body"),
            ], in: folder)
        #expect(run.status == 1 && keeper.object == nil)
        #expect((run.messages + run.lines.joined()).contains("1 part stays at the server, in upload up%2F1"))
        let query = try await ProgramRun.finished(
            ["upload", "--plain", "--ephemeral", "--resumable", "s3", "body", server.url("/bucket/body?a=b")],
            in: folder)
        #expect(query.status == 2, "\(query.messages)")
    }

    @Test("An interrupted run that is not saved says what stays at the server")
    func interruptedParts() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 6 << 20
        let server = LoopbackServer(configuration: configuration)
        try server.start()
        var rules = MultipartKeeper.Rules()
        let gate = try Gate()
        rules.stall = (2, Stall(after: 400_000, gate: gate))
        let keeper = MultipartKeeper(rules)
        server.setRoute("/bucket/body", keeper.behaviour)
        let folder = try ScratchFolder()
        try folder.write(DeterministicContent(seed: 5, count: 11_000_000).bytes, to: "body")
        let run = try ProgramRun(
            [
                "upload", "--plain", "--ephemeral", "--resumable", "s3", "--part-size", "5M", "--max-per-host", "1",
                "body", server.url("/bucket/body"),
            ], in: folder)
        #expect(server.wait { requests in requests.contains { $0.bodyByteCount == 400_000 } })
        try run.signal(SIGTERM)
        let ended = try await run.waitForEnd()
        gate.release()
        #expect(ended.status == 143 && keeper.object == nil)
        #expect((ended.messages + ended.lines.joined()).contains("1 part stays at the server, in upload up%2F1"))
    }

    @Test("Digests go with the file on request, and not with what is read only once")
    func digests() async throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/files", .methods(["PUT": .uploadSink()]))
        let folder = try ScratchFolder()
        try folder.write(Array("text".utf8), to: "body")
        let words = ["upload", "--plain", "--upload-digest", "sha-256"]
        let run = try await ProgramRun.finished(words + ["body", server.url("/files")], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        let digest = "sha-256=:mC2ePrmW9VnmM/TRlN7zdh2Qn1o7ZH0ahR/q1nwyydE=:"
        #expect(server.requests.last?.header("Repr-Digest") == digest)
        #expect(server.requests.last?.header("Content-Digest") == digest)
        let refused = try await ProgramRun.finished(words + ["-", server.url("/files")], in: folder)
        #expect(refused.status == 2 && refused.lines.count == 1, "\(refused.messages)")
        #expect(server.requests.count == 1)
    }

    @Test("With another command than upload the option is refused, and so is a way that there is not")
    func refused() async throws {
        let folder = try ScratchFolder()
        try folder.write(Self.content, to: "body")
        for words in [
            ["request", "--resumable", "tus", "http://h/"], ["upload", "--resumable", "yes", "body", "http://h/"],
        ] {
            let run = try await ProgramRun.finished(words, in: folder)
            #expect(run.status == 2 && run.lines.count == 1, "\(run.messages)")
        }
    }
}
