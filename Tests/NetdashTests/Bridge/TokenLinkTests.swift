import Foundation
import LoopbackServer
import Testing

@testable import SessionCore
@testable import TransferService
@testable import netdash

/// Links with a field that may be a signature, or choose the file.
@Suite("Links with tokens", .timeLimit(.minutes(1)))
struct TokenLinkTests {
    @Test("Tokens that choose the file make two files of one name", arguments: [Job.IfExists.skip, .overwrite, .same])
    func twoFiles(ifExists: Job.IfExists) throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 1 }
        defer { fixture.end() }
        fixture.server.setRoute("/get", .handler { .text($0.target.hasSuffix("a") ? "first" : "second") })
        let jobs = ["a", "b"].map { token in
            var job = fixture.job(.download, "/get?token=" + token)
            job.ifExists = ifExists
            return job
        }
        fixture.bridge.add(jobs)
        try #require(fixture.observer.waitForEnds(2))
        #expect(fixture.bridge.results == [.completed, .completed])
        func text(_ name: String) throws -> String {
            try String(contentsOf: fixture.folder.appendingPathComponent(name), encoding: .utf8)
        }
        #expect(try text("get") == "first" && text("get (1)") == "second")
    }

    @Test("A task keeps the name of its file with a link that is signed anew", arguments: [Job.Kind.download, .data])
    func renewed(kind: Job.Kind) throws {
        let link = FileManager.default.temporaryDirectory.appendingPathComponent("link-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: link) }
        let fixture = try BridgeFixture { $0.service.expiryCommand = "cat \(link.path)" }
        defer { fixture.end() }
        fixture.server.setRoute(
            "/get", .handler { $0.target.hasSuffix("new") ? .text("file") : .text("expired", status: 403) })
        try Data((fixture.server.url("/get?token=new") + "\n").utf8).write(to: link)
        var job = fixture.job(kind, "/get?token=old")
        job.ifExists = .overwrite
        if kind == .data { (job.directory, job.output) = (fixture.folder.path, .name("get")) }
        fixture.bridge.add([job])
        try #require(fixture.observer.waitForEnds(1))
        #expect(fixture.bridge.results == [.completed])
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        #expect(names == ["get"])
    }
}
