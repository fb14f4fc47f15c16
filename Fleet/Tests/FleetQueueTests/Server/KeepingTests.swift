import Dispatch
import Synchronization
import Testing

@testable import FleetQueue

@Suite("Adding, status, purge and export", needsServer, .timeLimit(.minutes(10)))
struct KeepingTests {
    private let test: TestQueue
    private let queue: FleetQueue

    init() throws {
        test = try TestQueue()
        queue = try test.open()
    }

    private func lines(_ format: ExportFormat, _ state: JobState? = nil) throws -> [String] {
        var lines: [String] = []
        try queue.export(format, state: state) { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines
    }

    @Test("A list that is added again adds nothing, and a destination has one URL")
    func repeated() throws {
        let list = "http://h/a\nhttp://h/b\nftp://h/c\nhttp://other/a"
        #expect(try queue.add(text: list) == AddCounts(added: 2, conflicting: 1, refused: 1))
        #expect(try queue.add(text: list) == AddCounts(known: 2, conflicting: 1, refused: 1))
        #expect(try queue.add(text: list, folder: "b") == AddCounts(added: 2, conflicting: 1, refused: 1))
    }

    @Test("A destination is free again when its job is removed or has another one")
    func freed() throws {
        let list = "http://h/a\nhttp://h/b"
        try queue.add(text: list)
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        #expect(try queue.complete([Completion(id: job.id, epoch: job.epoch, received: 1)]).count == 1)
        #expect(try queue.purge(state: "done", age: 0) == 1)
        #expect(try queue.add(text: list) == AddCounts(added: 1, known: 1))
        try queue.connection.run("UPDATE netdash.job SET dest = 'c' WHERE dest = 'b'")
        #expect(try queue.add(text: list + "\nhttp://h/c") == AddCounts(added: 1, known: 1, conflicting: 1))
        #expect(throws: FleetError.self) { try queue.connection.run("UPDATE netdash.job SET dest = 'a'") }
        try queue.connection.run("TRUNCATE netdash.job")
        #expect(try queue.add(text: list) == AddCounts(added: 2))
    }

    @Test("Two lists with the same destinations are added at once, in opposite orders")
    func addedTogether() throws {
        let outcomes = Mutex<[AddCounts?]>([])
        // Each of them has a thread of its own.
        nonisolated(unsafe) let queues = try [test.open(), test.open()]
        DispatchQueue.concurrentPerform(iterations: 2) { turn in
            var next = turn == 0 ? Array(0..<300)[...] : Array((0..<300).reversed())[...]
            let counts = try? queues[turn].add(batch: 20) {
                next.popFirst().map { .job(NewJob(url: "http://h/\($0)", host: "h", destination: "\($0)")) }
            } refuse: { _, _ in
            }
            outcomes.withLock { $0.append(counts) }
        }
        let counts = outcomes.withLock { $0 }.compactMap(\.self)
        #expect(counts.count == 2 && counts.map(\.added).reduce(0, +) == 300, "\(counts)")
        #expect(counts.map(\.known).reduce(0, +) == 300 && counts.allSatisfy { $0.conflicting == 0 }, "\(counts)")
        #expect(try queue.count(.waiting) == 300)
        #expect(try queue.value("SELECT count(*) FROM netdash.destination JOIN netdash.job USING (dest)") == "300")
    }

    @Test("A long list is added in several transactions")
    func batches() throws {
        var number = 0
        let counts = try queue.add(batch: 10) {
            number += 1
            guard number <= 25 else { return nil }
            return .job(NewJob(url: "http://h/\(number)", host: "h", destination: "\(number)"))
        } refuse: { _, _ in
        }
        #expect(counts == AddCounts(added: 25))
        #expect(try queue.count(.waiting) == 25)
    }

    @Test("Options of a job reach the worker as they were written")
    func options() throws {
        let rest = "\n  header=X-A: \\ \"b\"\n  auth=@env:A\n  checksum=md5=\(md5)"
        try queue.add(text: "http://h/a\n  out=x/\t" + rest)
        #expect(try queue.count(.waiting) == 0, "a tab in the name is refused")
        try queue.add(text: "http://h/a\n  out=x/\u{e9}\\n\"" + rest)
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        #expect(job.destination == "x/\u{e9}\\n\"" && job.checksum == "md5=" + md5)
        #expect(try JobRules.options(ofRequest: job.request) == ["header": ["X-A: \\ \"b\""], "auth": ["@env:A"]])
    }

    private let md5 = String(repeating: "0", count: 32)

    @Test("The status counts states, hosts and causes")
    func status() throws {
        try queue.add(text: "http://h/a\nhttp://h/b\nhttp://i/c")
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        try queue.fail([Failure(id: job.id, epoch: job.epoch, cause: "status 404", isFinal: true)])
        _ = try queue.beat([], for: worker("w"), stats: WorkerStats())
        #expect(try queue.status().workers.map(\.running) == [0], "a killed worker's jobs are other workers'")
        #expect(try queue.claim(4, for: worker("w")).count == 2)
        try queue.hold("i", seconds: 1_000, cause: "status 429")
        let status = try queue.status()
        #expect(status.jobs == ["running": 2, "dead": 1])
        #expect(status.causes == [QueueStatus.Cause(cause: "status 404", count: 1)])
        #expect(status.workers.map(\.running) == [2])
        #expect(status.hosts.first { $0.host == "i" }?.held.map { $0 > 900 } == true)
        #expect(status.hosts.map(\.cause) == [nil, "status 429"])
        let reason = "disk full: \"/a\\b\"\u{7}"
        _ = try queue.beat([], for: worker("full"), stats: WorkerStats(obstacle: reason))
        #expect(try queue.status().workers.map(\.obstacle) == [PostgresText.printable(reason), nil])
        let json = try queue.statusJSON()
        #expect(status.hosts.count == 2 && !json.contains { $0.isNewline }, "\(json)")
        #expect(try TestQueue().open().status().jobs == [:])
    }

    @Test("Causes that name their files are one kind in the status, and retry finds them by it")
    func kinds() throws {
        try queue.add(text: (0..<6).map { "http://h/\($0)" }.joined(separator: "\n"))
        let jobs = try queue.claim(6, for: worker("w")).sorted { $0.id < $1.id }
        let causes = (0..<6).map { number in
            number < 4 ? JobCause("\(number) has a wrong checksum", kind: "wrong checksum") : "status 404"
        }
        try queue.fail(zip(jobs, causes).map { Failure(id: $0.id, epoch: $0.epoch, cause: $1, isFinal: true) })
        #expect(
            try queue.status().causes == [
                QueueStatus.Cause(cause: "wrong checksum", count: 4, example: "0 has a wrong checksum"),
                QueueStatus.Cause(cause: "status 404", count: 2),
            ])
        #expect(try queue.retry(RetryFilter(cause: "2 has")) == 1)
        #expect(try queue.retry(RetryFilter(cause: "Wrong Checksum")) == 3)
    }

