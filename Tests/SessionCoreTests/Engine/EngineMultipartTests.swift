import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Uploads in parts to a store that cuts, forgets, and answers wrongly.
@Suite("Uploads in parts on the wire", .timeLimit(.minutes(2)))
struct EngineMultipartTests {
    private static let size: Int64 = 5 << 20
    private static let content = DeterministicContent(seed: 3, count: 2 * size + 1_000).bytes
    private let server: LoopbackServer

    init() throws {
        var configuration = LoopbackServer.Configuration()
        configuration.keptBodyByteCount = 6 << 20
        server = LoopbackServer(configuration: configuration)
        try server.start()
    }

    private func keep(_ change: (inout MultipartKeeper.Rules) -> Void = { _ in }) -> MultipartKeeper {
        var rules = MultipartKeeper.Rules()
        change(&rules)
        let keeper = MultipartKeeper(rules)
        server.setRoute("/bucket/key", keeper.behaviour)
        return keeper
    }

    private func request(_ body: BodySpecification = .bytes(content)) -> TransferRequest {
        var request = TransferRequest(url: server.url("/bucket/key"), method: "PUT", body: body)
        request.options = RequestOptions()
        request.options?.partSize = Self.size
        request.options?.credentials = RequestCredentials(user: "key", password: "secret")
        request.options?.signing = RequestSigning(region: "eu-west-1", service: "s3")
        request.uploadResumption = .multipart
        return request
    }

    private var methods: [String] {
        server.requests.map { request in
            let query = request.query ?? ""
            let part = query.split(separator: "&").first { $0.hasPrefix("partNumber=") }.map { " " + $0.dropFirst(11) }
            return request.method + (part ?? "")
        }
    }

