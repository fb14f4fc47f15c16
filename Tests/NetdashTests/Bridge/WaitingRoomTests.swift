import Foundation
import LoopbackServer
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// Rows of a server that is away, and those of others behind them.
@Suite("The waiting room", .timeLimit(.minutes(1)))
struct WaitingRoomTests {
    /// Rows below 1000 are of a server that is away, others of one that is there.
    private static func origin(_ id: UInt64) -> String? { id < 1000 ? "http://away:80" : "http://there:80" }

    private static func admitted(_ room: inout WaitingRoom) -> [UInt64] {
        var ids: [UInt64] = []
        while let id = room.admit({ $0 }, origin: origin) { ids.append(id) }
        return ids
    }

    private static func fullRoom() -> WaitingRoom {
        var room = WaitingRoom(maximumConcurrent: 6)
        for id in UInt64(0)..<100 { room.append(id, .download) }
        for id in UInt64(1000)..<1100 { room.append(id, .download) }
        #expect(admitted(&room) == Array(0..<64))
        return room
    }

    @Test("Rows of a held server take no room from others, and get no more tasks")
    func held() {
        var room = Self.fullRoom()
        room.hold(["http://away:80"], origin: Self.origin)
        #expect(Self.admitted(&room) == Array(1000..<1064))
        for id in UInt64(1000)..<1010 { room.leave(id) }
        #expect(Self.admitted(&room) == Array(1064..<1074))
    }

    @Test("When the server is asked again its rows count, and those that were set aside are the first to follow")
    func released() {
        var room = Self.fullRoom()
        room.hold(["http://away:80"], origin: Self.origin)
        _ = Self.admitted(&room)
        room.hold([], origin: Self.origin)
        #expect(Self.admitted(&room).isEmpty)
        for id in UInt64(0)..<64 { room.leave(id) }
        #expect(Self.admitted(&room).isEmpty)
        for id in UInt64(1000)..<1040 { room.leave(id) }
        #expect(Self.admitted(&room) == Array(64..<100) + Array(1064..<1068))
    }

    @Test("A held server always has a row with a task that asks it, although all that had one are paused or cancelled")
    func lastAsker() {
        var room = Self.fullRoom()
        room.hold(["http://away:80"], origin: Self.origin)
        _ = Self.admitted(&room)
        for id in UInt64(1000)..<1064 { room.leave(id) }
        #expect(Self.admitted(&room) == Array(1064..<1100))
        for id in UInt64(0)..<64 { room.leave(id) }
        #expect(Self.admitted(&room) == [64])
        // One that its user sends ahead is there already when the last one leaves.
        room.enter(999, .download, origin: "http://away:80")
        room.leave(64)
        #expect(Self.admitted(&room).isEmpty)
        room.leave(999)
        #expect(Self.admitted(&room) == [65])
    }

    @Test("Servers that are away cannot have tasks without end")
    func bound() {
        var room = WaitingRoom(maximumConcurrent: 6)
        let origin: (UInt64) -> String? = { "http://\($0 / 64):80" }
        for id in UInt64(0)..<64 * 100 { room.append(id, .download) }
        var origins: Set<String> = []
        var count = 0
        for server in 0..<100 {
            while room.admit({ $0 }, origin: origin) != nil { count += 1 }
            origins.insert("http://\(server):80")
            room.hold(origins, origin: origin)
        }
        #expect(count == 16 * 64)
    }

    @Test("Sorting brings rows together again that were set aside")
    func sorting() {
        var room = Self.fullRoom()
        room.hold(["http://away:80"], origin: Self.origin)
        _ = Self.admitted(&room)
        room.sort { $0 }
        room.hold([], origin: Self.origin)
        for id in UInt64(0)..<64 { room.leave(id) }
        for id in UInt64(1000)..<1064 { room.leave(id) }
        #expect(Self.admitted(&room) == Array(64..<100) + Array(1064..<1092))
    }

    @Test(
        "A server's name is the one that the library has for it",
        arguments: [
            ("http://a.example/x", "http://a.example:80"), ("HTTPS://A.Example", "https://a.example:443"),
            ("http://u:p@a.example:8080/?q", "http://a.example:8080"), ("https://[::1]:/", "https://[::1]:443"),
            ("nonsense", nil),
        ])
    func origins(url: String, origin: String?) {
        #expect(HeldRows.origin(of: url) == origin)
    }

    @Test("A row whose file may come from another server too waits for none")
    func mirrored() {
        var job = Job(kind: .download, url: "http://h.example/file")
        let ways = JobWays(JobIdentity(environment: [:]), run: nil)
        #expect(HeldRows.server(of: job, ways) == "http://h.example:80")
        job.options = [JobOption.Value(.mirror, "http://m.example/file")]
        #expect(HeldRows.server(of: job, ways) == nil)
    }

    @Test("Rows that go another way to a server are rows of another server")
    func ways() throws {
        let identity = JobIdentity(environment: ["http_proxy": "http://p.example:3128"])
        let ways = JobWays(identity, run: try identity.runOptions([]))
        var job = Job(kind: .download, url: "http://h.example/file")
        #expect(HeldRows.server(of: job, ways) == "http://h.example:80 http://p.example:3128")
        job.options = [JobOption.Value(.noProxy, "h.example")]
        #expect(HeldRows.server(of: job, ways) == "http://h.example:80")
        job.options = [JobOption.Value(.proxy, "me:secret@q.example:81")]
        #expect(HeldRows.server(of: job, ways) == "http://h.example:80 http://q.example:81")
        #expect(ways.way(of: job) == "http://q.example:81")
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

    @Test("A hundred files of a server that is away do not keep one of another server waiting")
    func bridge() throws {
        let fixture = try BridgeFixture { $0.maximumConcurrent = 4 }
        defer { fixture.end() }
        let away = LoopbackServer()
        try away.start()
        let gone = away.url("")
        away.stop()
        fixture.server.setRoute("/there", .respond(.text("here")))
        let jobs = (0..<100).map { Job(kind: .download, url: "\(gone)/\($0)") } + [fixture.job(.download, "/there")]
        fixture.bridge.add(jobs)
        #expect(fixture.observer.waitForEnds())
        #expect(fixture.observer.events.first(where: \.isEnd)?.name == "completed")
        #expect(try String(contentsOf: fixture.folder.appendingPathComponent("there"), encoding: .utf8) == "here")
    }
}
