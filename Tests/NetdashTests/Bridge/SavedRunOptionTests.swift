import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// The command line's options for all requests in a saved session.
@Suite("Options of a run in a saved session", .timeLimit(.minutes(1)))
struct SavedRunOptionTests {
    /// A run of a command line on the session of a fixture.
    private func run(
        _ arguments: [String], in fixture: SavedSessionFixture, _ observer: EffectsObserver = EffectsObserver()
    ) throws -> LocalService {
        let invocation = try CommandLine.parse(arguments).get()
        var settings = invocation.settings
        settings.directory = fixture.folder.path
        settings.retries = 0
        let service = LocalService(
            settings: settings.forService, printsBodies: false, observer: observer, session: "test",
            folder: fixture.folder.path + "/state")
        try #require(service.refusal == nil)
        _ = service.begin()
        service.add(invocation.hostRules.applied(to: invocation.jobs))
        return service
    }

    /// Begins a download, and ends its run while the response is awaited.
    private func interrupt(_ words: [String], in fixture: SavedSessionFixture) throws {
        let gate = try fixture.server.gate(named: "first")
        fixture.server.setRoute("/f", Behaviour.file(seed: 1, count: 10).waiting(for: gate))
        let first = try run(words + [fixture.server.url("/f")], in: fixture)
        try #require(gate.waitForArrivals())
        _ = first.close()
        gate.release()
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
    }

    @Test(
        "A download goes on with the options of the command line that began it, or with the next one's",
        arguments: [
            ([], ["one", "one"]), (["-A", "two"], ["one", "two"]), (["-4"], ["one", "one"]),
        ])
    func agents(next: [String], agents: [String]) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        try interrupt(["-A", "one"], in: fixture)
        let observer = EffectsObserver()
        let second = try run(next, in: fixture, observer)
        defer { _ = second.close() }
        try #require(observer.waitForEnds())
        #expect(fixture.server.requests.map { $0.header("User-Agent") } == agents)
        #expect(second.allSnapshots.map(\.state) == [.done])
    }

    @Test("A proxy's password is not on the disk, is missed in the next run, and the command line may give it again")
    func password() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let url = try #require(URL(string: fixture.server.url("/")))
        let proxy = "http://me:sesame@127.0.0.1:\(url.port ?? 0)"
        try interrupt(["--proxy", proxy], in: fixture)
        for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/state") {
            let bytes = try Data(contentsOf: fixture.folder.appendingPathComponent("state/" + name))
            #expect(!String(decoding: bytes, as: UTF8.self).contains("sesame"))
        }
        let count = fixture.server.requests.count
        let second = try run([], in: fixture)
        #expect(second.allSnapshots.map { $0.error?.string.contains("--proxy") } == [true])
        #expect(fixture.server.requests.count == count)
        _ = second.close()
        let observer = EffectsObserver()
        let third = try run(["--proxy", proxy], in: fixture, observer)
        defer { _ = third.close() }
        try #require(observer.waitForEnds())
        #expect(third.allSnapshots.map(\.state) == [.done])
        let field = fixture.server.requests.last?.header("Proxy-Authorization")
        #expect(field == "Basic " + Data("me:sesame".utf8).base64EncodedString())
    }
}
