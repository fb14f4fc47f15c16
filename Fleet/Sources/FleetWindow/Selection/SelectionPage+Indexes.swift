internal import FleetQueue
internal import TransferService

// Statements that take a bounded number of first entries from several indexes, and order these alone.
//
// Where two orders are wanted, the second one is among the taken jobs: of more equal ones than the reserve, the ones with
// the first ids count.

extension SelectionPage {
    /// How many more jobs than wanted are taken from an index, for the order among equal ones.
    private static let reserve = 2_000
    /// The ended jobs of all workers together of which each worker's first ones are chosen.
    private static let workerReserve = 10_000
    /// The jobs of all hosts together of which each host's first ones are chosen.
    private static let hostReserve = 60_000

    /// The first rows by size or progress: the first ones of each state, of which the indexes have them in this order.
    func byBytes(
        _ order: RowRequest.Order, _ rest: ArraySlice<RowRequest.Order>, _ states: [RowState]?
    ) -> QueueStatement {
        let parts = JobSubset.subsets(of: present(states), byBytes: true).map { subset in
            """
            (SELECT j.id FROM netdash.job j WHERE \(matching(restricted(subset, to: states)))
                ORDER BY \(subset.order(by: order)) LIMIT \(rest.isEmpty ? limit : limit + Self.reserve))
            """
        }
        let orders = [order] + rest
        let last = order.isInverted && rest.isEmpty ? " DESC" : ""
        return listed(parts, "\(Self.expressions(orders[...]))\(last) LIMIT \(limit)")
    }

    /// The rows of one host after the other, which ends as soon as there are enough.
    func alongHosts(
        _ order: RowRequest.Order, _ rest: ArraySlice<RowRequest.Order>, _ states: [RowState]?
    ) -> QueueStatement {
        let orders = Self.expressions(rest.filter { $0.column != .host }[...])
        let most = rest.isEmpty ? limit : limit + Self.reserve
        let part = """
            SELECT p.id FROM (SELECT x.id, x.host FROM netdash.host x ORDER BY x.host\(order.isInverted ? " DESC" : "")) n
            CROSS JOIN LATERAL (
                SELECT j.id FROM (\(ofHost(states, most).joined(separator: " UNION ALL "))) j
                JOIN netdash.host h ON h.id = n.id ORDER BY \(orders) LIMIT \(limit)
            ) p LIMIT \(limit)
            """
        return listed([part], "\(Self.expression(order)), \(orders)")
    }

    /// The first rows of each host.
    func byHost(_ orders: [RowRequest.Order], _ states: [RowState]?) -> QueueStatement {
        let each = max(5, limit / max(1, hosts))
        let most = max(each, Self.hostReserve / max(1, hosts) / JobState.allCases.count)
        let outer = Self.expressions(orders.filter { $0.column != .host }[...])
        let part = """
            SELECT p.id FROM (SELECT x.id, x.host FROM netdash.host x ORDER BY x.host LIMIT \(max(1, limit))) n
            CROSS JOIN LATERAL (
                SELECT j.id FROM (\(ofHost(states, most).joined(separator: " UNION ALL "))) j
                JOIN netdash.host h ON h.id = n.id ORDER BY \(outer) LIMIT \(each)
            ) p LIMIT \(limit)
            """
        return listed([part], "h.host, \(outer)")
    }

    /// The first rows of each worker: of its running jobs, and of the ones that it has ended.
    ///
    /// The index of ended jobs has no order within a worker and state, so of many the first ones in the table count.
    func byWorker(_ orders: [RowRequest.Order], _ states: [RowState]?) -> QueueStatement {
        // A group more is for the jobs without a worker.
        let each = max(5, limit / (workers.count + 1))
        let most = max(each, Self.workerReserve / max(1, workers.count))
        let outer = Self.expressions(orders[...])
        let ended = present(states).compactMap(\.queueState).filter { [.done, .dead].contains($0) }
        let parts =
            [
                "(SELECT r.* FROM running r WHERE r.worker = n.worker)"
            ]
            + Set(ended).map(\.rawValue).sorted().map {
                """
                (SELECT j.* FROM netdash.job j
                    WHERE j.worker = n.worker AND j.state = '\($0)' AND \(matching(nil)) LIMIT \(most))
                """
            }
        let running = matching(states.map { SelectionConditions.states($0) })
        var statement = conditions.statement(
            """
            WITH running AS MATERIALIZED (SELECT j.* FROM netdash.job j WHERE j.state = 'running' AND \(running)),
            first AS MATERIALIZED (
                SELECT p.id FROM unnest($\(conditions.parameters.count + 1)::text[]) n(worker)
                CROSS JOIN LATERAL (
                    SELECT j.id FROM (\(parts.joined(separator: " UNION ALL "))) j
                    JOIN netdash.host h ON h.id = j.host_id ORDER BY \(outer) LIMIT \(each)
                ) p LIMIT \(limit)
            )
            SELECT \(ListedJob.columns) FROM first f JOIN netdash.job j ON j.id = f.id
            JOIN netdash.host h ON h.id = j.host_id ORDER BY j.worker, \(outer)
            """)
        statement.parameters.append(PostgresText.array(workers.map { Optional($0) }))
        return statement
    }

    /// The states of jobs that no worker has or has ended.
    func withoutWorkers(_ states: [RowState]?) -> [RowState] {
        present(states).filter { [.waiting, .paused, .cancelled].contains($0.queueState) }
    }

    /// Parts for the jobs of the host `n`, a state each, from the index that has a host's jobs by state.
    private func ofHost(_ states: [RowState]?, _ most: Int) -> [String] {
        JobSubset.subsets(of: present(states)).map { subset in
            let order = subset.state == .running ? "" : "ORDER BY j.priority DESC, j.not_before, j.id"
            return """
                (SELECT j.* FROM netdash.job j
                    WHERE j.host_id = n.id AND \(matching(restricted(subset, to: states))) \(order) LIMIT \(most))
                """
        }
    }

    private func restricted(_ subset: JobSubset, to states: [RowState]?) -> String {
        states.map { subset.condition + " AND " + SelectionConditions.states($0) } ?? subset.condition
    }

    /// The rows of the jobs of some parts; without a part, none.
    private func listed(_ parts: [String], _ order: String) -> QueueStatement {
        let union = parts.isEmpty ? "SELECT NULL::bigint AS id WHERE false" : parts.joined(separator: " UNION ALL ")
        return conditions.statement(
            """
            WITH first AS MATERIALIZED (\(union))
            SELECT \(ListedJob.columns) FROM first f JOIN netdash.job j ON j.id = f.id
            JOIN netdash.host h ON h.id = j.host_id ORDER BY \(order)
            """)
    }
}