    @Test("Many dead jobs return in several transactions, each job once", arguments: [2, 5, 6])
    func retriedInParts(batch: Int) throws {
        try queue.add(text: (0..<6).map { "http://h/\($0)" }.joined(separator: "\n"))
        try queue.connection.run("UPDATE netdash.job SET state = 'dead', ended = now() WHERE dest <> '3'")
        #expect(try queue.retry(RetryFilter(), batch: batch) == 5)
        #expect(try queue.status().jobs == ["waiting": 6])
        let transactions = "SELECT count(DISTINCT xmin::text) FROM netdash.job WHERE dest <> '3'"
        #expect(try queue.value(transactions) == "\((5 + batch - 1) / batch)")
        #expect(try queue.claim(9, for: worker("w")).count == 6, "its host is due")
    }

    @Test("A page begins behind an id and keeps to a state or a host")
    func pages() throws {
        try queue.add(text: (0..<9).map { "http://h\($0 % 2)/\($0)" }.joined(separator: "\n"))
        let first = try queue.page(after: 0, count: 4)
        #expect(first.map(\.destination) == ["0", "1", "2", "3"])
        #expect(try queue.page(after: first.last?.id ?? 0, count: 4, host: "h0").map(\.destination) == ["4", "6", "8"])
        #expect(try queue.page(after: 0, state: .done).isEmpty)
    }

    @Test("Purge removes what has ended, and nothing else")
    func purge() throws {
        try queue.add(text: "http://h/a\nhttp://h/b")
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        _ = try queue.complete([Completion(id: job.id, epoch: job.epoch, received: 1)])
        #expect(try queue.purge(state: "waiting", age: 0) == 0)
        #expect(try queue.purge(state: "done", age: 3600) == 0)
        #expect(try queue.purge(state: "done", age: 0) == 1)
        #expect(try queue.count(.waiting) == 1)
    }

