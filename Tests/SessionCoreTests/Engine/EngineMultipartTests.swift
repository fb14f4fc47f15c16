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

    /// An engine with one connection to a host, so that the parts go one after the other.
    private func sequential() throws -> EngineHarness {
        try EngineHarness { $0.maximumConcurrentTransfersPerHost = 1 }
    }

    /// The numbers of the parts that were requested, in order.
    private var parts: [String] { methods.filter { $0.hasPrefix("PUT ") }.map { String($0.dropFirst(4)) }.sorted() }

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
        let harness = try sequential()
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
        let harness = try sequential()
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
        let harness = try sequential()
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
        let harness = try sequential()
        let path = harness.folder.path + "/body"
        try Data(Self.content).write(to: URL(fileURLWithPath: path))
        let first = harness.add(request(.file(path: path)), kind: .upload)
        _ = try #require(harness.outcome(of: first))
        var again = request(.file(path: path))
        let location = try #require(harness.location(of: first))
        again.uploadLocation = location
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
        let harness = try sequential()
        var request = request()
        let content = UploadContent(length: Int64(Self.content.count), modified: 0)
        request.uploadLocation = UploadLocation(
            style: .multipart, url: server.url("/bucket/key?uploadId=gone"), content: content)
        #expect(try #require(harness.outcome(of: harness.add(request, kind: .upload))).error == nil)
        #expect(keeper.object == Self.content && methods.prefix(2) == ["GET", "POST"])
    }

    @Test(
        "A 200 with an error in its body is none, and the parts are joined at the next try",
        arguments: ["InternalError", "SlowDown"])
    func lateError(code: String) throws {
        let keeper = keep {
            $0.fault = { kind, number in
                kind == "complete" && number == 0 ? MultipartKeeper.error(code, status: 200) : nil
            }
        }
        let harness = try sequential()
        #expect(try #require(harness.outcome(of: harness.add(request(), kind: .upload))).error == nil)
        #expect(keeper.object == Self.content && methods.suffix(2) == ["POST", "POST"])
    }

    @Test("A part that arrived damaged or too slowly is sent again", arguments: ["BadDigest", "RequestTimeout"])
    func refusedPart(code: String) throws {
        let keeper = keep {
            $0.fault = { kind, number in
                kind == "part" && number == 1 ? MultipartKeeper.error(code, status: 400) : nil
            }
        }
        let harness = try sequential()
        #expect(try #require(harness.outcome(of: harness.add(request(), kind: .upload))).error == nil)
        #expect(keeper.object == Self.content && parts == ["1", "2", "2", "3"])
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
        let harness = try sequential()
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
        let harness = try sequential()
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
        let harness = try sequential()
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

    // MARK: - Several connections

    private static let isAnswered: @Sendable (RecordedRequest) -> Bool = { request in
        request.outcome == .answered && request.query?.hasPrefix("partNumber=") == true
    }

    @Test("While a part stands still, the others are sent over other connections")
    func parallel() throws {
        let gate = try server.gate(named: "first")
        let keeper = keep { $0.stall = (1, Stall(after: 1_000_000, gate: gate)) }
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        harness.resume(id)
        #expect(server.wait { $0.count(where: Self.isAnswered) == 2 })
        #expect(keeper.object == nil)
        gate.release()
        #expect(try #require(harness.outcome(of: id, resuming: false)).error == nil)
        #expect(keeper.object == Self.content && keeper.uploads.isEmpty && parts == ["1", "2", "3"])
        #expect(harness.status(id).sent == Int64(Self.content.count))
    }

    @Test("A transfer with no part of its own left goes on with the request of another connection")
    func handedOver() throws {
        let gate = try server.gate(named: "second")
        let keeper = keep { $0.stall = (2, Stall(after: 1_000_000, gate: gate)) }
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        harness.resume(id)
        #expect(server.wait { $0.count(where: Self.isAnswered) == 2 })
        harness.waitForLoop()
        gate.release()
        #expect(try #require(harness.outcome(of: id, resuming: false)).error == nil)
        #expect(keeper.object == Self.content && parts == ["1", "2", "3"])
    }

    @Test("A part that is refused or cut is repeated alone", arguments: ["busy", "cut"])
    func alone(manner: String) throws {
        let keeper = keep { rules in
            if manner == "cut" { rules.cuts = [.max, 500_000] }
            rules.fault = { kind, number in
                manner == "busy" && kind == "part" && number == 1
                    ? MultipartKeeper.error("SlowDown", status: 503) : nil
            }
        }
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        #expect(keeper.object == Self.content)
        #expect(Set(parts) == ["1", "2", "3"] && parts.count <= 4, "\(parts)")
        #expect(harness.restarts(of: id).isEmpty)
    }

    @Test("A pause ends all connections at last, a resume sends what is missing, and no count ever falls")
    func paused() throws {
        let gate = try server.gate(named: "first")
        let keeper = keep { $0.stall = (1, Stall(after: 1_000_000, gate: gate)) }
        let harness = try EngineHarness()
        let id = harness.add(request(), kind: .upload)
        harness.resume(id)
        #expect(server.wait { $0.count(where: Self.isAnswered) == 2 })
        #expect(harness.suspendAndWait(id))
        harness.expireHold(id)
        harness.waitForLoop()
        gate.release()
        #expect(server.wait { requests in requests.contains { $0.outcome == .broken } })
        #expect(try #require(harness.outcome(of: id)).error == nil)
        // A part whose answer the pause has kept from being read is sent again.
        #expect(keeper.object == Self.content && Set(parts) == ["1", "2", "3"])
        #expect(parts.count { $0 == "1" } == 2)
        let counts = harness.events(of: id).compactMap { (event) -> Int64? in
            if case .status(_, let status) = event { status.sent } else { nil }
        }
        #expect(!counts.isEmpty && counts == counts.sorted())
        #expect(harness.status(id).sent == Int64(Self.content.count))
    }

    @Test("A limit of the upload rate holds all connections back, and lets all go on")
    func limited() throws {
        let keeper = keep()
        let harness = try EngineHarness {
            $0.rateLimits = RateLimits(all: RateLimit(download: nil, upload: 20 << 20))
        }
        let id = harness.add(request(), kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        #expect(keeper.object == Self.content && parts == ["1", "2", "3"])
    }

    @Test("An upload that its store forgets in the middle begins again")
    func forgottenInTheMiddle() throws {
        let keeper = keep {
            $0.fault = { kind, number in
                kind == "part" && number == 1 ? MultipartKeeper.error("NoSuchUpload", status: 404) : nil
            }
        }
        let harness = try sequential()
        let id = harness.add(request(), kind: .upload)
        #expect(try #require(harness.outcome(of: id)).error == nil)
        #expect(keeper.object == Self.content && harness.restarts(of: id).count == 1)
        #expect(methods == ["POST", "PUT 1", "PUT 2", "POST", "PUT 1", "PUT 2", "PUT 3", "POST"])
    }

    @Test("A wrong clock, another region and small parts end the upload with their own sentence")
    func sentences() throws {
        let skewed = MultipartKeeper.error("RequestTimeTooSkewed", status: 403)
        var elsewhere = MultipartKeeper.error("PermanentRedirect", status: 301)
        elsewhere.headers["x-amz-bucket-region"] = "us-west-2"
        let small = MultipartKeeper.error("EntityTooSmall", status: 400)
        for (step, response, message) in [
            ("create", skewed, ResumeErrors.clockDiffers), ("create", elsewhere, ResumeErrors.otherRegion("us-west-2")),
            ("complete", small, ResumeErrors.partsTooSmall),
        ] {
            _ = keep { $0.fault = { kind, _ in kind == step ? response : nil } }
            let harness = try sequential()
            let outcome = try #require(harness.outcome(of: harness.add(request(), kind: .upload)))
            #expect(outcome.error?.message == message)
        }
    }

    @Test("Up to one part, and at a URL with a query, a file is sent as usual")
    func small() throws {
        _ = keep()
        server.setRoute("/bucket/key", .uploadSink())
        let harness = try sequential()
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
