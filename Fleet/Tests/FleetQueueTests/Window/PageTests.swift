import Testing
import TransferService

@testable import FleetQueue
@testable import FleetWindow

/// Pages from indexes beside a sort of all jobs.
@Suite("Pages", needsServer, .timeLimit(.minutes(10)))
struct PageTests {
    private let queue: FleetQueue
    private static let states: [RowState] = [
        .running, .pausing, .retrying, .queued, .paused, .failed, .done, .cancelled,
    ]

    /// 200 jobs of 7 hosts in all states, with equal sizes and without any.
    init() throws {
        queue = try TestQueue().open()
        try queue.add(text: (0..<200).map { "http://h\($0 % 7)/f\($0)\n priority=\($0 % 3)" }.joined(separator: "\n"))
        for statement in [
            "SET state = 'done', received = id % 5 * 10, total = id % 5 * 10, ended = now() WHERE id % 8 = 0",
            "SET state = 'dead', cause = 'status 500', received = id % 4, total = id WHERE id % 8 = 1",
            "SET state = 'paused', received = id WHERE id % 8 = 2",
            "SET state = 'cancelled' WHERE id % 8 = 3",
            "SET not_before = now() + interval '1 hour', received = id % 3, total = 100 WHERE id % 8 = 4",
            "SET state = 'running', received = id / 2, total = id, worker = 'w' WHERE id % 8 = 5",
            "SET wish = 'pause' WHERE id % 16 = 5",
        ] { try queue.connection.run("UPDATE netdash.job " + statement) }
    }

    /// The values of orders of the listed jobs, or of the first ones of all jobs that match.
    private func values(_ orders: [RowRequest.Order], of ids: [Int64]?, _ states: [RowState], _ limit: Int) throws
        -> [String]
    {
        let expressions = orders.map { SelectionPage.expression($0) }
        let columns = expressions.map { "(" + $0.replacing(" DESC", with: "") + ")::text" }.joined(
            separator: " || ' ' || ")
        let jobs = "netdash.job j JOIN netdash.host h ON h.id = j.host_id"
        let statement =
            if let ids {
                "SELECT \(columns) FROM unnest('\(PostgresText.array(ids))'::bigint[]) WITH ORDINALITY u(id, n) "
                    + "JOIN \(jobs) ON j.id = u.id ORDER BY u.n"
            } else {
                "SELECT \(columns) FROM \(jobs) WHERE \(states.isEmpty ? "true" : SelectionConditions.states(states)) "
                    + "ORDER BY \(expressions.joined(separator: ", ")), j.id LIMIT \(limit)"
            }
        let rows = try queue.connection.run(statement)
        return (0..<rows.count).map { rows.text($0, 0) }
    }

    private func page(_ request: RowRequest) throws -> [ListedJob] {
        let page = SelectionPage(request, present: Set(Self.states), hasPriorities: true, hosts: 7)
        return try FleetService.jobs(of: page, queue)
    }

    /// Some selections by a column: with each order among equal rows, of some states, and short and long.
    private static func requests(by column: RowRequest.Column) -> [RowRequest] {
        let ties: [RowRequest.Column?] = [nil, .state, .name, .size, .host]
        let choices: [[RowState]] = [[], [.failed], [.retrying, .done], [.pausing], [.queued, .cancelled]]
        return ties.flatMap { tie in
            [false, true].flatMap { isInverted in
                choices.flatMap { states in
                    [7, 500].map { limit in
                        var request = RowRequest(limit: limit)
                        request.states = states
                        request.orders = [RowRequest.Order(column, isInverted: isInverted)]
                        if let tie { request.orders.append(RowRequest.Order(tie)) }
                        return request
                    }
                }
            }
        }
    }

    @Test(
        "A page by index has the values that a sort of all jobs gives",
        arguments: [RowRequest.Column.state, .name, .progress, .size, .host, .added])
    func sorted(_ column: RowRequest.Column) throws {
        for request in Self.requests(by: column) {
            let ids = try page(request).map(\.id)
            #expect(Set(ids).count == ids.count)
            let found = try values(request.orders, of: ids, request.states, request.limit)
            let expected = try values(request.orders, of: nil, request.states, request.limit)
            #expect(found == expected, "\(request)")
        }
    }

    @Test("By speed and remaining time the running jobs come first", arguments: [RowRequest.Column.speed, .eta])
    func moving(_ column: RowRequest.Column) throws {
        for request in Self.requests(by: column) where request.states.isEmpty {
            let jobs = try page(request)
            #expect(jobs.count == min(200, request.limit) && Set(jobs.map(\.id)).count == jobs.count)
            #expect(jobs.prefix(25).allSatisfy { $0.state == .running }, "\(request)")
        }
    }

    /// Gives every ended job one of three workers, and one running job in two another one.
    private func shareOut() throws {
        try queue.connection.run("UPDATE netdash.job SET worker = 'w' || id % 3 WHERE state IN ('done', 'dead')")
        try queue.connection.run("UPDATE netdash.job SET worker = 'w1' WHERE state = 'running' AND id % 16 = 5")
        try queue.connection.run("UPDATE netdash.job SET worker = NULL WHERE state = 'dead' AND id % 3 = 0")
        // What a job keeps of an earlier worker makes it none of its jobs.
        try queue.connection.run("UPDATE netdash.job SET worker = 'w2' WHERE state = 'cancelled'")
    }

