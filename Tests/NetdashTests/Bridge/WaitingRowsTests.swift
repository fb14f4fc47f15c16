import Foundation
import LoopbackServer
import SessionCore
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Rows that wait without tasks: what the library's scheduler hears of them; its part is in `WaitingEntriesTests`.
@Suite("Waiting rows", .timeLimit(.minutes(1)))
struct WaitingRowsTests {
    @Test("A row whose file may come from another server too waits for none")
    func mirrored() {
        var job = Job(kind: .download, url: "http://h.example/file")
        var hosts = RowHosts(JobRoutes(run: nil))
        #expect(hosts.host(of: job) == "http://h.example:80")
        job.options = [JobOption.Value(.mirror, "http://m.example/file")]
        #expect(hosts.host(of: job) == QueueEntry.anywhere)
    }

    @Test("Rows that go another way to a server are rows of another server")
    func routes() throws {
        let identity = JobIdentity(environment: ["http_proxy": "http://p.example:3128"])
        let routes = JobRoutes(run: try identity.runOptions([]))
        var hosts = RowHosts(routes)
        var job = Job(kind: .download, url: "http://h.example/file")
        #expect(hosts.host(of: job) == "http://h.example:80 http://p.example:3128")
        job.options = [JobOption.Value(.noProxy, "h.example")]
        #expect(hosts.host(of: job) == "http://h.example:80")
        job.options = [JobOption.Value(.proxy, "me:secret@q.example:81")]
        #expect(hosts.host(of: job) == "http://h.example:80 http://q.example:81")
        #expect(routes.route(of: job) == "http://q.example:81")
    }

    @Test("A row that is resumed right after it was cancelled is tried again, also by a command without a screen")
    func resumedTooEarly() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/f", .file(seed: 5, count: 300_000).stalling(after: 100_000, until: gate))
        fixture.bridge.add([fixture.job(.download, "/f")])
        #expect(gate.waitForArrivals())
        fixture.bridge.send(.cancel([1], deletingParts: false))
        fixture.bridge.send(.resume([1]))
        // The rest of the file must not come before the loop has seen the cancellation.
        #expect(fixture.observer.wait { $0.contains { $0.name == "cancelled" } })
        gate.release()
        #expect(fixture.observer.wait { $0.contains { $0.name == "completed" } })
    }

    @Test("A row that becomes another one while its checksum is looked for does not wait for that, nor take it")
    func replacedInSearch() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let (search, end) = (try fixture.server.gate(named: "search"), try fixture.server.gate(named: "end"))
        let half = try fixture.server.gate(named: "half")
        fixture.server.setRoute("/SHA256SUMS", .respond(.text("")).waiting(for: search))
        fixture.server.setRoute("/f.sha512", .respond(.text("")).waiting(for: end))
        for name in ["/f", "/h"] { fixture.server.setRoute(name, .file(count: 1_000)) }
        fixture.server.setRoute("/g", .file(seed: 5, count: 300_000).stalling(after: 100_000, until: half))
        let jobs = ["/f", "/h"].map { name in
            var job = fixture.job(.download, name)
            job.options = [JobOption.Value(.findChecksum, "")]
            return job
        }
        fixture.bridge.add(jobs)
        try #require(search.waitForArrivals())
        fixture.bridge.send(.cancel([1], deletingParts: false))
        fixture.bridge.send(.replace(1, with: fixture.job(.download, "/g")))
        try #require(half.waitForArrivals())
        search.release()
        try #require(end.waitForArrivals())
        end.release()
        // The other row's search ends behind this one's.
        try #require(fixture.observer.waitForEnds(2))
        half.release()
        try #require(fixture.observer.waitForEnds(3))
        #expect(fixture.bridge.figures(of: [1, 2]).map(\.state) == [.done, .done])
        #expect(fixture.server.requests(for: "/f").isEmpty)
    }

    @Test("While a server asks to be left alone none of its rows asks it but those refused, and rows of others go on")
    func busyServer() throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 2 }
        defer { fixture.end() }
        let other = LoopbackServer()
        try other.start()
        defer { other.stop() }
        let isBusy = Locked(true)
        let busy = Behaviour.respond(ScriptedResponse(503, headers: ["Retry-After": "1"]))
        for number in 1...100 {
            fixture.server.setRoute(
                "/\(number)", .choosing { _ in isBusy.withLock { $0 } ? busy : .file(count: 100) })
        }
        other.setRoute("/other", .file(count: 100))
        let jobs = (1...100).map { fixture.job(.download, "/\($0)") }
        fixture.bridge.add(jobs + [Job(kind: .download, url: other.url("/other"))])
        try #require(fixture.observer.waitForEnds())
        let asked = Set(fixture.server.requests.map(\.path))
        #expect(asked.isSubset(of: ["/1", "/2"]), "\(asked)")
        #expect(fixture.observer.events.first(where: \.isEnd)?.id == 101)
        #expect(fixture.bridge.counts.pending == 100)
        isBusy.withLock { $0 = false }
        try #require(fixture.observer.waitForEnds(101))
        #expect(fixture.bridge.results.allSatisfy { $0 == .completed })
    }

    @Test("Files of a hundred servers that are away do not keep one of another server waiting")
    func manyAway() throws {
        let fixture = try BridgeFixture {
            ($0.maximumConcurrent, $0.retries, $0.hasChosenRetries) = (4, 1_000, true)
        }
        defer { fixture.end() }
        fixture.server.setRoute("/there", .respond(.text("here")))
        let jobs = (1...100).map { number in
            Job(kind: .download, url: "http://127.0.1.\(number):1/file")
        }
        fixture.bridge.add(jobs + [fixture.job(.download, "/there")])
        try #require(fixture.observer.waitForEnds())
        #expect(fixture.observer.events.first(where: \.isEnd)?.id == 101)
        #expect(fixture.bridge.counts.pending == 100)
    }

    @Test("Hundreds of files of a server that gives them one by one do not keep one of another server waiting")
    func fullServer() throws {
        let fixture = try BridgeFixture { $0.maximumPerHost = 1 }
        defer { fixture.end() }
        let other = LoopbackServer()
        try other.start()
        defer { other.stop() }
        let gate = try fixture.server.gate(named: "first")
        fixture.server.setRoute("/1", .file(count: 100).waiting(for: gate))
        other.setRoute("/other", .file(count: 100))
        let jobs = (1...300).map { fixture.job(.download, "/\($0)") }
        fixture.bridge.add(jobs + [Job(kind: .download, url: other.url("/other"))])
        try #require(fixture.observer.waitForEnds())
        #expect(fixture.observer.events.first(where: \.isEnd)?.id == 301)
        #expect(fixture.server.requests.map(\.path) == ["/1"])
        fixture.bridge.send(.cancel((1...300).map(UInt64.init), deletingParts: true))
        gate.release()
        try #require(fixture.observer.waitForEnds(301))
    }

    @Test("A hundred files of a server that is away do not keep one of another server waiting")
    func bridge() throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 4 }
        defer { fixture.end() }
        fixture.server.setRoute("/there", .respond(.text("here")))
        let jobs = (0..<100).map { Job(kind: .download, url: "http://127.0.0.1:1/\($0)") }
        fixture.bridge.add(jobs + [fixture.job(.download, "/there")])
        #expect(fixture.observer.waitForEnds())
        #expect(fixture.observer.events.first(where: \.isEnd)?.name == "completed")
        #expect(try String(contentsOf: fixture.folder.appendingPathComponent("there"), encoding: .utf8) == "here")
    }
}
