internal import FleetQueue
internal import TransferService

/// The statements that give the first rows of a selection, one after the other until there are enough.
///
/// Orders by state begin with a statement for each state, because each of them reads an index from its first entry: a
/// sort of a million jobs would take most of a second.
struct SelectionPage: Sendable, Equatable {
    private(set) var statements: [QueueStatement] = []
    let conditions: SelectionConditions
    let limit: Int

    /// - Parameters:
    ///   - present: the states that have jobs, which spares statements without an answer; nil if not known.
    ///   - hasPriorities: whether any job has one.
    ///   - hosts: the number of hosts.
    ///   - ids: the only jobs that match, where a scan has found all of them; nil if not known.
    init(
        _ selection: RowRequest, present: Set<RowState>? = nil, hasPriorities: Bool = false, hosts: Int = 1,
        among ids: [Int64]? = nil
    ) {
        conditions = SelectionConditions(selection)
        limit = max(0, selection.limit)
        let orders = selection.orders.isEmpty ? [RowRequest.Order(.state)] : Array(selection.orders.prefix(2))
        if let ids {
            statements = [few(ids, (selection.isByHost ? [RowRequest.Order(.host)] : []) + orders)]
            return
        }
        if selection.isByHost {
            statements = [byHost(orders, each: max(5, limit / max(1, hosts)))]
            return
        }
        let rest = orders.dropFirst().map { Self.expression($0) }
        switch orders[0].column {
        case .state:
            let wanted = selection.states.isEmpty ? RowState.allCases : selection.states
            let ranks = Self.ranks.map { $0.filter { wanted.contains($0) && present?.contains($0) ?? true } }
            for states in (orders[0].isInverted ? ranks.reversed() : ranks) where !states.isEmpty {
                let isQueue = states == [.queued] && hasPriorities && rest.isEmpty
                let direction = orders[0].isInverted ? " DESC" : ""
                let byPriority = "j.priority" + (orders[0].isInverted ? "" : " DESC")
                statements.append(
                    page(SelectionConditions.states(states), (isQueue ? [byPriority] : rest) + ["j.id" + direction]))
            }
        case .speed, .eta:
            // Only running jobs have them, and the dashboard knows them.
            statements = [page("j.state = 'running'", ["j.id"]), page("j.state <> 'running'", rest + ["j.id"])]
        case .added: statements = [page(nil, [Self.expression(orders[0])])]
        case .host:
            // Within a host the host is the same.
            statements = [
                alongHosts(orders[0], orders.dropFirst().filter { $0.column != .host }.map { Self.expression($0) })
            ]
        case .name, .progress, .size: statements = [page(nil, [Self.expression(orders[0])] + rest + ["j.id"])]
        }
    }

    /// The states by their rank in the dashboard's order.
    private static let ranks: [[RowState]] = [
        [.running], [.retrying], [.queued], [.pausing, .paused], [.failed], [.done], [.cancelled],
    ]

    private func page(_ condition: String?, _ orders: [String]) -> QueueStatement {
        let all = [condition, conditions.text].compactMap(\.self).joined(separator: " AND ")
        return QueueStatement(
            """
            SELECT \(ListedJob.columns) FROM netdash.job j JOIN netdash.host h ON h.id = j.host_id
            WHERE \(all.isEmpty ? "true" : all) ORDER BY \(orders.joined(separator: ", ")) LIMIT \(limit)
            """, conditions.parameters)
    }

    /// The rows among a few jobs, which are sorted at once.
    private func few(_ ids: [Int64], _ orders: [RowRequest.Order]) -> QueueStatement {
        var statement = page(
            "j.id = ANY ($\(conditions.parameters.count + 1)::bigint[])",
            orders.map { Self.expression($0) } + ["j.id"])
        statement.parameters.append(PostgresText.array(ids))
        return statement
    }