    @Test("Groups by worker have each worker's running and ended jobs, and after them the jobs without a worker")
    func byWorker() throws {
        try shareOut()
        var request = RowRequest(limit: 500)
        request.grouping = .worker
        let states: [[RowState]] = [[], [.failed], [.running, .done], [.queued]]
        for column in RowRequest.Column.allCases {
            for chosen in states {
                (request.orders, request.states) = ([RowRequest.Order(column)], chosen)
                let page = SelectionPage(
                    request, present: Set(Self.states), hasPriorities: true, hosts: 7, workers: ["w", "w0", "w1", "w2"])
                let jobs = try FleetService.jobs(of: page, queue)
                let condition = chosen.isEmpty ? "true" : SelectionConditions.states(chosen)
                let count = try queue.value("SELECT count(*) FROM netdash.job j WHERE \(condition)")
                #expect("\(jobs.count)" == count && Set(jobs.map(\.id)).count == jobs.count, "\(column) of \(chosen)")
                let held = jobs.prefix { [.running, .done, .dead].contains($0.state) && $0.worker != nil }
                #expect(
                    jobs.dropFirst(held.count).allSatisfy {
                        [.waiting, .paused, .cancelled].contains($0.state) || $0.state == .dead && $0.worker == nil
                    })
                #expect(held.map { $0.worker ?? "" } == held.map { $0.worker ?? "" }.sorted())
            }
        }
        (request.limit, request.states) = (20, [])
        let few = SelectionPage(request, present: Set(Self.states), workers: ["w", "w0", "w1", "w2"])
        let workers = try FleetService.jobs(of: few, queue).map { $0.worker ?? "" }
        #expect(workers == ["w", "w0", "w1", "w2"].flatMap { Array(repeating: $0, count: 5) })
    }

    @Test("A filter by worker finds its running and ended jobs, by part of its name")
    func ofWorker() throws {
        try shareOut()
        for (part, condition) in [
            ("w1", "worker = 'w1' AND state <> 'cancelled'"), ("x", "false"),
            ("w", "state IN ('running', 'done', 'dead') AND worker IS NOT NULL"), ("%", "false"),
        ] {
            var request = RowRequest(limit: 500)
            request.groups = [[RowRequest.Term(.worker(part))]]
            let found = try page(request).map(\.id).sorted()
            let expected = QueueStatement("SELECT id FROM netdash.job WHERE \(condition) ORDER BY id")
            #expect(try queue.numbers(expected) == found)
            request.groups = [[RowRequest.Term(.worker(part), isNegated: true)]]
            #expect(try page(request).count == 200 - found.count)
        }
    }

    @Test("Of many jobs the ones of a host or a worker are found by index")
    func indexes() throws {
        try queue.connection.run("UPDATE netdash.job SET state = 'waiting', worker = NULL")
        try queue.connection.run(
            """
            INSERT INTO netdash.job (host_id, url, dest, state, worker)
            SELECT 1 + n % 7, 'http://h/' || n, 'many' || n, 'done', CASE WHEN n % 1000 = 0 THEN 'rare' ELSE 'often' END
            FROM generate_series(1, 40000) n
            """)
        try queue.connection.run("INSERT INTO netdash.host (host) VALUES ('seldom')")
        try queue.connection.run(
            "UPDATE netdash.job SET host_id = (SELECT id FROM netdash.host WHERE host = 'seldom') WHERE dest LIKE 'many%77'"
        )
        try queue.connection.run("VACUUM ANALYZE netdash.job")
        for (term, count, index) in [
            (RowRequest.Condition.worker("rar"), 40, "job_worker"), (.host("seld"), 400, "job_host"),
        ] {
            var request = RowRequest(limit: 500)
            request.groups = [[RowRequest.Term(term)]]
            let scan = SelectionPage.scan(SelectionConditions(request))
            #expect(try queue.numbers(scan).count == count)
            var explain = scan
            explain.text = "EXPLAIN " + scan.text
            let plan = try queue.run(explain)
            let lines = (0..<plan.count).map { plan.text($0, 0) }.joined(separator: "\n")
            #expect(lines.contains(index) && !lines.contains("Seq Scan on job"), "\(lines)")
        }
    }

    @Test("Groups by host have each host's first rows, in the order of hosts")
    func byHost() throws {
        var request = RowRequest(limit: 70)
        request.grouping = .host
        for column in [RowRequest.Column.state, .name, .size, .progress] {
            request.orders = [RowRequest.Order(column)]
            let jobs = try page(request)
            #expect(jobs.map(\.host) == (0..<7).flatMap { host in Array(repeating: "h\(host)", count: 10) })
            for host in 0..<7 {
                let found = try values(request.orders, of: jobs.filter { $0.host == "h\(host)" }.map(\.id), [], 10)
                #expect(found.count == 10)
                let all = try queue.connection.run(
                    """
                    SELECT (\(SelectionPage.expression(request.orders[0]).replacing(" DESC", with: "")))::text
                    FROM netdash.job j JOIN netdash.host h ON h.id = j.host_id WHERE h.host = 'h\(host)'
                    ORDER BY \(SelectionPage.expression(request.orders[0])), j.id LIMIT 10
                    """)
                #expect(found == (0..<all.count).map { all.text($0, 0) }, "\(column) of h\(host)")
            }
        }
    }
}
