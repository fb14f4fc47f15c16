import Foundation
import LoopbackServer
import Testing

@testable import SessionCore

/// Uploads that were cut go on behind what their server has, as tus 1.0 and the draft of the IETF have it.
@Suite("Uploads that go on", .timeLimit(.minutes(1)))
struct EngineUploadTests {
    private static let content = DeterministicContent(seed: 9, count: 1_000_000).bytes

    private func server() throws -> LoopbackServer {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 2 << 20
        let server = LoopbackServer(configuration: configuration)
        try server.start()
        return server
    }

    private func request(
        _ server: LoopbackServer, _ route: UploadResumption, method: String = "PUT", content: [UInt8] = content
    ) -> TransferRequest {
        var request = TransferRequest(url: server.url("/files"), method: method, body: .bytes(content))
        request.headers["Authorization"] = "Basic eDp5"
        request.headers["Content-Type"] = "image/png"
        request.uploadResumption = route
        return request
    }

    private func methods(_ server: LoopbackServer) -> [String] { server.requests.map(\.method) }

    @Test(
        "An upload that is cut three times sends each byte about once",
        arguments: [UploadKeeper.Style.tus, .draft], [UploadResumption.automatic, .tus, .draft])
    func cut(style: UploadKeeper.Style, route: UploadResumption) throws {
        if route == .tus && style == .draft || route == .draft && style == .tus { return }
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(style, at: "/files")
        keeper.cuts = [400_000, 100_000, 200_000]
        server.keepUploads(keeper)
        let id = harness.add(request(server, route, method: "POST"), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(outcome.head?.statusCode == (style == .tus ? 204 : 201))
        #expect(keeper.bytes(in: server.requests) == Self.content)
        #expect(server.requests.reduce(0) { $0 + $1.bodyByteCount } == 1_000_000)
        let appended = server.requests.filter { $0.method == "PATCH" }.map { $0.header("Upload-Offset") }
        let first = style == .tus ? ["0"] : []
        #expect(appended == first + ["400000", "500000", "700000"])
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Basic eDp5" })
        #expect(methods(server).first == (route == .automatic ? "OPTIONS" : "POST"))
        #expect(harness.status(id).sent == 1_000_000 && harness.status(id).expectedToSend == 1_000_000)
    }

    @Test(
        "A URL that adds the file's name to a folder of tus stands for the folder, elsewhere for the file",
        arguments: [UploadKeeper.Style.tus, .draft])
    func folderOfUploads(style: UploadKeeper.Style) throws {
        let server = try server()
        let harness = try EngineHarness()
        let path = harness.folder.path + (style == .tus ? "/a file.bin" : "/file.bin")
        let written = style == .tus ? "/files/a%20file.bin" : "/files/file.bin"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(Self.content)))
        var keeper = UploadKeeper(style, at: style == .tus ? "/files/" : written)
        keeper.cuts = [400_000]
        server.keepUploads(keeper)
        var request = TransferRequest(url: server.url(written), method: "PUT", body: .file(path: path))
        request.uploadResumption = .automatic
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.error == nil && outcome.head?.statusCode == (style == .tus ? 204 : 201))
        #expect(keeper.bytes(in: server.requests) == Self.content)
        #expect(server.requests.first?.method == "OPTIONS" && server.requests.first?.path == "/files/")
        #expect(server.requests[1].path == (style == .tus ? "/files/" : written))
    }

    @Test("A server that still holds the upload for an earlier connection is asked again")
    func locked() throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.tus, at: "/files")
        keeper.cuts = [400_000]
        keeper.lie = { number, truth in number == 0 ? nil : truth }
        keeper.refusal = 423
        server.keepUploads(keeper)
        let id = harness.add(request(server, .tus, method: "POST"), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 204)
        #expect(keeper.bytes(in: server.requests) == Self.content)
        #expect(methods(server) == ["POST", "PATCH", "HEAD", "HEAD", "PATCH"])
    }

    @Test(
        "A server that never answers the question, or cuts it twice, gets the upload as any other, and a line says so",
        arguments: [true, false])
    func unanswered(isSilent: Bool) throws {
        let server = try server()
        let harness = try EngineHarness { ($0.stallTimeout, $0.maximumRetries) = (0.3, 3) }
        let gate = try server.gate(named: "never")
        let question: Behaviour =
            isSilent ? .respond(.text("")).waiting(for: gate) : .raw("")
        server.setRoute("/files", .methods(["OPTIONS": question, "PUT": .uploadSink()]))
        // So small that the kernel takes it whole: a server that is not awake is not to be taken for one that stalls.
        let content = Array(Self.content.prefix(10_000))
        let id = harness.add(request(server, .automatic, content: content), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        let put = server.requests.filter { $0.method == "PUT" }
        #expect(put.count == 1 && put.first?.bodyByteCount == 10_000)
        #expect(put.first?.header("Upload-Complete") == nil && put.first?.header("Upload-Draft-Interop-Version") == nil)
        #expect(harness.restarts(of: id) == [ResumeReasons.noOptions("127.0.0.1")])
        gate.release()
    }

    @Test("Where a server offers nothing, the request goes out as it is")
    func ordinaryServer() throws {
        let server = try server()
        let harness = try EngineHarness()
        server.setRoute("/files", .methods(["PUT": .uploadSink()]))
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .automatic), kind: .upload)))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        #expect(methods(server) == ["OPTIONS", "PUT"])
        #expect(server.requests.last?.bodyByteCount == 1_000_000)
    }

    @Test(
        "A server that refuses the question and names tus in doing so has an upload made, another gets the request",
        arguments: [
            ("1.0.0", 405, true), ("1.0.0", 401, true), (nil, 405, false), ("0.2.2", 405, false), ("1.0.0", 412, false),
        ])
    func refusedQuestion(version: String?, status: Int, isTus: Bool) throws {
        let server = try server()
        let harness = try EngineHarness()
        let keeper = UploadKeeper(.tus, at: "/files")
        server.keepUploads(keeper)
        let location = keeper.keptPath
        let refusal = ScriptedResponse(status, headers: version.map { ["Tus-Resumable": $0] } ?? [:])
        let made = ScriptedResponse(201, headers: ["Tus-Resumable": "1.0.0", "Location": location])
        server.setRoute(
            "/files", .methods(["OPTIONS": .respond(refusal), "POST": .respond(made), "PUT": .uploadSink()]))
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .automatic), kind: .upload)))
        #expect(outcome.error == nil)
        #expect(methods(server) == (isTus ? ["OPTIONS", "POST", "PATCH"] : ["OPTIONS", "PUT"]))
        #expect(server.requests.last?.bodyByteCount == 1_000_000)
    }

    @Test("Without a word about it nothing of it is sent")
    func off() throws {
        let server = try server()
        let harness = try EngineHarness()
        server.setRoute("/files", .uploadSink())
        _ = try #require(harness.outcome(of: harness.add(request(server, .off), kind: .upload)))
        #expect(methods(server) == ["PUT"])
        #expect(server.requests.allSatisfy { $0.header("Upload-Complete") == nil })
    }

    @Test(
        "A server that claims more than was sent, or than there is, has it dropped, and the upload fails",
        arguments: [1_000_001, 400_001])
    func impossibleOffset(claim: Int) throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.tus, at: "/files")
        keeper.cuts = [400_000]
        // What was given to the connection may be more than what has arrived.
        keeper.lie = { _, _ in claim }
        server.keepUploads(keeper)
        let request = request(server, .tus, content: claim > 1_000_000 ? Self.content : Array(Self.content[..<400_000]))
        let outcome = try #require(harness.outcome(of: harness.add(request, kind: .upload)))
        #expect(outcome.error?.code == .badResponse)
        #expect(outcome.error?.message.hasPrefix("Server claims ") == true)
        #expect(methods(server) == ["POST", "PATCH", "HEAD", "DELETE"])
    }

    @Test("A server that is elsewhere than it says is asked a few times, and then it is enough")
    func otherOffset() throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.tus, at: "/files")
        keeper.cuts = [400_000]
        keeper.lie = { _, truth in truth - 1 }
        server.keepUploads(keeper)
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .tus), kind: .upload)))
        #expect(outcome.error?.code == .badResponse)
        #expect(methods(server).count { $0 == "HEAD" } <= 5)
        keeper.lie = { question, truth in question == 0 ? truth - 1 : truth }
        server.clearRequests()
        server.keepUploads(keeper)
        let mended = try #require(harness.outcome(of: harness.add(request(server, .tus), kind: .upload)))
        #expect(mended.error == nil)
        #expect(keeper.bytes(in: server.requests) == Self.content)
    }

    @Test("A place that is gone is made anew, and the upload begins with its first byte")
    func expired() throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.tus, at: "/files")
        keeper.cuts = [400_000]
        keeper.lie = { question, truth in question == 0 ? nil : truth }
        server.keepUploads(keeper)
        let id = harness.add(request(server, .tus), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil)
        #expect(methods(server) == ["POST", "PATCH", "HEAD", "POST", "PATCH"])
        #expect(keeper.bytes(in: server.requests) == Self.content)
        #expect(harness.restarts(of: id).count == 1)
    }

    @Test("An upload that its server has refused for good is not gone on with")
    func refused() throws {
        let server = try server()
        let harness = try EngineHarness()
        let refusal = ScriptedResponse(
            422, headers: ["Upload-Complete": "?1", "Upload-Draft-Interop-Version": "8"])
        server.setRoute("/files", .respond(refusal))
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .draft), kind: .upload)))
        #expect(outcome.head?.statusCode == 422)
        #expect(methods(server) == ["PUT"])
    }

    @Test("An upload whose server begins an interim answer as its wait for one ends goes on, and soon")
    func interimAtTheEndOfTheWait() throws {
        let server = try server()
        let harness = try EngineHarness()
        var policy = UploadPolicy(whenExpected: .withheld)
        // libcurl forgets the end of the wait where it hears something in the millisecond before.
        policy.interim = [
            InterimResponse(
                status: 103, headers: ["X-Filler": String(repeating: "a", count: 1_500)], byteInterval: 250)
        ]
        server.setRoute("/files", .uploadSink(policy))
        let content = [UInt8](repeating: 7, count: 1 << 20 + 1)
        // The server waits a minute for a body that does not come.
        let id = harness.add(request(server, .off, content: content), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
    }

    @Test(
        "A server that names two places for one upload has it dropped, and the upload fails without the answer to that",
        arguments: [204, 200, 403, 501])
    func twoPlaces(status: Int) throws {
        let server = try server()
        let harness = try EngineHarness()
        let interim = ["/files/kept", "/files/other"].map {
            InterimResponse(status: 104, headers: ["Location": $0, "Upload-Draft-Interop-Version": "8"])
        }
        var policy = UploadPolicy()
        policy.interim = interim
        server.setRoute("/files", .uploadSink(policy))
        let dropped = status == 204 ? ScriptedResponse(204) : ScriptedResponse(status, body: .bytes(Array("gone".utf8)))
        server.setRoute("/files/kept", .respond(dropped))
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .draft), kind: .upload)))
        #expect(outcome.error?.message == ResumeErrors.twoUploadURLs)
        #expect(outcome.body.isEmpty)
        #expect(methods(server) == ["PUT", "DELETE"])
    }

    @Test("A place at another server gets neither bytes nor credentials")
    func otherServer() throws {
        let (server, other) = (try server(), try server())
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.tus, at: "/files")
        let location = other.url("/files/kept")
        keeper.location = { _ in location }
        server.keepUploads(keeper)
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .tus), kind: .upload)))
        #expect(outcome.error?.code == .redirectRefused)
        #expect(other.requestCount == 0)
    }

    @Test(
        "Uploads above the server's limit are refused before a byte is sent",
        arguments: [UploadKeeper.Style.tus, .draft])
    func tooLarge(style: UploadKeeper.Style) throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(style, at: "/files")
        keeper.limits = style == .tus ? "999999" : "max-size=999999"
        server.keepUploads(keeper)
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .automatic), kind: .upload)))
        #expect(outcome.error?.code == .bodyTooLarge)
        #expect(methods(server) == ["OPTIONS"])
    }

    @Test("A server that takes only so many bytes in one request gets several")
    func pieces() throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.draft, at: "/files")
        keeper.limits = "max-append-size=300000"
        server.keepUploads(keeper)
        let outcome = try #require(harness.outcome(of: harness.add(request(server, .automatic), kind: .upload)))
        #expect(outcome.error == nil)
        #expect(String(decoding: outcome.body, as: UTF8.self) == "whole")
        #expect(server.requests.map(\.bodyByteCount) == [0, 300_000, 300_000, 300_000, 100_000])
        #expect(keeper.bytes(in: server.requests) == Self.content)
    }

    @Test("A long pause gives the connection up, and the upload goes on behind what has arrived")
    func paused() throws {
        let server = try server()
        let harness = try EngineHarness()
        var keeper = UploadKeeper(.tus, at: "/files")
        let gate = try server.gate(named: "half")
        keeper.stall = Stall(after: 400_000, gate: gate)
        server.keepUploads(keeper)
        let id = harness.add(request(server, .tus), kind: .upload)
        harness.resume(id)
        #expect(server.wait { requests in requests.contains { $0.bodyByteCount == 400_000 } })
        #expect(harness.suspendAndWait(id))
        harness.expireHold(id)
        // What this side's kernel had taken still arrives.
        gate.release()
        #expect(server.wait { requests in requests.contains { $0.outcome == .broken } })
        harness.resume(id)
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        #expect(outcome.error == nil)
        #expect(methods(server) == ["POST", "PATCH", "HEAD", "PATCH"])
        let kept = server.requests.first { $0.outcome == .broken }?.bodyByteCount ?? 0
        #expect(kept >= 400_000 && server.requests.last?.header("Upload-Offset") == String(kept))
        #expect(keeper.bytes(in: server.requests) == Self.content)
    }

    /// What a later run finds under the file's name.
    enum Later: String, CaseIterable {
        case same, other
        /// Another file, or other bytes, with the length and the date of the first.
        case disguised, editedInPlace
    }

    /// Gives a file other bytes of the same length.
    private func change(_ path: String, _ later: Later) throws {
        guard later != .same else { return }
        var status = stat()
        #expect(stat(path, &status) == 0)
        let new = later == .disguised ? path + ".new" : path
        if later == .editedInPlace {
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: Data(Self.content.reversed()))
            try file.close()
        } else {
            try Data(Self.content.reversed()).write(to: URL(fileURLWithPath: new))
        }
        guard later != .other else { return }
        #expect(utimensat(AT_FDCWD, new, [status.st_atim, status.st_mtim], 0) == 0)
        if later == .disguised { #expect(rename(new, path) == 0) }
    }

    @Test("A place of an earlier run is gone on with, unless the file is another one by now", arguments: Later.allCases)
    func earlierRun(later: Later) throws {
        let isSame = later == .same
        let server = try server()
        let first = try EngineHarness { $0.maximumRetries = 0 }
        var keeper = UploadKeeper(.tus, at: "/files")
        keeper.cuts = [400_000]
        server.keepUploads(keeper)
        let path = first.folder.path + "/body"
        try Data(Self.content).write(to: URL(fileURLWithPath: path))
        var request = request(server, .tus)
        request.body = .file(path: path)
        let cut = first.add(request, kind: .upload)
        #expect(try #require(first.outcome(of: cut)).error != nil)
        let location = first.events(of: cut).compactMap {
            if case .uploadPlaced(_, let location) = $0 { location } else { nil }
        }
        .last
        let text = try #require(location?.storedText)
        try change(path, later)

        let second = try EngineHarness()
        request.uploadLocation = UploadLocation(storedText: text)
        #expect(request.uploadLocation == location)
        let outcome = try #require(second.outcome(of: second.add(request, kind: .upload)))
        #expect(outcome.error == nil)
        #expect(methods(server) == ["POST", "PATCH"] + (isSame ? ["HEAD", "PATCH"] : ["POST", "PATCH"]))
        #expect(keeper.bytes(in: server.requests) == (isSame ? Self.content : Self.content.reversed()))
        if isSame { #expect(server.requests.last?.bodyByteCount == 600_000) }
    }

    @Test("A place with a secret in its URL is not stored")
    func secretPlace() {
        let content = UploadContent(length: 5, modified: 7, changed: -8, inode: .max)
        let location = UploadLocation(style: .tus, url: "https://h/files/1", content: content)
        #expect(location.storedText.flatMap { UploadLocation(storedText: $0) } == location)
        #expect(UploadLocation(style: .tus, url: "https://h/files/1?token=hush", content: content).storedText == nil)
        #expect(UploadLocation(style: .tus, url: "https://u:p@h/files/1", content: content).storedText == nil)
        for text in [
            "", "tus", "tus 5 7", "tus 5 7 http://h/", "tus x 7 8 9 http://h/", "tcp 5 7 8 9 http://h/",
            "tus 5 7 8 9 ftp://h/",
        ] {
            #expect(UploadLocation(storedText: text) == nil, "\(text)")
        }
    }
}