    /// The rows of one host after the other, which ends as soon as there are enough.
    private func alongHosts(_ order: RowRequest.Order, _ rest: [String]) -> QueueStatement {
        let condition = conditions.text.map { " AND " + $0 } ?? ""
        // Without another order the index's own one spares a sort of a host's jobs.
        let inner = rest.isEmpty ? ["j.state", "j.id"] : rest + ["j.id"]
        return QueueStatement(
            """
            WITH first AS MATERIALIZED (
                SELECT p.id FROM (SELECT x.id FROM netdash.host x ORDER BY x.host\(order.isInverted ? " DESC" : "")) n
                CROSS JOIN LATERAL (
                    SELECT j.id FROM netdash.job j WHERE j.host_id = n.id\(condition)
                    ORDER BY \(inner.joined(separator: ", ")) LIMIT \(limit)
                ) p LIMIT \(limit)
            )
            SELECT \(ListedJob.columns) FROM first f JOIN netdash.job j ON j.id = f.id
            JOIN netdash.host h ON h.id = j.host_id
            ORDER BY \(([Self.expression(order)] + rest + ["j.id"]).joined(separator: ", "))
            """, conditions.parameters)
    }

    /// The first rows of each host, read from the index that has a host's jobs by state.
    private func byHost(_ orders: [RowRequest.Order], each: Int) -> QueueStatement {
        let inner = orders.filter { $0.column != .state && $0.column != .host }.map { Self.expression($0) } + ["j.id"]
        let condition = conditions.text.map { " AND " + $0 } ?? ""
        let outer = (orders.map { Self.expression($0) } + ["j.id"]).joined(separator: ", ")
        return QueueStatement(
            """
            WITH first AS MATERIALIZED (
                SELECT p.id, p.host_id FROM (SELECT x.id FROM netdash.host x ORDER BY x.host LIMIT \(max(1, limit))) n
                CROSS JOIN unnest(ARRAY['running', 'waiting', 'paused', 'dead', 'done', 'cancelled']) s
                CROSS JOIN LATERAL (
                    SELECT j.id, j.host_id FROM netdash.job j WHERE j.host_id = n.id AND j.state = s\(condition)
                    ORDER BY \(inner.joined(separator: ", ")) LIMIT \(each)
                ) p
            ), numbered AS (
                SELECT j.id, row_number() OVER (PARTITION BY j.host_id ORDER BY \(outer)) AS number
                FROM first f JOIN netdash.job j ON j.id = f.id JOIN netdash.host h ON h.id = j.host_id
            )
            SELECT \(ListedJob.columns) FROM numbered r JOIN netdash.job j ON j.id = r.id
            JOIN netdash.host h ON h.id = j.host_id WHERE r.number <= \(each)
            ORDER BY h.host, r.number LIMIT \(limit)
            """, conditions.parameters)
    }

    /// The numbers of all jobs.
    static let allNumbers = QueueStatement("SELECT j.id FROM netdash.job j ORDER BY j.id")

    /// What finds the jobs that match, up to one more than a scan counts.
    static func scan(_ conditions: SelectionConditions) -> QueueStatement {
        QueueStatement(
            "SELECT j.id FROM netdash.job j WHERE \(conditions.text ?? "true") LIMIT \(FilterScan.limit + 1)",
            conditions.parameters)
    }

    private static let rank = """
        CASE WHEN j.state = 'running' AND j.wish <> 'pause' THEN 0 WHEN j.state = 'waiting' AND j.not_before > now() THEN 1 \
        WHEN j.state = 'waiting' THEN 2 WHEN j.state = 'dead' THEN 4 WHEN j.state = 'done' THEN 5 \
        WHEN j.state = 'cancelled' THEN 6 ELSE 3 END
        """

    /// A column's expression; the dashboard's orders by size and progress begin with the largest.
    static func expression(_ order: RowRequest.Order) -> String {
        let (text, isDescending): (String, Bool) =
            switch order.column {
            case .state: (rank, false)
            case .name: ("j.dest", false)
            case .progress: ("COALESCE(\(SelectionConditions.percent), -1)", true)
            case .size: ("COALESCE(j.total, j.received, 0)", true)
            case .speed, .eta: ("(j.state <> 'running')", false)
            case .host: ("h.host", false)
            case .added: ("j.id", false)
            }
        return isDescending != order.isInverted ? text + " DESC" : text
    }
}
