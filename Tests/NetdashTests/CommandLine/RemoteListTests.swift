import Foundation
import Glibc
import LoopbackServer
import SessionSupport
import Testing
import TransferService

@testable import netdash

/// Lists on a server, which are downloaded before a run begins.
@Suite("A list on a server", .timeLimit(.minutes(1)))
struct RemoteListTests {
    private let server = LoopbackServer()
    private let signals = FakeSignals()

    init() throws { try server.start() }

    private func fetch(
        _ path: String, _ settings: Settings = Settings(),
        temporary: String = FileManager.default.temporaryDirectory.path
    ) throws -> RemoteList.Fetched {
        try RemoteList.fetch(
            server.url(path), as: Job(kind: .download, url: ""), settings: settings, signals: signals,
            temporary: temporary)
    }

    @Test("It is read, whatever earlier processes have left behind")
    func fetched() throws {
        defer { server.stop() }
        let left = FileManager.default.temporaryDirectory.path + "/netdash-list-\(getpid())"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: left) }
        server.setRoute("/list", .respond(ScriptedResponse(200, body: .text("http://h/a\n"))))
        #expect(try fetch("/list") == .list(Array("http://h/a\n".utf8), address: server.url("/list")))
    }

    @Test(
        "It is none of the run's downloads: it stands in no archive and in no list of failures, and is read each time")
    func beside() throws {
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.path + "/lists-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var settings = Settings()
        settings.archivePath = folder + "/archive"
        settings.failedPath = folder + "/failed"
        server.setRoute("/list", .respond(ScriptedResponse(200, body: .text("http://h/a\n"))))
        for _ in 1...2 {
            let list = Array("http://h/a\n".utf8)
            #expect(try fetch("/list", settings) == .list(list, address: server.url("/list")))
        }
        #expect(throws: UsageError.self) { try fetch("/missing", settings) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("A signal ends the wait for a server that does not answer, and nothing is left on the disk")
    func interrupted() throws {
        defer { server.stop() }
        let temporary = FileManager.default.temporaryDirectory.path + "/temporary-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        let during = Locked<[String]>([])
        let gate = try server.gate(named: "half")
        server.setRoute("/list", .file(seed: 1, count: 100_000).stalling(after: 50_000, until: gate))
        nonisolated(unsafe) let signals = signals
        try SystemThread.detach(name: "user") {
            guard gate.waitForArrivals() else { return }
            during.withLock { $0 = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? [] }
            signals.send(SIGINT)
        }
        #expect(try fetch("/list", temporary: temporary) == .ended(by: SIGINT))
        #expect(during.withLock { $0.count } == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }
}
