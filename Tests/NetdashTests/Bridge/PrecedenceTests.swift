import Foundation
import LoopbackServer
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
@testable import TransferValues
@testable import netdash

/// Tasks that wait for others: the names of lists, the decision, and rows that wait, begin and fail.
@Suite("Tasks after others", .timeLimit(.minutes(1)))
struct PrecedenceTests {
    // MARK: - Lists

    private func jobs(_ text: String) throws -> [Job] {
        try InputListParser.jobs(in: Array(text.utf8), name: "l", defaults: Job(kind: .download, url: "")).get()
    }

    @Test("A list of each format has names and predecessors, and the line of the form too")
    func formats() throws {
        let texts = [
            "http://h/a\n id=a\nhttp://h/b\n id=b\n after=a, c\n after=a\n",
            "url,id,after\nhttp://h/a,a,\nhttp://h/b,b,\"a,c\"\n",
            #"{"url": "http://h/a", "id": "a"}"# + "\n" + #"{"url": "http://h/b", "id": "b", "after": ["a", "c"]}"#,
        ]
        for text in texts {
            let jobs = try jobs(text)
            #expect(jobs.map(\.taskName) == ["a", "b"] && jobs.map(\.predecessors) == [[], ["a", "c"]])
            let line = OptionLine.text(of: jobs[1], defaults: Job(kind: .download, url: ""))
            #expect(line == "id=b; after=a,c")
            var job = jobs[1]
            try OptionLine("after=x").set(on: &job, defaults: Job(kind: .download, url: ""))
            #expect(job.taskName == nil && job.predecessors == ["x"])
        }
        for wrong in ["id=", "id=a,b", "after=", "after=a,,b", "id=" + String(repeating: "n", count: 101)] {
            #expect(throws: UsageError.self) { try jobs("http://h/a\n \(wrong)\n") }
        }
        var plain = try jobs("http://h/a\n id=a\n")[0]
        plain.taskName = nil
        #expect(plain.precedence == nil)
    }

    /// Tasks as `name<predecessor,predecessor`, and what is wrong with them.
    @Test(
        "Names are each given once, known, and in no circle",
        arguments: [
            ("a b<a c<a,b", nil), ("b<a a", nil), ("<a a", nil), ("a a", "2 " + QueueUsage.nameTwice("a", "1")),
            ("a b<a,x", "2 " + QueueUsage.noName("x")), ("a<a", "1 " + QueueUsage.circle("a → a")),
            ("x a<b,x b<c c<a", "2 " + QueueUsage.circle("a → b → c → a")),
            ("a<b b<d c<b d<c", "2 " + QueueUsage.circle("b → d → c → b")), ("a b<a c<a d<b,c", nil),
        ] as [(String, String?)])
    func check(tasks: String, problem: String?) {
        #expect(Self.problem(in: tasks) == problem)
    }

    private static func problem(in tasks: String) -> String? {
        var check = PrecedenceCheck()
        do throws(PrecedenceCheck.Problem) {
            for (index, task) in tasks.split(separator: " ").enumerated() {
                let parts = task.split(separator: "<", omittingEmptySubsequences: false)
                let after = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
                let name = parts[0].isEmpty ? nil : String(parts[0])
                try check.add(Precedence(name: name, after: after), label: String(index + 1))
            }
            try check.finish()
            return nil
        } catch {
            return error.label + " " + error.sentence
        }
    }

    @Test("A chain of many tasks is no circle, and needs no deep stack")
    func chain() {
        let tasks = (1..<50_000).map { "t\($0)<t\($0 - 1)" }.reversed()
        #expect(Self.problem(in: (Array(tasks) + ["t0"]).joined(separator: " ")) == nil)
    }

