import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Plain http where https was a guess", .timeLimit(.minutes(1)))
struct PlainAnswerTests {
    private func job(_ words: String...) throws -> Job {
        try #require(try CommandLine.parse(words).get().jobs.first)
    }

    @Test("A server that speaks plain http is asked so when the URL had no scheme, once, and a notice says so")
    func fallback() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(seed: 1, count: 1_000))
        let url = fixture.server.url("/f")
        fixture.bridge.add([try job(String(url.dropFirst("http://".count)))])
        #expect(fixture.observer.waitForEnds())
        let row = try #require(fixture.bridge.snapshots(of: [1]).first)
        #expect(row.state == .done && row.url.string == url && row.received == 1_000)
        let names = fixture.observer.events.map(\.name)
        #expect(names.filter { $0 == "notice" }.count == 1 && names.filter { $0 == "added" }.count == 1)
        #expect(fixture.bridge.counts.isIdle)
        #expect(fixture.server.requests(for: "/f").count == 1)
    }

    @Test("A row that was added paused and then resumed goes on over plain http at once")
    func resumed() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        fixture.server.setRoute("/f", .file(seed: 1, count: 1_000))
        var added = try job(String(fixture.server.url("/f").dropFirst("http://".count)))
        added.startsPaused = true
        let ids = fixture.bridge.add([added]).added
        fixture.bridge.send(.resume(ids))
        #expect(fixture.observer.waitForEnds())
        #expect(fixture.bridge.figures(of: ids).map(\.state) == [.done])
    }

    @Test("With a scheme, or with anything that says who asks, it fails with a sentence that names http")
    func failure() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let authority = String(fixture.server.url("/f").dropFirst("http://".count))
        let jobs = [
            try job("https://" + authority), try job("u:p@" + authority), try job(authority + "?2", "-u", "a:b"),
            try job(authority + "?3", "-H", "Authorization: x"), try job(authority + "?4", "--cookie", "a=b"),
        ]
        fixture.bridge.add(jobs)
        #expect(fixture.observer.waitForEnds(jobs.count))
        for row in fixture.bridge.snapshots(of: Array(1...UInt64(jobs.count))) {
            #expect(
                row.state == .failed && row.error?.string.contains("write http://") == true,
                "\(row.url) \(row.error ?? "")")
        }
        #expect(fixture.server.requests.isEmpty)
    }
}
