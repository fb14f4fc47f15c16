internal import FleetQueue
internal import TransferService

/// The statements that give the first rows of a selection, one after the other until there are enough.
///
/// Each of them reads indexes from their first entries: a sort of a million jobs would take most of a second.
struct SelectionPage: Sendable, Equatable {
    private(set) var statements: [QueueStatement] = []
    let conditions: SelectionConditions
    let limit: Int
    /// The number of hosts, as far as it is known.
    let hosts: Int
    /// The workers that have jobs or have ended some, as far as they are known.
    let workers: [String]
    /// The states that have jobs; nil if not known.
    private let present: Set<RowState>?

    /// - Parameters:
    ///   - present: the states that have jobs, which spares statements without an answer; nil if not known.
    ///   - hasPriorities: whether any job has one.
    ///   - hosts: the number of hosts.
    ///   - workers: the workers that have jobs or have ended some.
    ///   - ids: the only jobs that match, where a scan has found all of them; nil if not known.
    init(
        _ selection: RowRequest, present: Set<RowState>? = nil, hasPriorities: Bool = false, hosts: Int = 1,
        workers: [String] = [], among ids: [Int64]? = nil
    ) {
        conditions = SelectionConditions(selection)
        limit = max(0, selection.limit)
        (self.hosts, self.workers, self.present) = (hosts, workers, present)
        let orders = selection.orders.isEmpty ? [RowRequest.Order(.state)] : Array(selection.orders.prefix(2))
        let states = selection.states.isEmpty ? nil : selection.states
        if let ids {
            statements = [few(ids, selection.grouping, orders)]
        } else if selection.grouping == .host, hosts > 1 {
            statements = [byHost(orders, states)]
        } else if selection.grouping == .worker {
            let others = withoutWorkers(states)
            statements = [byWorker(orders, states)] + (others.isEmpty ? [] : rows(of: others, by: orders[...]))
            // Such as jobs whose workers have vanished again and again.
            if self.present(states).contains(.failed) {
                statements.append(page(where: "j.state = 'dead' AND j.worker IS NULL", Self.expressions(orders[...])))
            }
        } else if hasPriorities, orders.count == 1, orders[0].column == .state {
            let added = RowRequest.Order(.added, isInverted: orders[0].isInverted)
            statements = ranks(orders[0], states).flatMap {
                $0 == [.queued] ? [queue(orders[0])] : rows(of: $0, by: [added])
            }
        } else {
            statements = rows(of: states, by: orders[...])
        }
    }

    /// Statements for the rows of some states, or of all, in an order.
    private func rows(of states: [RowState]?, by orders: ArraySlice<RowRequest.Order>) -> [QueueStatement] {
        guard let order = orders.first else { return [page(states, "j.id")] }
        let rest = orders.dropFirst()
        switch order.column {
        case .state:
            // The ids of an inverted order are inverted too.
            let next = rest.isEmpty ? [RowRequest.Order(.added, isInverted: order.isInverted)] : rest
            return ranks(order, states).flatMap { rows(of: $0, by: next) }
        case .speed, .eta:
            // Only running jobs have them, and the dashboard knows them.
            let wanted = present(states)
            let moving = wanted.filter { $0.queueState == .running }
            let still = wanted.filter { $0.queueState != .running }
            return (moving.isEmpty ? [] : [page(moving, "j.id")]) + (still.isEmpty ? [] : rows(of: still, by: rest))
        case .added: return [page(states, Self.expression(order))]
        case .name: return [page(states, order.isInverted ? "d.dest DESC" : "d.dest", Self.named)]
        case .host: return hosts > 1 ? [alongHosts(order, rest, states)] : rows(of: states, by: rest)
        case .size, .progress: return [byBytes(order, rest, states)]
        }
    }

    /// Some states, or all, as far as they have jobs.
    func present(_ states: [RowState]?) -> [RowState] {
        (states ?? RowState.allCases).filter { present?.contains($0) ?? true }
    }

