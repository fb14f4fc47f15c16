import Foundation
import LoopbackServer
import SessionSupport
import Testing

@testable import Dashboard
@testable import SessionCore
@testable import TransferService
@testable import netdash

@Suite("Rows that become other tasks while they run", .timeLimit(.minutes(1)))
struct ChangingTests {
    /// Collects the complaints that every window shows.
    private final class ComplaintObserver: TransferObserver {
        let interest = Interest(showsRows: true, takesCommands: true)
        private let sentences = Monitor<[String]>([])

        func receive(_ notice: TransferNotice) {
            if case .complaint(let sentence) = notice { sentences.change { $0.append(sentence.string) } }
        }

        func next() -> String? {
            sentences.wait(timeoutMilliseconds: 20_000) { !$0.isEmpty }
            return sentences.withLock { $0.first }
        }
    }

    private let fixture: BridgeFixture
    private var server: LoopbackServer { fixture.server }
    private var observer: EffectsObserver { fixture.observer }
    private var bridge: LocalService { fixture.bridge }
    private let gate: Gate
    private let complaints = ComplaintObserver()
    private static let content = DeterministicContent(seed: 3, count: 4_000_000)
    /// With a date, without which another URL's file is no proven continuation.
    private static let complete: Behaviour = {
        var resource = ServedResource(seed: 3, count: 4_000_000)
        resource.lastModified = 1_000_000_000
        return .resource(resource)
    }()

    init() throws {
        fixture = try BridgeFixture {
            $0.retries = 0
            $0.maximumConcurrent = 1
        }
        gate = try fixture.server.gate(named: "half")
        fixture.bridge.observe(complaints)
    }