    @Test("A file is sent in signed parts with their digests, and is an object only at the end")
    func whole() throws {
        let keeper = keep()
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 200)
        #expect(keeper.object == Self.content && keeper.uploads.isEmpty)
        #expect(methods == ["POST", "PUT 1", "PUT 2", "PUT 3", "POST"])
        #expect(server.requests.allSatisfy { $0.header("Authorization")?.hasPrefix("AWS4-HMAC-SHA256 ") == true })
        for (index, request) in server.requests.filter({ $0.method == "PUT" }).enumerated() {
            let digest = try Digest.of(Self.content.dropFirst(index * Int(Self.size)).prefix(Int(Self.size)), .sha256)
            #expect(request.header("x-amz-checksum-sha256") == Base64.encode(digest))
            #expect(request.header("x-amz-content-sha256") == ByteText.hexadecimal(digest))
        }
        #expect(harness.status(id).sent == Int64(Self.content.count))
        #expect(Set(server.requests.map(\.connectionID)).count == 1)
    }

    @Test("Cut parts are sent again, and the ones before them are not")
    func cut() throws {
        let keeper = keep { $0.cuts = [.max, 1_000_000, 4_000_000] }
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        #expect(keeper.object == Self.content)
        #expect(methods == ["POST", "PUT 1", "PUT 2", "PUT 2", "PUT 2", "PUT 3", "POST"])
    }

    @Test(
        "A later run sends what the store lacks, by its digests or by its tags", arguments: [true, false])
    func laterRun(namesChecksums: Bool) throws {
        let keeper = keep {
            $0.namesChecksums = namesChecksums
            $0.pageSize = 1
            $0.tag = { (try? Digest.of($0, .md5)).map { ByteText.hexadecimal($0) } ?? "" }
            $0.fault = { kind, number in kind == "part" && number == 2 ? ScriptedResponse(403) : nil }
        }
        let harness = try EngineHarness()
        let path = harness.folder.path + "/body"
        try Data(Self.content).write(to: URL(fileURLWithPath: path))
        let first = harness.add(request(.file(path: path)), kind: .upload)
        let failed = try #require(harness.outcome(of: first))
        #expect(failed.head?.statusCode == 403 && keeper.object == nil && keeper.uploads.count == 1)
        let location = try #require(harness.location(of: first))
        #expect(location.storedText != nil, "it holds no secret")
        server.clearRequests()
        var again = request(.file(path: path))
        again.uploadLocation = location
        #expect(try #require(harness.outcome(of: harness.add(again, kind: .upload))).error == nil)
        #expect(keeper.object == Self.content)
        #expect(methods == ["GET", "GET", "PUT 3", "POST"])
    }

    @Test("A file that has changed is sent anew, and its old parts are removed")
    func changed() throws {
        let keeper = keep { $0.fault = { kind, number in kind == "part" && number == 1 ? ScriptedResponse(403) : nil } }
        let harness = try EngineHarness()
        let path = harness.folder.path + "/body"
        try Data(Self.content).write(to: URL(fileURLWithPath: path))
        let first = harness.add(request(.file(path: path)), kind: .upload)
        _ = try #require(harness.outcome(of: first))
        var again = request(.file(path: path))
        again.uploadLocation = try #require(harness.location(of: first))
        let other = Array(Self.content.reversed())
        try Data(other).write(to: URL(fileURLWithPath: path))
        server.clearRequests()
        let id = harness.add(again, kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        #expect(keeper.object == other && keeper.uploads.isEmpty)
        #expect(methods == ["DELETE", "POST", "PUT 1", "PUT 2", "PUT 3", "POST"])
        #expect(harness.restarts(of: id) == [ResumeReasons.bodyFileChanged])
    }

    @Test("A store that has forgotten the upload gets it from its first part")
    func forgotten() throws {
        let keeper = keep()
        let harness = try EngineHarness()
        var request = request()
        let content = UploadContent(length: Int64(Self.content.count), modified: 0)
        request.uploadLocation = UploadLocation(
            style: .multipart, url: server.url("/bucket/key?uploadId=gone"), content: content)
        #expect(try #require(harness.outcome(of: harness.add(request, kind: .upload))).error == nil)
        #expect(keeper.object == Self.content && methods.prefix(2) == ["GET", "POST"])
    }

    @Test("A 200 with an error in its body is none, and the parts are joined at the next try")
    func lateError() throws {
        let keeper = keep {
            $0.fault = { kind, number in
                kind == "complete" && number == 0 ? MultipartKeeper.error("InternalError", status: 200) : nil
            }
        }
        let harness = try EngineHarness()
        #expect(try #require(harness.outcome(of: harness.add(request(), kind: .upload))).error == nil)
        #expect(keeper.object == Self.content && methods.suffix(2) == ["POST", "POST"])
    }

    @Test("A part that the store has lost is sent again before the parts are joined")
    func lostPart() throws {
        let keeper = keep()
        server.setRoute(
            "/bucket/key",
            .choosing { request in
                if request.method == "POST", request.query?.hasPrefix("uploadId=") == true { keeper.dropPart(2) }
                return keeper.behaviour
            })
        let harness = try EngineHarness()
        #expect(try #require(harness.outcome(of: harness.add(request(), kind: .upload))).error == nil)
        #expect(keeper.object == Self.content)
        #expect(methods == ["POST", "PUT 1", "PUT 2", "PUT 3", "POST", "GET", "PUT 2", "POST"])
    }

    @Test(
        "After a lost response to the last request the object is believed by the digest of its parts alone",
        arguments: [true, false])
    func lostEnd(isProven: Bool) throws {
        let md5: @Sendable ([UInt8]) -> [UInt8] = { (try? Digest.of($0, .md5)) ?? [] }
        let keeper = keep {
            $0.actsDespiteFault = true
            $0.tag = { ByteText.hexadecimal(md5($0)) }
            if isProven { $0.objectTag = { ByteText.hexadecimal(md5($0.flatMap { md5($0.bytes) })) + "-\($0.count)" } }
            $0.fault = { kind, number in kind == "complete" && number == 0 ? ScriptedResponse(503) : nil }
        }
        let harness = try EngineHarness()
        let outcome = try #require(harness.outcome(of: harness.add(request(), kind: .upload)))
        #expect(keeper.object == Self.content && outcome.error == nil)
        let again = ["POST", "PUT 1", "PUT 2", "PUT 3", "POST"]
        #expect(methods == again + ["POST", "HEAD"] + (isProven ? [] : again))
    }

    @Test(
        "A cancelled upload that is not kept is removed at the store; a kept one is named", arguments: [true, false])
    func cancelled(keepsPart: Bool) throws {
        let gate = try server.gate(named: "middle")
        let keeper = keep { $0.stall = (2, Stall(after: 1_000_000, gate: gate)) }
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        harness.resume(id)
        #expect(server.wait { $0.contains { $0.bodyByteCount == 1_000_000 } })
        harness.intent(.cancelled(keepsPart: keepsPart), id)
        let outcome = try #require(harness.outcome(of: id, resuming: false))
        gate.release()
        #expect(outcome.error?.code == .cancelled)
        #expect((outcome.note?.contains("up%2F1") == true) == keepsPart)
        #expect(methods.contains("DELETE") != keepsPart)
        #expect(keeper.uploads.count == (keepsPart ? 1 : 0) && keeper.object == nil)
    }

    @Test("Up to one part, and at a URL with a query, a file is sent as usual")
    func small() throws {
        _ = keep()
        server.setRoute("/bucket/key", .uploadSink())
        let harness = try EngineHarness()
        let small = request(.bytes(Array(Self.content[..<Int(Self.size)])))
        #expect(try #require(harness.outcome(of: harness.add(small, kind: .upload))).error == nil)
        var queried = request()
        queried.url += "?a=b"
        #expect(try #require(harness.outcome(of: harness.add(queried, kind: .upload))).error == nil)
        #expect(methods == ["PUT", "PUT"])
    }
}

extension EngineHarness {
    /// Where an upload is at its server, as it was told last.
    fileprivate func location(of id: TransferID) -> UploadLocation? {
        events(of: id).compactMap { (event) -> UploadLocation? in
            if case .uploadPlaced(_, let location) = event { location } else { nil }
        }.last
    }
}