    private func ranks(_ order: RowRequest.Order, _ states: [RowState]?) -> [[RowState]] {
        let wanted = present(states)
        let ranks = Self.ranks.map { $0.filter { wanted.contains($0) } }.filter { !$0.isEmpty }
        return order.isInverted ? ranks.reversed() : ranks
    }

    /// The states by their rank in the dashboard's order.
    private static let ranks: [[RowState]] = [
        [.running], [.retrying], [.queued], [.pausing, .paused], [.failed], [.done], [.cancelled],
    ]

    /// The jobs with their destinations, whose index has them in order.
    private static let named = "netdash.destination d JOIN netdash.job j ON j.id = d.job_id"

    private func page(_ states: [RowState]?, _ order: String, _ jobs: String = "netdash.job j") -> QueueStatement {
        page(where: states.map { SelectionConditions.states($0) }, order, jobs)
    }

    private func page(where condition: String?, _ order: String, _ jobs: String = "netdash.job j") -> QueueStatement {
        conditions.statement(
            """
            SELECT \(ListedJob.columns) FROM \(jobs) JOIN netdash.host h ON h.id = j.host_id
            WHERE \(matching(condition)) ORDER BY \(order) LIMIT \(limit)
            """)
    }

    /// A condition and the selection's own ones.
    func matching(_ condition: String?) -> String {
        let all = [condition, conditions.text].compactMap(\.self).joined(separator: " AND ")
        return all.isEmpty ? "true" : all
    }

    /// The jobs that may run now, as workers take them.
    private func queue(_ order: RowRequest.Order) -> QueueStatement {
        page([.queued], order.isInverted ? "j.priority, j.id DESC" : "j.priority DESC, j.id")
    }

    /// The rows among a few jobs, which are sorted at once.
    private func few(
        _ ids: [Int64], _ grouping: RowRequest.Grouping?, _ orders: [RowRequest.Order]
    ) -> QueueStatement {
        let group =
            switch grouping {
            case .host: "h.host, "
            case .worker: "CASE WHEN j.state = 'running' OR \(Schema.hasEnded("j.")) THEN j.worker END, "
            case nil: ""
            }
        var statement = page(
            where: "j.id = ANY ($\(conditions.parameters.count + 1)::bigint[])", group + Self.expressions(orders[...]))
        statement.parameters.append(PostgresText.array(ids))
        return statement
    }

    /// The numbers of all jobs.
    static let allNumbers = QueueStatement("SELECT j.id FROM netdash.job j ORDER BY j.id")

    /// What finds the jobs that match, up to one more than a scan counts.
    static func scan(_ conditions: SelectionConditions) -> QueueStatement {
        conditions.statement(
            "SELECT j.id FROM netdash.job j WHERE \(conditions.text ?? "true") LIMIT \(FilterScan.countLimit + 1)")
    }

    private static let rank = """
        CASE WHEN j.state = 'running' AND j.wish <> 'pause' THEN 0 WHEN j.state = 'waiting' AND j.not_before > now() THEN 1 \
        WHEN j.state = 'waiting' THEN 2 WHEN j.state = 'dead' THEN 4 WHEN j.state = 'done' THEN 5 \
        WHEN j.state = 'cancelled' THEN 6 ELSE 3 END
        """

    private static let progress = "COALESCE(\(SelectionConditions.percent), -1)"

    /// The expressions of orders, and at last the id.
    static func expressions(_ orders: ArraySlice<RowRequest.Order>) -> String {
        (orders.map { expression($0) } + ["j.id"]).joined(separator: ", ")
    }

    /// A column's expression; the dashboard's orders by size and progress begin with the largest.
    static func expression(_ order: RowRequest.Order) -> String {
        let (text, isDescending): (String, Bool) =
            switch order.column {
            case .state: (rank, false)
            case .name: ("j.dest", false)
            case .progress: (progress, true)
            case .size: (JobMeasures.size("j."), true)
            case .speed, .eta: ("(j.state <> 'running')", false)
            case .host: ("h.host", false)
            case .added: ("j.id", false)
            }
        return isDescending != order.isInverted ? text + " DESC" : text
    }
}
