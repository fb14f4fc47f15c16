import AriaRPC
import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// aria2's interface over a real service and a real server.
@Suite("aria2's interface over a service", .timeLimit(.minutes(1)))
struct ServiceTasksTests {
    private let fixture: BridgeFixture
    private let server: AriaServer

    init() throws {
        fixture = try BridgeFixture { $0.maximumConcurrent = 2 }
        let tasks = ServiceTasks(fixture.bridge, ServiceSettings())
        fixture.bridge.observe(tasks)
        server = AriaServer(
            tasks,
            AriaProgram(
                version: "1", directory: fixture.folder.path, now: { MonotonicClock.milliseconds },
                metalink: { _, _ in nil }, write: { _, _ in true }, log: { _ in }),
            secret: nil)
    }

    private func call(_ text: String) -> String {
        String(decoding: server.answer(Array(text.utf8)).body, as: UTF8.self)
    }

    private func add(_ path: String, gid: String, _ options: String = "") -> String {
        let url = fixture.server.url(path)
        return call(
            #"{"id":1,"method":"aria2.addUri","params":[["\#(url)"],{"gid":"\#(gid)"\#(options)}]}"#)
    }

    private func status(_ gid: String) -> String {
        call(#"{"id":1,"method":"aria2.tellStatus","params":["\#(gid)"]}"#)
    }

    @Test("A download is added, ends, and is told with its file")
    func download() throws {
        defer { fixture.end() }
        fixture.server.setRoute("/f.bin", .file(seed: 1, count: 3 << 20))
        #expect(add("/f.bin", gid: "aabbccddeeff0011").contains(#""result":"aabbccddeeff0011""#))
        try #require(fixture.observer.waitForEnds())
        let text = status("aabb")
        #expect(text.contains(#""status":"complete""#) && text.contains(#""bitfield":"e0""#))
        #expect(text.contains(fixture.folder.path + "/f.bin"))
        #expect(text.contains(#""errorCode":"0""#))
    }

    @Test("A missing file is told as aria2 tells it")
    func missing() throws {
        defer { fixture.end() }
        #expect(add("/missing", gid: "aabbccddeeff0011").contains("result"))
        try #require(fixture.observer.waitForEnds())
        let text = status("aabbccddeeff0011")
        #expect(text.contains(#""status":"error""#) && text.contains(#""errorCode":"3""#))
    }

    @Test("Paused tasks keep their places, and a removed one leaves the list")
    func queue() throws {
        defer { fixture.end() }
        for (number, digit) in ["a", "b", "c"].enumerated() {
            _ = add("/\(number)", gid: String(repeating: digit, count: 16), #","pause":"true""#)
        }
        #expect(
            call(#"{"id":1,"method":"aria2.changePosition","params":["c",0,"POS_SET"]}"#).contains(#""result":0"#))
        #expect(call(#"{"id":1,"method":"aria2.remove","params":["a"]}"#).contains("result"))
        let waiting = call(#"{"id":1,"method":"aria2.tellWaiting","params":[0,9,["gid"]]}"#)
        let (c, b) = (String(repeating: "c", count: 16), String(repeating: "b", count: 16))
        #expect(waiting.contains(#""result":[{"gid":"\#(c)"},{"gid":"\#(b)"}]"#))
        #expect(status("a").contains("is not found"))
    }

    @Test("One URL under two chosen GIDs is two downloads")
    func sameURL() throws {
        defer { fixture.end() }
        for digit in ["a", "b"] {
            var job = Job(kind: .download, url: fixture.server.url("/f"))
            (job.startsPaused, job.aria) = (true, AriaTerms(gid: String(repeating: digit, count: 16)))
            _ = fixture.bridge.send(.add([job]))
        }
        let waiting = call(#"{"id":1,"method":"aria2.tellWaiting","params":[0,9,["gid"]]}"#)
        let (a, b) = (String(repeating: "a", count: 16), String(repeating: "b", count: 16))
        #expect(waiting.contains(#""result":[{"gid":"\#(a)"},{"gid":"\#(b)"}]"#), "\(waiting)")
    }

    @Test("A limit that a client sets is told again, and is in force")
    func limits() throws {
        defer { fixture.end() }
        _ = add("/1", gid: "aabbccddeeff0011", #","pause":"true","max-download-limit":"10000""#)
        for limit in ["20000", "10000"] {
            _ = call(
                #"{"id":1,"method":"aria2.changeOption","params":["a",{"max-download-limit":"\#(limit)"}]}"#)
            let options = call(#"{"id":1,"method":"aria2.getOption","params":["a"]}"#)
            #expect(options.contains(#""max-download-limit":"\#(limit)""#))
            let id = try #require(fixture.bridge.standings.first?.id)
            #expect(fixture.bridge.details(of: id)?.rates?.download?.rate == Int64(limit))
        }
    }

    @Test("Where rows stand is what their numbers say, of untouched rows and of others")
    func standings() throws {
        defer { fixture.end() }
        fixture.server.setRoute("/0", .file(seed: 1, count: 10))
        var low = Job(kind: .download, url: fixture.server.url("/low"))
        (low.startsPaused, low.priority) = (true, .low)
        _ = fixture.bridge.send(.add([low]))
        _ = add("/0", gid: String(repeating: "a", count: 16))
        _ = add("/missing", gid: String(repeating: "b", count: 16))
        try #require(fixture.observer.waitForEnds(2))
        let standings = fixture.bridge.standings
        #expect(standings == fixture.bridge.figures(of: standings.map(\.id)).map { RowStanding($0) })
        #expect(standings.map(\.state) == [.paused, .done, .failed])
    }

    @Test("Where thousands of rows stand is what their numbers say, whichever of them were changed or are gone")
    func manyStandings() throws {
        defer { fixture.end() }
        let jobs = (0..<2_500).map { number in
            var job = Job(kind: .download, url: fixture.server.url("/\(number)"))
            (job.startsPaused, job.priority) = (true, number % 700 == 0 ? .high : .normal)
            return job
        }
        let ids = fixture.bridge.send(.add(jobs)).added
        try #require(ids.count == jobs.count)
        _ = fixture.bridge.send(.prioritise([ids[1_023], ids[1_024], ids[2_401]], by: -1))
        _ = fixture.bridge.send(.cancel([ids[0], ids[1_025], ids[2_499]], deletingParts: false))
        _ = fixture.bridge.send(.clear([ids[0], ids[1_025]]))
        let standings = fixture.bridge.standings
        #expect(standings.map(\.id) == ids.filter { $0 != ids[0] && $0 != ids[1_025] })
        #expect(standings == fixture.bridge.figures(of: standings.map(\.id)).map { RowStanding($0) })
        #expect(standings.last?.state == .cancelled)
        #expect(standings.filter { $0.priority == TaskPriority.low.rawValue }.count == 3)
    }

    @Test("Events of a service become notifications with the GIDs that clients chose")
    func news() throws {
        defer { fixture.end() }
        let news = ServiceNews(fixture.bridge, server)
        let wakes = Monitor(0)
        news.begin { wakes.change { $0 += 1 } }
        fixture.server.setRoute("/f", .file(seed: 1, count: 10))
        _ = add("/f", gid: "aabbccddeeff0011")
        try #require(fixture.observer.waitForEnds())
        var told: [AriaNotice] = []
        var seen = 0
        while !told.contains(.complete) {
            let notices = news.take()
            #expect(notices.allSatisfy { $0.gid == "aabbccddeeff0011" })
            told += notices.map(\.notice)
            guard notices.isEmpty else { continue }
            seen = wakes.wait { $0 > seen ? $0 : nil }
        }
        #expect(told == [.start, .complete])
        news.end()
        #expect(news.take().isEmpty)
    }

    @Test("A chosen GID and options without an effect are saved with their task")
    func saved() throws {
        defer { fixture.end() }
        var job = Job(kind: .download, url: "http://h/f")
        job.aria = AriaTerms(gid: "aabbccddeeff0011", options: ["retry-wait": "3"])
        let row = TransferRow(restoring: TransferRow(id: 7, job: job).stored(by: fixture.bridge.factory))
        #expect(row.job.aria == job.aria)
    }
}
