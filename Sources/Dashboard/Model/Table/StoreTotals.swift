/// The counts of a service that has more rows than the table.
package struct StoreTotals: Sendable, Equatable {
    package let counts: RowCounts
    /// The number of all rows.
    package let count: Int
    /// The number of rows that match the query, as far as they were counted.
    package let matching: Int
    /// Whether more rows match than were counted.
    package let hasMore: Bool
    package let bytesPerSecond: Double?
    package let rowsPerSecond: Double?
    /// Why the counts are old, or a part of the filter matches no row.
    package let problem: SafeText?
    /// The rows of each group by its title, of the groupings that the service knows.
    private let groups: [RowRequest.Grouping: [String: [RowTotals.Cell]]]

    init(_ totals: RowTotals) {
        var counts = RowCounts()
        for cell in totals.cells { counts.add(cell) }
        self.counts = counts
        (count, matching, hasMore) = (totals.count, totals.matching, totals.hasMore)
        (bytesPerSecond, rowsPerSecond, problem) = (totals.bytesPerSecond, totals.rowsPerSecond, totals.problem)
        groups = [.host: totals.hosts, .worker: totals.workers].mapValues { groups in
            Dictionary(groups.map { ($0.title.string, $0.cells) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The sums of all rows of a group that a query shows; nil for an unknown group, and where a filter decides, which
    /// the service has not counted by groups.
    func group(_ title: String, of query: RowQuery) -> GroupTotals? {
        guard query.filter.isEmpty, let cells = query.grouping.onWire.flatMap({ groups[$0]?[title] }) else {
            return nil
        }
        var sums = GroupTotals()
        for cell in cells
        where query.tab.kind ?? cell.kind == cell.kind && (query.states.isEmpty || query.states.contains(cell.state)) {
            sums.add(cell)
        }
        return sums
    }
}

/// A table that has some rows of many.
extension RowStore {
    /// The rows that the table has at first, and how many more it asks for when the selection comes near its end.
    static let selectionStep = 500
    /// The most rows that the table asks for.
    static let selectionLimit = 5_000
    /// The number of lines before the end at which more rows are asked for.
    private static let reserve = 100

    /// The number of rows that match the query, shown or not.
    package var matchCount: Int { max(totals?.matching ?? 0, order.count) }

    /// What the service is asked for: the rows of the query, and others that stay.
    func selection(limit: Int, kept: [UInt64]) -> RowRequest {
        var selection = RowRequest(limit: limit)
        selection.kind = query.tab.kind
        selection.states = RowState.allCases.filter { query.states.contains($0) }
        selection.groups = filter.wireGroups
        selection.orders = [RowRequest.Order(query.order.column.onWire, isInverted: query.order.isInverted)]
        if let tie = query.order.tieBreaker {
            selection.orders.append(RowRequest.Order(tie.column.onWire, isInverted: tie.isInverted))
        }
        selection.grouping = query.grouping.onWire
        selection.kept = kept
        return selection
    }

    /// The number of rows to ask for when a line is selected.
    func selectionLimit(now limit: Int, at line: Int) -> Int {
        guard line + Self.reserve >= limit, matchCount > limit else { return limit }
        return min(Self.selectionLimit, limit + Self.selectionStep)
    }
}

extension SortOrder.Column {
    /// The same column in a question to a service.
    var onWire: RowRequest.Column {
        switch self {
        case .state: .state
        case .name: .name
        case .progress: .progress
        case .size: .size
        case .speed: .speed
        case .eta: .eta
        case .host: .host
        case .added: .added
        }
    }
}

extension Grouping {
    /// The same groups in a question to a service; it has no others.
    var onWire: RowRequest.Grouping? {
        switch self {
        case .host: .host
        case .worker: .worker
        case .none, .folder, .kind: nil
        }
    }
}

extension FilterExpression {
    /// The same conditions in a question to a service.
    var wireGroups: [[RowRequest.Term]] {
        groups.map { $0.map { RowRequest.Term($0.condition.onWire, isNegated: $0.isNegated) } }
    }
}

extension FilterExpression.Condition {
    fileprivate var onWire: RowRequest.Condition {
        switch self {
        case .text(let needle): .text(String(decoding: needle.bytes, as: UTF8.self))
        case .host(let needle): .host(String(decoding: needle.bytes, as: UTF8.self))
        case .worker(let part): .worker(part)
        case .error(let part, let causes): .error(part, Cause.allCases.filter { causes.contains($0) })
        case .pattern(let pattern): .pattern(pattern.text)
        case .states(let states): .states(RowState.allCases.filter { states.contains($0) })
        case .kinds(let kinds): .kinds(Job.Kind.allCases.filter { kinds.contains($0) })
        case .range(let measure, let range):
            .range(measure.onWire, lower: range.lower?.onWire, upper: range.upper?.onWire)
        }
    }
}

extension FilterExpression.Measure {
    fileprivate var onWire: RowRequest.Measure {
        switch self {
        case .size: .size
        case .speed: .speed
        case .progress: .progress
        case .age: .age
        }
    }
}

extension FilterRange.Bound {
    fileprivate var onWire: RowRequest.Bound { RowRequest.Bound(value: value, isIncluded: isIncluded) }
}