    private func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: fixture.folder.path + "/" + name).map { [UInt8]($0) }
    }

    private func job(_ key: String, paused: Bool = false) -> Job {
        var job = fixture.job(.download, "/f.bin")
        job.headers = ["X-Key": key]
        job.startsPaused = paused
        return job
    }

    private func keys(of path: String = "/f.bin") -> [String] {
        server.requests(for: path).map { $0.header("X-Key") ?? "" }
    }

    /// Starts a download that stands still in the middle.
    private func start() throws {
        server.setRoute("/f.bin", .sequence([Self.complete.stalling(after: 2_000_000, until: gate), Self.complete]))
        bridge.add([fixture.job(.download, "/f.bin")])
        try #require(gate.waitForArrivals())
        // Sent is not received, and of a few bytes there is no end to compare with another URL's.
        try #require(observer.wait { _ in (bridge.figures(of: [1]).first?.received ?? 0) >= 1_000_000 })
    }

    private var states: [RowState] { bridge.allSnapshots.map(\.state) }

    @Test("A running row is stopped and becomes the other task with its bytes; its end is none that is told")
    func running() throws {
        defer { fixture.end() }
        try start()
        #expect(bridge.send(.replace(1, with: job("a"))) == CommandReply(added: [1]))
        try #require(observer.waitForEnds())
        gate.release()
        #expect(observer.events.filter(\.isEnd).map(\.name) == ["completed"])
        #expect(states == [.done] && bridge.isIdle)
        #expect(keys() == ["", "a"] && server.requests.last?.header("Range") != nil)
        #expect(bytes(of: "f.bin") == Self.content.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["f.bin"])
    }

    @Test("Of two edits at one moment the last one wins, and no third task runs")
    func twice() throws {
        defer { fixture.end() }
        try start()
        holdEvents { bridge in
            for key in ["a", "b"] { #expect(bridge.send(.replace(1, with: job(key))).refusals.isEmpty) }
        }
        try #require(observer.waitForEnds())
        gate.release()
        #expect(keys().last == "b" && bridge.job(of: 1)?.headers["X-Key"] == "b")
        #expect(states == [.done] && bytes(of: "f.bin") == Self.content.bytes)
    }

    @Test("Many edits from two sides leave one row with the last job, and the right file")
    func manyTimes() throws {
        defer { fixture.end() }
        try start()
        // Only what was edited last comes to its end, however long the edits take.
        let waiting = Self.complete.waiting(for: try server.gate(named: "edited"))
        server.setRoute("/f.bin", .choosing { $0.header("X-Key") == "last" ? Self.complete : waiting })
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            for number in 1...20 { bridge.send(.replace(1, with: job("\(side)-\(number)"))) }
        }
        bridge.send(.replace(1, with: job("last")))
        try #require(observer.wait { _ in keys().last == "last" && states == [.done] && bridge.isIdle })
        gate.release()
        #expect(bytes(of: "f.bin") == Self.content.bytes && bridge.job(of: 1)?.headers["X-Key"] == "last")
    }

    @Test("A refused change is told and changes nothing: the row goes on without a further request")
    func refused() throws {
        defer { fixture.end() }
        try start()
        bridge.add([fixture.job(.download, "/g")])
        var taken = fixture.job(.download, "/g")
        taken.headers = ["X-Key": "a"]
        var masked = job("a")
        masked.options = [JobOption.Value(.user, "me:***")]
        var unreadable = Job(kind: .upload, url: server.url("/up"), body: .file(path: "/nowhere/at/all"))
        unreadable.headers = ["X-Key": "a"]
        let reasons = [
            (taken, ServiceErrors.pathTaken), (masked, ServiceErrors.secretsNotSaved("--user")),
            (unreadable, LocalEndpoints.problem(withReading: "/nowhere/at/all")),
        ]
        for (job, reason) in reasons {
            let reply = bridge.send(.replace(1, with: job))
            #expect(reply.refusals.map(\.reason.string) == [reason ?? "?"] && reply.added.isEmpty)
        }
        #expect(states.first == .running && observer.events.allSatisfy { $0.id != 1 || !$0.isEnd })
        gate.release()
        try #require(observer.waitForEnds(2))
        #expect(keys() == [""] && bytes(of: "f.bin") == Self.content.bytes)
    }

    @Test("A change of a row that is gone is refused, and adds none")
    func gone() throws {
        defer { fixture.end() }
        let reply = bridge.send(.replace(7, with: job("a")))
        #expect(reply.refusals.map(\.reason) == [ServiceErrors.noTask(7)] && bridge.allSnapshots.isEmpty)
    }

    @Test("A row that waits becomes the other task before it has made a request")
    func waiting() throws {
        defer { fixture.end() }
        try start()
        server.setRoute("/g", .file(count: 1000))
        bridge.add([fixture.job(.download, "/h")])
        bridge.send(.replace(2, with: fixture.job(.download, "/g")))
        gate.release()
        try #require(observer.waitForEnds(2))
        #expect(states == [.done, .done] && server.requests(for: "/h").isEmpty && bytes(of: "g")?.count == 1000)
    }

    @Test(
        "A paused row stays paused as the other task, and a pause during the change counts", arguments: [true, false])
    func paused(before: Bool) throws {
        defer { fixture.end() }
        try start()
        if before {
            bridge.send(.pause([1]))
            try #require(observer.wait { $0.contains { $0.what == .paused } })
        }
        holdEvents { bridge in
            bridge.send(.replace(1, with: job("a", paused: before)))
            if !before { bridge.send(.pause([1])) }
        }
        try #require(observer.wait { _ in bridge.job(of: 1)?.headers["X-Key"] == "a" && states == [.paused] })
        #expect(keys() == [""])
        bridge.send(.resume([1]))
        try #require(observer.waitForEnds())
        gate.release()
        #expect(keys() == ["", "a"] && bytes(of: "f.bin") == Self.content.bytes)
    }

    @Test("A cancel after a change ends the row as it was, which is told")
    func cancelled() throws {
        defer { fixture.end() }
        try start()
        holdEvents { bridge in
            bridge.send(.replace(1, with: job("a")))
            bridge.send(.cancel([1], deletingParts: false))
        }
        try #require(observer.waitForEnds())
        #expect(states == [.cancelled] && bridge.job(of: 1)?.headers.isEmpty == true)
        let notice = TransferEvent.What.notice(ServiceLines.changeDropped)
        #expect(observer.events.contains { $0.what == notice })
        gate.release()
        holdEvents { bridge in
            bridge.send(.resume([1]))
            bridge.send(.pause([1]))
        }
        #expect(states == [.paused] && keys() == [""])
    }

    @Test("A resume and a pause during a cancellation leave the row paused")
    func resumedAndPaused() throws {
        defer { fixture.end() }
        try start()
        holdEvents { bridge in
            bridge.send(.cancel([1], deletingParts: false))
            bridge.send(.resume([1]))
            bridge.send(.pause([1]))
        }
        try #require(observer.waitForEnds())
        try #require(observer.wait { _ in states == [.paused] })
        gate.release()
        #expect(bridge.figures(of: [1]).first?.received ?? 0 > 0)
    }

    /// Does something while no event of a task is handled.
    private func holdEvents(_ body: (LocalService) -> Void) {
        let (isHeld, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        bridge.manager.operationQueue.addOperation {
            isHeld.signal()
            goesOn.wait()
        }
        isHeld.wait()
        body(bridge)
        goesOn.signal()
    }

    @Test("A task that is completed first keeps its file, and every client is told")
    func completedFirst() throws {
        defer { fixture.end() }
        try start()
        holdEvents { bridge in
            gate.release()
            let task = bridge.row(1)?.run.task
            while task?.status.phase != .completed { sched_yield() }
            #expect(bridge.send(.replace(1, with: job("a"))).refusals.isEmpty)
        }
        #expect(complaints.next() == "f.bin: " + ServiceErrors.doneNotEdited)
        #expect(states == [.done] && keys() == [""] && bytes(of: "f.bin") == Self.content.bytes)
    }

    // MARK: Another URL, another place

    @Test("A running download goes on from another URL, and at another place, with its bytes")
    func elsewhere() throws {
        defer { fixture.end() }
        try start()
        server.setRoute("/other", Self.complete)
        #expect(try bridge.changeURL(of: 1, to: server.url("/other")).get() == nil)
        try #require(observer.waitForEnds())
        gate.release()
        #expect(server.requests(for: "/other").map { $0.header("Range") != nil } == [true])
        #expect(states == [.done] && bytes(of: "f.bin") == Self.content.bytes)
    }

    @Test(
        "The part of a running download moves, and it goes on there; a paused one waits there",
        arguments: [true, false])
    func moved(isPaused: Bool) throws {
        defer { fixture.end() }
        try start()
        if isPaused {
            bridge.send(.pause([1]))
            try #require(observer.wait { $0.contains { $0.what == .paused } })
        }
        #expect(try bridge.moveFile(of: 1, to: "sub/g.bin").get() == nil)
        if isPaused {
            try #require(
                observer.wait { _ in bridge.snapshots(of: [1]).first?.path?.string.hasSuffix("g.bin") == true })
            try #require(observer.wait { _ in states == [.paused] })
            #expect(keys().count == 1)
            bridge.send(.resume([1]))
        }
        try #require(observer.waitForEnds())
        gate.release()
        #expect(server.requests.last?.header("Range") != nil && bytes(of: "sub/g.bin") == Self.content.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["sub"])
    }

    @Test("A move that fails once the download was stopped is told, and the download goes on where it was")
    func failedMove() throws {
        defer { fixture.end() }
        try start()
        #expect(try bridge.moveFile(of: 1, to: "/proc/no/such/g.bin").get() == nil)
        #expect(complaints.next()?.hasSuffix("task continues as before") == true)
        try #require(observer.waitForEnds())
        gate.release()
        #expect(states == [.done] && bytes(of: "f.bin") == Self.content.bytes)
    }

    @Test(
        "The part of another URL's file that the new URL has refuted is left, whatever is changed then",
        arguments: [true, false])
    func refuted(isMoved: Bool) throws {
        defer { fixture.end() }
        try start()
        let second = try server.gate(named: "second")
        var other = ServedResource(seed: 4, count: 4_000_000)
        other.lastModified = 1_000_000_000
        server.setRoute(
            "/other", .sequence([.resource(other).stalling(after: 500_000, until: second), .resource(other)]))
        #expect(try bridge.changeURL(of: 1, to: server.url("/other")).get() == nil)
        try #require(second.waitForArrivals())
        try #require(
            observer.wait { events in
                events.contains { if case .restarted = $0.what { true } else { false } }
                    && (1...500_000).contains(bridge.figures(of: [1]).first?.received ?? 0)
            })
        if isMoved {
            #expect(try bridge.moveFile(of: 1, to: "sub/g.bin").get() == nil)
        } else {
            var edited = try #require(bridge.jobs(of: [1]).first)
            edited.directory = fixture.folder.path + "/sub"
            edited.output = .name("g.bin")
            bridge.send(.replace(1, with: edited))
        }
        try #require(observer.waitForEnds())
        gate.release()
        second.release()
        let conditions = server.requests(for: "/other").map { $0.header("If-Range") }
        #expect(conditions == ["\"3-4000000\"", "\"4-4000000\""], "the new file goes on from its own bytes")
        #expect(bytes(of: "sub/g.bin") == DeterministicContent(seed: 4, count: 4_000_000).bytes)
    }

    @Test("Settings that are changed while a task moves to another URL take its bytes along")
    func settingsAfterURL() throws {
        defer { fixture.end() }
        try start()
        server.setRoute("/other", Self.complete)
        holdEvents { bridge in
            _ = bridge.changeURL(of: 1, to: server.url("/other"))
            var edited = bridge.jobToBe(of: 1) ?? job("a")
            edited.headers = ["X-Key": "a"]
            #expect(bridge.send(.replace(1, with: edited)).refusals.isEmpty)
        }
        try #require(observer.waitForEnds())
        gate.release()
        #expect(server.requests(for: "/other").map { $0.header("Range") != nil } == [true])
        #expect(keys(of: "/other") == ["a"] && bytes(of: "f.bin") == Self.content.bytes)
    }

    @Test("A task that is edited to another folder takes its part along")
    func editedFolder() throws {
        defer { fixture.end() }
        try start()
        var edited = job("a")
        edited.directory = fixture.folder.path + "/sub"
        bridge.send(.replace(1, with: edited))
        try #require(observer.waitForEnds())
        gate.release()
        #expect(keys() == ["", "a"] && server.requests.last?.header("Range") != nil)
        #expect(bytes(of: "sub/f.bin") == Self.content.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["sub"])
    }

    // MARK: The end of the program

    @Test("A change that has begun when the program ends is in the saved session")
    func savedChange() throws {
        let saved = try SavedSessionFixture()
        defer { saved.end() }
        let half = try saved.server.gate(named: "half")
        saved.server.setRoute("/f.bin", Self.complete.stalling(after: 2_000_000, until: half))
        let first = try saved.run(EffectsObserver())
        let plain = Job(kind: .download, url: saved.server.url("/f.bin"))
        let id = try #require(first.send(.add([plain])).added.first)
        try #require(half.waitForArrivals())
        var edited = plain
        edited.headers = ["X-Version": "2"]
        first.send(.replace(id, with: edited))
        _ = first.close()
        half.release()
        saved.server.setRoute("/f.bin", Self.complete)
        let watcher = EffectsObserver()
        let second = try saved.run(watcher)
        defer { _ = second.close() }
        // The rest of the file may have come before the first run has ended.
        if second.snapshots(of: [id]).first?.state != .done { try #require(watcher.waitForEnds()) }
        #expect(second.snapshots(of: [id]).map(\.state) == [.done])
        #expect(saved.server.requests.last?.header("X-Version") == "2")
    }
}