    @Test("In a list that is still arriving only names above are known, and a wrong job fails alone")
    func arriving() {
        var list = ArrivingList(defaults: Job(kind: .download, url: ""))
        let text = "http://h/a\n id=a\nhttp://h/b\n after=a\nhttp://h/c\n after=d\nhttp://h/d\n id=a\nhttp://h/e\n"
        let entries = list.add(Array(text.utf8)) + list.add([])
        let problems = entries.map { entry -> String? in
            guard case .failure(_, let error) = entry else { return nil }
            return error.message
        }
        #expect(
            problems == [
                nil, nil, "standard input:6: " + QueueUsage.noNameAbove("d"),
                "standard input:8: " + QueueUsage.nameTwice("a", "standard input:2"), nil,
            ])
    }

    // MARK: - The decision

    @Test(
        "A failed predecessor counts before one that runs, and one that was removed does not count",
        arguments: [
            ([], .begins), ([.completed, .completed], .begins), ([.completed, .gone], .begins),
            ([.completed, .unfinished], .waits(for: "1")), ([.unfinished, .unfinished], .waits(for: "0")),
            ([.unfinished, .failed], .fails(PredecessorLines.predecessorFailed("1"))),
            ([.cancelled], .fails(PredecessorLines.predecessorCancelled("0"))),
            ([.gone, .unknown], .fails(PredecessorLines.noPredecessor("1"))),
        ] as [([Precedence.Predecessor], Precedence.Verdict)])
    func verdicts(states: [Precedence.Predecessor], verdict: Precedence.Verdict) {
        #expect(Precedence.verdict(states.enumerated().map { (String($0), $1) }) == verdict)
    }

    @Test("The board holds a task until its names have rows that are completed, and lets go what its user starts")
    func board() {
        var board = PrecedenceBoard()
        var states: [UInt64: Precedence.Predecessor] = [:]
        func judge() -> [PrecedenceBoard.Judgement] {
            defer { board.endJudging() }
            return board.judge { (states[$0] ?? .gone, true) }
        }
        func enter(_ id: UInt64, _ precedence: Precedence, isEarlier: Bool = false) -> Bool {
            board.enter(id, precedence, isEarlier: isEarlier)
        }
        let after = Precedence(after: ["a", "b"], list: 7)
        #expect(!enter(3, after) && board.hasDue)
        #expect(judge() == [.init(id: 3, verdict: .waits(for: "a"), wasTold: false)])
        (states[1], states[2]) = (.unfinished, .unfinished)
        board.name(1, Precedence(name: "a", list: 7))
        #expect(judge() == [])
        // Another list has used the name since.
        board.name(9, Precedence(name: "a", list: 8))
        board.name(2, Precedence(name: "b", list: 7))
        states[1] = .completed
        board.ended(1)
        #expect(judge() == [.init(id: 3, verdict: .waits(for: "b"), wasTold: true)])
        #expect(board.awaited(by: 3) == "b")
        states[2] = .completed
        board.ended(2)
        #expect(judge() == [.init(id: 3, verdict: .begins, wasTold: true)])
        #expect(enter(3, after) && board.isEmpty)
        // A retry is judged again.
        board.ended(3)
        states[2] = .failed
        #expect(!enter(3, after))
        let failed = PredecessorLines.predecessorFailed("b")
        #expect(judge() == [.init(id: 3, verdict: .fails(failed), wasTold: false)])

        #expect(!enter(4, Precedence(after: ["x"], list: 7), isEarlier: true))
        #expect(!enter(5, Precedence(after: ["x"])))
        #expect(!enter(6, Precedence(after: ["x"], list: 7)))
        #expect(
            judge().map(\.verdict) == [.begins, .fails(PredecessorLines.noPredecessor("x")), .waits(for: "x")])
        board.free(6)
        #expect(enter(6, Precedence(after: ["x"], list: 7)) && board.isEmpty)
    }

    // MARK: - Rows

    private func job(_ fixture: BridgeFixture, _ path: String, _ name: String?, _ after: String...) -> Job {
        var job = fixture.job(.download, path)
        job.precedence = Precedence(name: name, after: after, list: 1)
        return job
    }

    @Test("Rows begin when all that they wait for are completed, whatever their order, and say what they wait for")
    func order() throws {
        let fixture = try BridgeFixture { _ in }
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        let gate = try server.gate(named: "slow")
        server.setRoute("/a", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        for name in ["/b", "/c", "/d"] { server.setRoute(name, .file(seed: 2, count: 10)) }
        let ids = bridge.add([
            job(fixture, "/c", nil, "b", "a"), job(fixture, "/b", "b", "a"), job(fixture, "/a", "a"),
            job(fixture, "/d", "d"),
        ]).added
        try #require(gate.waitForArrivals() && fixture.observer.waitForEnds(1))
        let waiting = bridge.snapshots(of: ids)
        #expect(waiting.map(\.state) == [.queued, .queued, .running, .done])
        #expect(waiting.map(\.error) == ["queued after b", "queued after a", nil, nil])
        #expect(bridge.figures(of: ids).map { $0.opening == .afterOthers } == [true, true, false, false])
        gate.release()
        try #require(fixture.observer.waitForEnds(4))
        let ends = fixture.observer.events.filter(\.isEnd).map(\.id)
        #expect(ends == [ids[3], ids[2], ids[1], ids[0]])
        #expect(server.requests.map { $0.path } == ["/a", "/d", "/b", "/c"] || server.requests.count == 4)
    }

    @Test("Where a predecessor fails, all that follow fail at once, and go when it is retried with them")
    func failure() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        server.setRoute("/a", .respond(ScriptedResponse(404)))
        for name in ["/b", "/c"] { server.setRoute(name, .file(seed: 2, count: 10)) }
        let ids = bridge.add([
            job(fixture, "/c", "c", "b"), job(fixture, "/b", "b", "a"), job(fixture, "/a", "a"),
        ]).added
        try #require(fixture.observer.waitForEnds(3))
        #expect(bridge.snapshots(of: ids).map(\.state) == [.failed, .failed, .failed])
        #expect(bridge.figures(of: ids).map(\.cause) == [.predecessor, .predecessor, .http])
        #expect(
            bridge.snapshots(of: ids).prefix(2).map { $0.error?.string } == [
                PredecessorLines.predecessorFailed("b"), PredecessorLines.predecessorFailed("a"),
            ])
        #expect(server.requestCount == 1)

        // Alone it fails again; with its predecessors it goes.
        bridge.send(.resume([ids[0]]))
        try #require(fixture.observer.waitForEnds(4))
        #expect(bridge.snapshots(of: ids).map(\.state) == [.failed, .failed, .failed])
        server.setRoute("/a", .file(seed: 1, count: 10))
        bridge.send(.resume(ids))
        try #require(fixture.observer.waitForEnds(7))
        #expect(bridge.snapshots(of: ids).map(\.state) == [.done, .done, .done])
    }

    @Test("A cancelled predecessor fails its followers; a key starts one all the same, and a pause outlasts it")
    func commands() throws {
        let fixture = try BridgeFixture { _ in }
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        let gate = try server.gate(named: "slow")
        server.setRoute("/a", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        for name in ["/b", "/c", "/d"] { server.setRoute(name, .file(seed: 2, count: 10)) }
        let ids = bridge.add([
            job(fixture, "/a", "a"), job(fixture, "/b", nil, "a"), job(fixture, "/c", nil, "a"),
            job(fixture, "/d", nil, "a"),
        ]).added
        try #require(gate.waitForArrivals())
        bridge.send(.startNow([ids[1]]))
        try #require(fixture.observer.waitForEnds(1))
        bridge.send(.pause([ids[2]]))
        bridge.send(.cancel([ids[0]], deletingParts: true))
        try #require(fixture.observer.waitForEnds(3))
        #expect(bridge.figures(of: ids).map(\.state) == [.cancelled, .done, .paused, .failed])
        #expect(bridge.snapshots(of: [ids[3]])[0].error?.string == PredecessorLines.predecessorCancelled("a"))
        bridge.send(.resume([ids[2]]))
        try #require(fixture.observer.waitForEnds(4))
        #expect(bridge.figures(of: [ids[2]]).map(\.state) == [.failed])
        // What a user types has no list: its names are those of any row.
        var typed = fixture.job(.download, "/d?2")
        typed.predecessors = ["nothing"]
        _ = bridge.add([typed])
        try #require(fixture.observer.waitForEnds(5))
        gate.release()
    }

    @Test("A run without a user does not wait for the followers of a paused task, and names them")
    func parked() throws {
        let fixture = try BridgeFixture(takesCommands: false) { _ in }
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        let gate = try server.gate(named: "slow")
        server.setRoute("/b", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        var paused = job(fixture, "/a", "a")
        paused.startsPaused = true
        let ids = bridge.add([
            paused, job(fixture, "/b", "b"), job(fixture, "/c", "c", "b", "a"), job(fixture, "/d", nil, "c"),
            job(fixture, "/e", nil, "a", "b"),
        ]).added
        try #require(gate.waitForArrivals())
        #expect(!bridge.isIdle && !bridge.isAtRest)
        gate.release()
        try #require(fixture.observer.wait { _ in bridge.isIdle })
        #expect(bridge.isIdle && bridge.isAtRest)
        #expect(bridge.figures(of: ids).map(\.state) == [.paused, .done, .queued, .queued, .queued])
        #expect(bridge.undone.map(\.id) == [ids[0], ids[2], ids[3], ids[4]])
        #expect(bridge.undone.map(\.predecessor) == [nil, "a", "c", "a"])
    }

    @Test("A service whose tasks wait for one that its user paused is at rest")
    func atRest() throws {
        let fixture = try BridgeFixture { _ in }
        let (bridge, server) = (fixture.bridge, fixture.server)
        defer { fixture.end() }
        let gate = try server.gate(named: "slow")
        server.setRoute("/a", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        let ids = bridge.add([job(fixture, "/a", "a"), job(fixture, "/b", nil, "a")]).added
        try #require(gate.waitForArrivals())
        #expect(!bridge.isAtRest)
        bridge.send(.pause([ids[0]]))
        try #require(fixture.observer.wait { _ in bridge.isAtRest })
        #expect(!bridge.isIdle)
        bridge.send(.resume([ids[0]]))
        #expect(fixture.observer.wait { _ in !bridge.isAtRest })
        gate.release()
    }

    @Test("A long chain that fails needs no deep stack")
    func longChain() throws {
        let fixture = try BridgeFixture { $0.retries = 0 }
        defer { fixture.end() }
        let count = 2_000
        let jobs = (0..<count).map { job(fixture, "/n\($0)", "n\($0)", $0 == 0 ? "x" : "n\($0 - 1)") }
        _ = fixture.bridge.add([job(fixture, "/missing", "x")] + jobs)
        try #require(fixture.observer.waitForEnds(count + 1))
    }

    @Test("A saved session goes on waiting in the next run, also for what was completed and removed")
    func saved() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "slow")
        fixture.server.setRoute("/a", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        for name in ["/b", "/done"] { fixture.server.setRoute(name, .file(seed: 2, count: 10)) }
        var jobs = ["/done", "/b", "/a"].map { Job(kind: .download, url: fixture.server.url($0)) }
        jobs[0].precedence = Precedence(name: "done", list: 5)
        jobs[1].precedence = Precedence(after: ["a", "done"], list: 5)
        jobs[2].precedence = Precedence(name: "a", list: 5)
        let first = try fixture.run(EffectsObserver(showsRows: false))
        let ids = first.add(jobs).added
        try #require(gate.waitForArrivals())
        first.send(.clear([ids[0]]))
        _ = first.close()
        gate.release()

        let observer = EffectsObserver()
        let second = try fixture.run(observer)
        try #require(observer.waitForEnds(2))
        #expect(second.figures(of: [ids[1], ids[2]]).map(\.state) == [.done, .done])
        #expect(observer.events.filter(\.isEnd).map(\.id) == [ids[2], ids[1]])
        _ = second.close()
    }

    @Test("A task whose predecessor the session lacks waits for it in the next run, unless that was completed")
    func lost() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let gate = try fixture.server.gate(named: "slow")
        for name in ["/done", "/b"] { fixture.server.setRoute(name, .file(seed: 2, count: 10)) }
        fixture.server.setRoute("/in", .file(seed: 1, count: 400_000).stalling(after: 200_000, until: gate))
        func job(_ path: String, _ kind: Job.Kind, _ name: String?, after: [String] = []) -> Job {
            var job = Job(kind: kind, url: fixture.server.url(path))
            job.precedence = Precedence(name: name, after: after, list: 5)
            if kind == .data { job.output = .name(fixture.folder.path + path + ".body") }
            return job
        }
        let first = try fixture.run(EffectsObserver(showsRows: false))
        let jobs = [
            job("/done", .data, "done"), job("/b", .download, nil, after: ["done", "in"]), job("/in", .data, "in"),
        ]
        let id = first.add(jobs).added[1]
        try #require(gate.waitForArrivals())
        func unsaved() throws -> [String]? {
            try fixture.stored(by: first).first.flatMap { SavedJob.kept($0.annotation)?.precedence?.unsaved }
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while try unsaved() != ["in"], ContinuousClock.now < deadline { first.waitForDelivery() }
        #expect(try unsaved() == ["in"])
        _ = first.close()
        gate.release()

        let observer = EffectsObserver()
        let second = try fixture.run(observer)
        let row = try #require(second.allSnapshots.first)
        #expect(row.id == id && row.state == .queued)
        #expect(row.error?.string == QueueLines.waits(forLost: "in"))
        #expect(second.isIdle)
        var again = job("/in", .data, "in")
        again.precedence?.list = 6
        second.add([again])
        try #require(observer.waitForEnds(2))
        #expect(second.figures(of: [id]).map(\.state) == [.done])
        _ = second.close()
    }

    @Test("A failure for a predecessor is told as such in the next run, and a list of failures has only its own names")
    func written() throws {
        let manager = TaskFactory(manager: SessionManager(), directory: nil, printsBodies: false)
        var row = TransferRow(id: 7, job: try jobs("http://h/b\n after=a\n id=b\n")[0])
        #expect(TransferRow(restoring: row.stored(by: manager)).job.precedence == row.job.precedence)
        row.run.result = .failed(TransferFailure(kind: "predecessor", category: .ordinary, message: "m"))
        let restored = TransferRow(restoring: row.stored(by: manager))
        #expect(restored.figures(retryLimit: 0).cause == .predecessor)

        let all = "http://h/a\n id=a\nhttp://h/b\n id=b\n after=a\nhttp://h/c\n after=b,a\nhttp://h/d?token=x\n id=d\n"
        let failed = Array(try jobs(all + "http://h/e\n after=d,b\n").dropFirst())
        let text = FailedList.text(of: failed)
        #expect(try jobs(text).map(\.predecessors) == [[], ["b"], ["b"]])
        #expect(Self.problem(of: try jobs(text)) == nil)
        var piped = Job(kind: .upload, url: "http://h/p", body: .standardInput)
        piped.taskName = "p"
        let list = FailedList.text(of: [piped] + (try jobs("http://h/e\n after=p\nhttp://h/p\n id=p\n")).prefix(1))
        #expect(list.hasPrefix(ServiceLines.leftOutUpload("http://h/p") + "\n"))
        #expect(try jobs(list).map(\.url) == ["http://h/e"])
        #expect(try jobs(list).map(\.predecessors) == [[]])
    }

    private static func problem(of jobs: [Job]) -> String? {
        var check = PrecedenceCheck()
        do throws(PrecedenceCheck.Problem) {
            for job in jobs { try check.add(job.precedence, label: job.url) }
            try check.finish()
            return nil
        } catch {
            return error.sentence
        }
    }
}
