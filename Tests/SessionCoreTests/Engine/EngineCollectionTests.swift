import Foundation
import Glibc
import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Uploads below collections that a WebDAV server does not have yet.
@Suite("Uploads into missing collections", .timeLimit(.minutes(1)))
struct EngineCollectionTests {
    private func server(_ keeper: CollectionKeeper) throws -> LoopbackServer {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/*", keeper.behaviour)
        return server
    }

    private func put(_ server: LoopbackServer, _ path: String, method: String = "PUT") -> TransferRequest {
        var request = TransferRequest(url: server.url(path), method: method, body: .bytes([1, 2, 3]))
        request.headers["Authorization"] = "Basic eDp5"
        request.headers["Content-Type"] = "image/png"
        return request
    }

    private func lines(_ server: LoopbackServer) -> [String] { server.requests.map { $0.method + " " + $0.path } }

    @Test(
        "They are made with the upload's own fields, then the file is sent", arguments: [UploadResumption.off, .draft])
    func made(resumption: UploadResumption) throws {
        let keeper = CollectionKeeper(["/dav/"])
        let server = try server(keeper)
        let harness = try EngineHarness { $0.makesCollections = true }
        var request = put(server, "/dav/a/b/file")
        request.uploadResumption = resumption
        let id = harness.add(request, kind: .upload)
        let outcome = try #require(harness.outcome(of: id))
        #expect(outcome.error == nil && outcome.head?.statusCode == 201)
        #expect(keeper.collections == ["/dav/", "/dav/a/", "/dav/a/b/"])
        #expect(keeper.files == ["/dav/a/b/file": [1, 2, 3]])
        let making = ["MKCOL /dav/a/b/", "MKCOL /dav/a/", "MKCOL /dav/a/b/"]
        #expect(lines(server) == ["PUT /dav/a/b/file"] + making + ["PUT /dav/a/b/file"])
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Basic eDp5" })
        #expect(server.requests.filter { $0.method == "MKCOL" }.allSatisfy { $0.header("Content-Type") == nil })
        #expect(harness.status(id).sent == 3 && harness.status(id).expectedToSend == 3)
    }

    @Test("Files that meet the same missing collection at once all arrive")
    func several() throws {
        let keeper = CollectionKeeper(["/dav/"])
        let server = try server(keeper)
        let harness = try EngineHarness { $0.makesCollections = true }
        let ids = (0..<6).map { harness.add(put(server, "/dav/tree/\($0)"), kind: .upload) }
        for id in ids { #expect(harness.outcome(of: id)?.head?.statusCode == 201) }
        #expect(keeper.files.count == 6 && keeper.collections == ["/dav/", "/dav/tree/"])
    }

    @Test("A collection that is refused is the failure, by name", arguments: [401, 403, 501])
    func refused(status: Int) throws {
        let keeper = CollectionKeeper(["/dav/"]) { $0.method == "MKCOL" ? ScriptedResponse(status) : nil }
        let server = try server(keeper)
        let harness = try EngineHarness { $0.makesCollections = true }
        let outcome = try #require(harness.outcome(of: harness.add(put(server, "/dav/a/file"), kind: .upload)))
        let head = try #require(outcome.head)
        #expect(outcome.error?.message == ResponseErrors.collectionRefused("/dav/a/", head.statusSentence))
        #expect(outcome.error?.statusCode == status && lines(server) == ["PUT /dav/a/file", "MKCOL /dav/a/"])
    }

    @Test("A server without collections is asked once, and its 409 is the answer")
    func otherConflict() throws {
        let keeper = CollectionKeeper([]) { $0.method == "MKCOL" ? ScriptedResponse(405) : nil }
        let server = try server(keeper)
        let harness = try EngineHarness { $0.makesCollections = true }
        let outcome = try #require(harness.outcome(of: harness.add(put(server, "/a/b/file"), kind: .upload)))
        #expect(outcome.error == nil && outcome.head?.statusCode == 409)
        #expect(lines(server) == ["PUT /a/b/file", "MKCOL /a/b/", "PUT /a/b/file"])
    }

    @Test("A busy server makes the collection at the next attempt")
    func busy() throws {
        let faults = Locked([503])
        let keeper = CollectionKeeper(["/dav/"]) { request in
            request.method == "MKCOL" ? faults.withLock { $0.popLast() }.map { ScriptedResponse($0) } : nil
        }
        let server = try server(keeper)
        let harness = try EngineHarness { $0.makesCollections = true }
        let outcome = try #require(harness.outcome(of: harness.add(put(server, "/dav/a/file"), kind: .upload)))
        #expect(outcome.error == nil && keeper.files["/dav/a/file"] == [1, 2, 3])
    }

    @Test("A server that names a time for a collection is left alone until then", arguments: [429, 503])
    func askedWait(status: Int) throws {
        let keeper = CollectionKeeper(["/dav/"]) { request in
            request.method == "MKCOL" ? ScriptedResponse(status, headers: ["Retry-After": "3000"]) : nil
        }
        let server = try server(keeper)
        let harness = try EngineHarness { $0.makesCollections = true }
        let id = harness.add(put(server, "/dav/a/file"), kind: .upload)
        harness.resume(id)
        var waits: [Int64] = []
        #expect(
            harness.wait(id) { events in
                waits = events.compactMap { if case .retrying(_, _, let time, _) = $0 { time } else { nil } }
                return !waits.isEmpty || events.contains(where: \.isEnd)
            })
        #expect(waits.first ?? 0 > 1_000_000, "\(waits)")
        #expect(lines(server) == ["PUT /dav/a/file", "MKCOL /dav/a/"])
    }

    @Test("Other methods, transfers, stores of objects and sessions make none")
    func unasked() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/*", .respond(.text("Conflict\n", status: 409)))
        let harness = try EngineHarness { $0.makesCollections = true }
        var stored = put(server, "/a/file")
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "key", password: "secret")
        options.signing = RequestSigning(region: "r", service: "s3")
        stored.headers.removeAll(named: "Authorization")
        stored.options = options
        let ids = [
            harness.add(put(server, "/a/file", method: "POST"), kind: .upload),
            harness.add(put(server, "/a/file"), kind: .data), harness.add(stored, kind: .upload),
        ]
        for id in ids { #expect(harness.outcome(of: id)?.head?.statusCode == 409) }
        let other = try EngineHarness()
        let id = other.add(put(server, "/a/file"), kind: .upload)
        #expect(other.outcome(of: id)?.head?.statusCode == 409)
        #expect(server.requests.count == 4)
    }

    @Test("A body from a pipe is kept while collections are made, as long as nothing of it was read")
    func pipe() throws {
        for readsBodies in [false, true] {
            let keeper = CollectionKeeper(["/dav/"], readsRefusedBodies: readsBodies)
            let server = try server(keeper)
            let harness = try EngineHarness { $0.makesCollections = true }
            let ends = try BodyPipe.make()
            let request = TransferRequest(
                url: server.url("/dav/a/file"), method: "PUT", body: .descriptor(ends.reader.descriptor))
            let id = harness.add(request, kind: .upload)
            harness.resume(id)
            // libcurl waits a quarter of a second for an answer before it reads the body.
            if !readsBodies { #expect(server.waitForFinishedRequests(count: 1)) }
            #expect(BodyPipe.write([1, 2, 3], to: ends.writer))
            shutdown(ends.writer.descriptor, Int32(SHUT_WR))
            let outcome = try #require(harness.outcome(of: id, resuming: false))
            #expect(outcome.head?.statusCode == (readsBodies ? 409 : 201))
            #expect(keeper.files["/dav/a/file"] == (readsBodies ? nil : [1, 2, 3]))
            withExtendedLifetime(ends) {}
        }
    }
}
