import Foundation
import ServiceWire
import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// A window program, seen through its socket as a dashboard sees it.
@Suite("Windows", needsServer, .timeLimit(.minutes(10)))
struct WindowTests {
    private let test: TestQueue
    private let queue: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
    }

    private func add(_ jobs: Int, hosts: Int = 3) throws {
        try queue.add(text: (0..<jobs).map { "http://h\($0 % hosts)/f\($0)" }.joined(separator: "\n"))
    }

    private func set(_ columns: String, where condition: String) throws {
        try queue.connection.run("UPDATE netdash.job SET \(columns) WHERE \(condition)")
    }

    /// A condition that one dashboard's word has.
    private func filter(_ terms: RowRequest.Condition...) -> (inout RowRequest) -> Void {
        { $0.groups = [terms.map { RowRequest.Term($0) }] }
    }

    @Test("Rows, filters, orders, groups and counts are the queue's")
    func selection() throws {
        try add(30)
        try set("state = 'done', ended = now(), received = id * 10, total = id * 10", where: "id <= 10")
        try set("state = 'dead', cause = 'status 404', ended = now()", where: "id = 11")
        try set("state = 'paused', priority = 2", where: "id = 12")
        try set("not_before = now() + interval '1 hour', attempts = 2, cause = 'connection reset'", where: "id = 13")
        let window = try TestWindow(test)
        try eventually("it has counted") { try window.count(.done) == 10 }
        let all = try window.matches(RowRequest(limit: 5))
        #expect(all.rows.map(\.name.string) == ["f12", "f13", "f14", "f15", "f16"])
        #expect(all.rows.first?.state == .retrying && all.rows.first?.cause == .connectionLost)
        #expect(all.totals.count == 30 && all.totals.matching == 30 && all.totals.problem == nil)
        let states = Dictionary(uniqueKeysWithValues: all.totals.cells.map { ($0.state, $0.count) })
        #expect(states == [.retrying: 1, .queued: 17, .paused: 1, .failed: 1, .done: 10])
        #expect(all.totals.hosts.map(\.title.string) == ["h0", "h1", "h2"])
        #expect(all.totals.hosts.allSatisfy { $0.cells.reduce(0) { $0 + $1.count } == 10 })

        #expect(try window.names(filter(.states([.failed]))) == ["f10"])
        #expect(try window.names(filter(.error("404", []))) == ["f10"])
        #expect(try window.names(filter(.error("http", [.http]))) == ["f10"])
        #expect(try window.names(filter(.host("h2"), .states([.done]))) == ["f2", "f5", "f8"])
        #expect(try window.names(filter(.text("F29"), .kinds([.download]))) == [])
        #expect(try window.names(filter(.text("f29"), .kinds([.download]))) == ["f29"])
        #expect(try window.names(filter(.pattern("f(3|27)$"))) == ["f27", "f3"])
        #expect(
            try window.names(filter(.range(.size, lower: RowRequest.Bound(value: 90, isIncluded: true), upper: nil)))
                == ["f8", "f9"])
        // Nobody knows how small the others are.
        #expect(
            try window.names(filter(.range(.size, lower: nil, upper: RowRequest.Bound(value: 30, isIncluded: true))))
                == ["f0", "f1", "f2"])
        #expect(
            try window.names(
                filter(.range(.progress, lower: RowRequest.Bound(value: 50, isIncluded: true), upper: nil))
            ).count == 10)
        #expect(
            try window.names {
                $0.orders = [RowRequest.Order(.name)]; $0.limit = 3
            } == ["f0", "f1", "f10"])
        #expect(
            try window.names {
                $0.orders = [RowRequest.Order(.size)]; $0.limit = 2
            } == ["f9", "f8"])
        #expect(
            try window.names {
                $0.orders = [RowRequest.Order(.added, isInverted: true)]; $0.limit = 2
            } == ["f29", "f28"])
        #expect(
            try window.names {
                $0.orders = [RowRequest.Order(.host, isInverted: true), RowRequest.Order(.added)]; $0.limit = 2
            } == ["f2", "f5"])
        let grouped = try window.names {
            $0.grouping = .host; $0.limit = 15
        }
        #expect(grouped.count == 15 && Set(grouped.prefix(5)).isSubset(of: Set((0..<10).map { "f\($0 * 3)" })))
        #expect(
            try window.names {
                $0.limit = 1; $0.kept = [30, 1]
            } == ["f12", "f29", "f0"])

        try set("worker = 'rack' || id % 2", where: "state = 'done'")
        #expect(try window.names(filter(.worker("rack1"))) == ["f0", "f2", "f4", "f6", "f8"])
        let byWorker = try window.matches(
            {
                var request = RowRequest(limit: 3); request.states = [.done]; request.grouping = .worker; return request
            }())
        #expect(byWorker.rows.allSatisfy { $0.worker.string.hasPrefix("rack") })
        try eventually("workers are counted") {
            try window.matches(RowRequest(limit: 0)).totals.workers.map {
                "\($0.title.string) \($0.cells.reduce(0) { $0 + $1.count })"
            } == [" 20", "rack0 5", "rack1 5"]
        }

        let pages = window.client.allSnapshots
        #expect(pages.map(\.id) == (1...30).map { UInt64($0) })
        #expect(window.client.snapshots(of: [3, 99, 1]).map(\.id) == [3, 1])
        #expect(window.client.details(of: 12)?.log.contains { $0.text.string == "priority: 2" } == true)
        #expect(window.client.counts == RunCounts(live: 18, pending: 18, isIdle: false))
        #expect(window.client.summary.completed == 10 && window.client.summary.paused == 19)
    }

    @Test("No order and no term is refused by the server, and foreign text harms nothing")
    func everyStatement() throws {
        try add(20)
        let window = try TestWindow(test)
        let texts = [
            "'; DROP TABLE netdash.job; --", "\\", "$2", "%_", "\0", "(", "[", "***:x", "a{9999}", "\u{202E}é",
        ]
        let bound = RowRequest.Bound(value: .infinity, isIncluded: false)
        for text in texts {
            for term: RowRequest.Condition in [
                .text(text), .host(text), .worker(text), .error(text, [.http, .tls]), .pattern(text),
            ] {
                let found = try window.matches(
                    {
                        var request = RowRequest(limit: 5); request.groups = [[RowRequest.Term(term)]]; return request
                    }())
                #expect(found.rows.isEmpty || found.totals.problem == nil)
            }
        }
        for column in RowRequest.Column.allCases {
            for tie in RowRequest.Column.allCases {
                for isInverted in [false, true] {
                    var request = RowRequest(limit: 5)
                    request.orders = [RowRequest.Order(column, isInverted: isInverted), RowRequest.Order(tie)]
                    #expect(try window.matches(request).rows.count == 5, "\(column), \(tie)")
                    for grouping in RowRequest.Grouping.allCases {
                        request.grouping = grouping
                        #expect(try window.matches(request).rows.count == 5, "\(column), \(tie), by \(grouping)")
                    }
                }
            }
        }
        for measure in RowRequest.Measure.allCases {
            var request = RowRequest(limit: 5)
            request.groups = [[RowRequest.Term(.range(measure, lower: nil, upper: bound))]]
            _ = try window.matches(request)
        }
        #expect(try queue.count(.waiting) == 20)
    }

    @Test("Pause, resume, cancel and priority are wishes that workers follow")
    func wishes() throws {
        try add(8, hosts: 1)
        let window = try TestWindow(test)
        let worker = try SimulatedWorker("w", on: test, slots: 2, milliseconds: 3_600_000, drains: false)
        try eventually("jobs run") { try queue.count(.running) == 3 }
        let running = try window.matches(RowRequest(limit: 3)).rows.map(\.id)
        try eventually("the window sees them") { try window.count(.running) == 3 }
        window.client.send(.pause([running[0], 8]))
        try eventually("both are paused") { try queue.count(.paused) == 2 }
        try eventually("the window has seen it") { try window.count(.paused) == 2 }
        window.client.send(.cancel([running[1], 7], deletingParts: false))
        try eventually("both are cancelled") { try queue.count(.cancelled) == 2 }
        window.client.send(.prioritise([6], by: 3))
        #expect(try queue.value("SELECT priority FROM netdash.job WHERE id = 6") == "3")
        #expect(try window.names { $0.states = [.queued, .running] }.contains("f5"))
        window.client.send(.resume([running[0], 7, 8, running[1]]))
        try eventually("none is left out") { try queue.count(.paused) + queue.count(.cancelled) == 0 }
        window.client.send(.undo(.pause([8])))
        try eventually("an undo is a wish too") {
            try queue.value("SELECT state FROM netdash.job WHERE id = 8") == "paused"
        }
        #expect(worker.process.output.isEmpty == false)
    }

    @Test("Gauges move between the beats of a worker")
    func moves() throws {
        try add(2, hosts: 1)
        let window = try TestWindow(test)
        let worker = try SimulatedWorker(
            "w", on: test, slots: 2, lease: 600, milliseconds: 3_600_000, drains: false,
            variables: ["SIMULATED_SPEED": "50000"])
        var request = RowRequest(limit: 2)
        request.states = [.running]
        try eventually("both rows move") {
            let rows = try window.matches(request).rows
            return rows.count == 2 && rows.allSatisfy { $0.received > 100_000 && $0.expected == 180_000_000 }
        }
        let bytes = try window.matches(request).totals.cells.first { $0.state == .running }?.moved ?? 0
        #expect(bytes > 200_000)
        #expect(try queue.value("SELECT max(received) FROM netdash.job") == nil, "\(worker.process.output)")
    }

    @Test("A dead job that is retried runs again")
    func retry() throws {
        try queue.add(text: "http://gone/a\nhttp://h/b")
        let window = try TestWindow(test)
        let first = try SimulatedWorker("w", on: test)
        #expect(first.process.wait() == 0)
        try eventually("one is dead") { try window.count(.failed) == 1 && window.count(.done) == 1 }
        let failed = try #require(
            try window.matches(
                {
                    var request = RowRequest(limit: 1); request.states = [.failed]; return request
                }()
            ).rows.first)
        #expect(failed.error?.string == "status 404" && failed.statusCode == 404)
        window.client.send(.resume([failed.id]))
        #expect(try queue.value("SELECT state || attempts FROM netdash.job WHERE id = \(failed.id)") == "waiting0")
    }

    @Test("A command without a meaning over a queue is refused with a sentence, and changes nothing")
    func refused() throws {
        try add(3)
        let window = try TestWindow(test)
        let complaints = Complaints(of: window.client)
        let reply = window.client.send(.clear([1, 2]))
        #expect(reply.refusals.map(\.reason) == [QueueRefusalErrors.remove, QueueRefusalErrors.remove])
        eventually("it is told") { complaints.contains(QueueRefusalErrors.remove.string) }
        // Scripts are told too, also where a command has no rows.
        let added = try #require(window.client.addAndSave([Job(kind: .download, url: "http://h/x")]))
        #expect(added.reply.refusals.map(\.reason) == [QueueRefusalErrors.add])
        let limited = window.client.send(.setDownloadRate(RateSchedule()))
        #expect(limited.refusals.map(\.reason) == [QueueRefusalErrors.limits])
        let deletion = window.client.send(.cancel([1], deletingParts: true))
        #expect(deletion.refusals.map(\.reason) == [QueueRefusalErrors.deleteParts])
        #expect(window.client.history() == .failure(FleetService.refusal(QueueRefusalErrors.history)))
        #expect(try queue.count(.waiting) == 3)
    }

    @Test("A window waits for a database that is away, says so, and comes back")
    func away() throws {
        let server = try TestServer()
        let own = try TestQueue(on: server)
        try own.open().add(text: "http://h/a\nhttp://h/b")
        let window = try TestWindow(own)
        try eventually("it has counted") { try window.count(.queued) == 2 }
        let complaints = Complaints(of: window.client)
        try server.stop()
        eventually("it says so") { complaints.contains("not available") }
        if case .success = window.client.matches(RowRequest(limit: 1)) { Issue.record("an answer without a database") }
        try server.start()
        eventually("it comes back") { complaints.areResolved(by: WindowErrors.back.string) }
        #expect(try window.names { _ in }.count == 2, "the first question has an answer")
        try own.open().add(text: "http://h/c")
        try eventually("it counts again") { try window.count(.queued) == 3 }
        window.process.send(SIGTERM)
        #expect(window.process.wait() == 0, "\(window.process.output)")
    }

    @Test("Two windows see each other's wishes, and a stopped window ends no worker")
    func two() throws {
        try add(4, hosts: 1)
        let first = try TestWindow(test)
        let second = try TestWindow(test, session: "other")
        let third = try first.another()
        let worker = try SimulatedWorker("w", on: test, slots: 1, milliseconds: 3_600_000, drains: false)
        try eventually("a job runs") { try queue.count(.running) > 0 }
        first.client.send(.pause([4]))
        try eventually("the other window sees it") { try second.count(.paused) == 1 }
        try eventually("a further client too") {
            try third.matches(RowRequest(limit: 0)).get().totals.cells.contains { $0.state == .paused }
        }
        third.leave()
        #expect(first.client.stop())
        #expect(first.process.wait() == 0, "\(first.process.output)")
        #expect(try queue.count(.running) > 0)
        #expect(try second.count(.paused) == 1)
        worker.process.send(SIGTERM)
        worker.process.send(SIGTERM)
    }

    @Test("A session that has a service already is refused")
    func inUse() throws {
        let window = try TestWindow(test)
        _ = window
        let path = (window.socket.folder as NSString).deletingLastPathComponent
        let environment = test.environment.merging(["HOME": path, "XDG_RUNTIME_DIR": path]) { $1 }
        let second = try ChildProcess(ChildProcess.path(of: "netdash-fleet"), ["window"], environment: environment)
        #expect(second.wait() == 3)
        #expect(second.output.contains(WindowLines.inUse("fleet")))
    }
}
