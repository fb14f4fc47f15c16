/// The numbers of rows of each kind in each state, and the sums of their bytes, kept up to date row by row.
package struct RowCounts: Sendable, Equatable {
    private var cells = [Int](repeating: 0, count: Job.Kind.allCases.count * RowState.allCases.count)
    /// Bytes moved by all rows but the cancelled ones.
    package private(set) var moved: Int64 = 0
    /// Bytes there are to move, as far as known, of all rows but the cancelled ones.
    package private(set) var expected: Int64 = 0
    /// Known bytes still to come of rows that go on by themselves.
    private(set) var remaining: Int64 = 0

    /// Rows that go on by themselves and whose length nobody knows.
    private(set) var unknown = 0

    /// Rows that have ended and are sent again after a while.
    private(set) var betweenRuns = 0

    /// Rows whose length nobody knows, those that are paused included.
    private(set) var unmeasured = 0

    /// Counts a row in.
    package mutating func add(_ row: RowFigures) { count(row, sign: 1) }

    /// Counts a row out, with the values it was counted in with.
    package mutating func remove(_ row: RowFigures) { count(row, sign: -1) }

    /// Rows of a kind in a state; nil stands for every kind or state.
    package subscript(kind: Job.Kind?, state: RowState?) -> Int {
        var sum = 0
        for (kindIndex, oneKind) in Job.Kind.allCases.enumerated() where kind == nil || kind == oneKind {
            for (stateIndex, oneState) in RowState.allCases.enumerated() where state == nil || state == oneState {
                sum += cells[kindIndex * RowState.allCases.count + stateIndex]
            }
        }
        return sum
    }

    /// Rows of a kind in any of some states; nil stands for every kind.
    package subscript(kind: Job.Kind?, states: RowState...) -> Int { states.reduce(0) { $0 + self[kind, $1] } }

    /// Rows in any of some states.
    func sum(of states: [RowState]) -> Int { states.reduce(0) { $0 + self[nil, $1] } }

    /// Rows that would be interrupted by leaving.
    var live: Int { RowState.allCases.filter(\.isLive).reduce(0) { $0 + self[nil, $1] } }

    /// Rows that are over.
    package var ended: Int { RowState.allCases.filter(\.isFinal).reduce(0) { $0 + self[nil, $1] } }

    private mutating func count(_ row: RowFigures, sign: Int) {
        let kind = Job.Kind.allCases.firstIndex(of: row.kind) ?? 0
        let state = RowState.allCases.firstIndex(of: row.state) ?? 0
        cells[kind * RowState.allCases.count + state] += sign
        if row.repetition == .active, row.state.isFinal { betweenRuns += sign }
        guard row.state != .cancelled else { return }
        let factor = Int64(sign)
        let moved = max(row.moved, 0)
        let whole = max(row.expected ?? moved, moved)
        self.moved &+= factor &* moved
        expected &+= factor &* whole
        if row.expected == nil, !row.state.isFinal, !row.state.isComplete {
            unmeasured += sign
            if row.state.isLive { unknown += sign }
        }
        if row.state.isLive { remaining &+= factor &* (whole - moved) }
    }
}