    @Test("Export writes a line per job, as JSON or CSV")
    func export() throws {
        try queue.add(text: "http://h/a\n  out=a \"b\", \\c\nhttp://h/z")
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        _ = try queue.complete([Completion(id: job.id, epoch: job.epoch, received: 3, result: #"{"s":"a\nb"}"#)])
        let json = try lines(.jsonLines, .done)
        #expect(json.count == 1)
        #expect(json.first?.contains(#""dest":"a \"b\", \\c""#) == true)
        #expect(json.first?.contains(#""result":{"s":"a\nb"}"#) == true)
        let csv = try lines(.csv)
        #expect(csv.count == 3 && csv.first?.hasPrefix("id,url,dest,state") == true)
        #expect(csv.contains { $0.contains(#""a ""b"", \c""#) })
    }

    @Test(
        "Exported times are ISO 8601 in UTC, whatever the database's own form and zone are",
        arguments: [ExportFormat.csv, .jsonLines])
    func exportedTimes(form: ExportFormat) throws {
        try queue.add(text: "http://h/a")
        let job = try #require(try queue.claim(1, for: worker("w")).first)
        _ = try queue.complete([Completion(id: job.id, epoch: job.epoch, received: 3)])
        try queue.connection.run("UPDATE netdash.job SET ended = '2026-03-04 05:06:07.25+00'")
        for (style, zone) in [("SQL, DMY", "Europe/Berlin"), ("German", "America/New_York"), ("ISO, YMD", "UTC")] {
            try queue.connection.run("SELECT set_config('DateStyle', $1, false)", [style])
            try queue.connection.run("SELECT set_config('TimeZone', $1, false)", [zone])
            let line = try #require(try lines(form, .done).last)
            #expect(line.contains("2026-03-04T05:06:07.250000Z"), "\(style), \(zone): \(line)")
        }
    }

    @Test("The roles allow what their programs do, and a worker cannot change a URL")
    func grants() throws {
        let connection = try test.connect()
        // Roles belong to the whole server, on which other tests run.
        func grant(on connection: DatabaseConnection) throws {
            func named(_ text: String) -> String { text.replacing("netdash_", with: test.database + "_") }
            try connection.run(named(Grants.roles))
            for statement in named(Grants.rights).split(separator: ";") where statement.contains(where: \.isLetter) {
                try connection.run(String(statement))
            }
        }
        try grant(on: connection)
        try queue.add(text: "http://h/a\nhttp://h/b")
        func become(_ role: String) throws {
            try queue.connection.run("RESET ROLE")
            try queue.connection.run("SET ROLE \(test.database)_\(role)")
        }
        try become("worker")
        let jobs = try queue.claim(2, for: worker("w"))
        _ = try queue.beat(jobs.map(HeldJob.init), for: worker("w"), stats: WorkerStats())
        try queue.tell([JobMove(id: jobs[0].id, epoch: jobs[0].epoch, received: 1, total: 2)], of: worker("w"))
        try queue.hold("h", seconds: 1_000)
        #expect(throws: FleetError.self) { try queue.release("h") }
        _ = try queue.complete([Completion(id: jobs[0].id, epoch: jobs[0].epoch, received: 1)])
        try queue.fail([Failure(id: jobs[1].id, epoch: jobs[1].epoch, cause: "x", isFinal: true)])
        try queue.reap(lease: 1)
        try queue.leave(worker("w"))
        #expect(throws: FleetError.self) { try queue.connection.run("UPDATE netdash.job SET url = 'http://x/'") }
        #expect(throws: FleetError.self) { try queue.add(text: "http://h/c") }
        try become("reader")
        _ = try queue.status()
        _ = try queue.runningJobs(1)
        #expect(throws: FleetError.self) { try queue.claim(1, for: worker("w")) }
        try become("writer")
        #expect(try queue.retry(RetryFilter()) == 1)
        #expect(try queue.release("h"))
        #expect(try queue.add(text: "http://h/c").added == 1)
        #expect(try queue.purge(state: "done", age: 0) == 1)
        try queue.connection.run("RESET ROLE")
        // The server's next queue has the same roles.
        let next = try TestQueue().connect()
        try grant(on: next)
        let isGranted = "SELECT has_schema_privilege('\(test.database)_reader', 'netdash', 'usage')"
        #expect(try next.run(isGranted).isTrue(0, 0))
        for role in ["reader", "worker", "writer"] {
            try next.run("DROP OWNED BY \(test.database)_\(role)")
            try connection.run("DROP OWNED BY \(test.database)_\(role)")
            try connection.run("DROP ROLE \(test.database)_\(role)")
        }
    }

    @Test("A database without a queue, with one already, and with a newer one are told apart")
    func creation() throws {
        let empty = try TestQueue(isEmpty: true)
        #expect(throws: FleetError(.noQueue, QueueErrors.noQueue)) { try empty.open() }
        #expect(throws: FleetError(.usage, QueueErrors.hasQueue)) { try FleetQueue.create(try test.address) }
        #expect(throws: FleetError(.otherQueue, QueueErrors.otherQueue)) { try test.open(expected: "other") }
        try queue.connection.run("UPDATE netdash.queue SET version = 9")
        #expect(throws: FleetError(.otherSchema, QueueErrors.otherSchema("schema 9", known: 1))) { try test.open() }
    }
}
