/// The row counts by kind and state, and the sums of their bytes, updated row by row.
package struct RowCounts: Sendable, Equatable {
    private var cells = [Int](repeating: 0, count: Job.Kind.allCases.count * RowState.allCases.count)
    /// Bytes moved by all rows but the cancelled ones.
    package private(set) var moved: Int64 = 0
    /// Expected bytes, as far as known, of all rows but the cancelled ones.
    package private(set) var expected: Int64 = 0
    /// Known remaining bytes of rows that run without the user.
    private(set) var remaining: Int64 = 0

    /// The number of rows that run without the user and have an unknown length.
    private(set) var unknown = 0

    /// The number of ended rows that will be repeated after an interval.
    private(set) var betweenRuns = 0

    /// The number of rows with an unknown length, paused ones included.
    private(set) var unmeasured = 0

    /// Adds a row, or subtracts it with a sign of -1 and the values it was added with.
    package mutating func count(_ row: RowFigures, sign: Int = 1) {
        cells[Self.index(of: row.kind, row.state)] += sign
        if row.repetition == .active, row.state.isFinal { betweenRuns += sign }
        guard row.state != .cancelled else { return }
        let factor = Int64(sign)
        let moved = max(row.moved, 0)
        let total = max(row.expected ?? moved, moved)
        self.moved &+= factor &* moved
        expected &+= factor &* total
        if row.expected == nil, !row.state.isFinal, !row.state.isComplete {
            unmeasured += sign
            if row.state.isLive { unknown += sign }
        }
        if row.state.isLive { remaining &+= factor &* (total - moved) }
    }

    /// Adds the rows that a service has counted.
    mutating func add(_ cell: RowTotals.Cell) {
        cells[Self.index(of: cell.kind, cell.state)] += cell.count
        guard cell.state != .cancelled else { return }
        moved &+= cell.moved
        expected &+= max(cell.expected, cell.moved)
        if !cell.state.isFinal { unmeasured += cell.unmeasured }
        guard cell.state.isLive else { return }
        unknown += cell.unmeasured
        remaining &+= max(cell.expected - cell.moved, 0)
    }

    /// The number of rows of a kind in a state; nil stands for every kind or state.
    package subscript(kind: Job.Kind?, state: RowState?) -> Int {
        guard let state else { return RowState.allCases.reduce(0) { $0 + self[kind, $1] } }
        if let kind { return cells[Self.index(of: kind, state)] }
        return Job.Kind.allCases.reduce(0) { $0 + cells[Self.index(of: $1, state)] }
    }

    private static func index(of kind: Job.Kind, _ state: RowState) -> Int {
        (Job.Kind.allCases.firstIndex(of: kind) ?? 0) * RowState.allCases.count
            + (RowState.allCases.firstIndex(of: state) ?? 0)
    }

    /// The number of rows of a kind in one of several states; nil stands for every kind.
    package subscript(kind: Job.Kind?, states: RowState...) -> Int { states.reduce(0) { $0 + self[kind, $1] } }

    func sum(of states: [RowState]) -> Int { states.reduce(0) { $0 + self[nil, $1] } }

    /// The number of rows that quitting would interrupt.
    var live: Int { RowState.allCases.filter(\.isLive).reduce(0) { $0 + self[nil, $1] } }

    /// The number of rows that have not ended, paused ones included.
    var unfinished: Int { RowState.allCases.filter { !$0.isFinal }.reduce(0) { $0 + self[nil, $1] } }

    package var ended: Int { RowState.allCases.filter(\.isFinal).reduce(0) { $0 + self[nil, $1] } }
}
