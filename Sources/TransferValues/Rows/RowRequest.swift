/// The rows that a window wants of a service with more rows than a window loads.
package struct RowRequest: Sendable, Equatable, Codable {
    /// A condition on a row.
    package enum Condition: Sendable, Equatable, Codable {
        /// A part of the name, the host or the URL, in lower case.
        case text(String)
        /// A part of the host, in lower case.
        case host(String)
        /// A part of the name of the worker that has the row or has ended it, in lower case.
        case worker(String)
        /// A part of the failure's cause in lower case, and the causes whose words contain it.
        case error(String, [Cause])
        /// A regular expression, as it was typed.
        case pattern(String)
        case states([RowState])
        case kinds([Job.Kind])
        case range(Measure, lower: Bound?, upper: Bound?)
    }

    /// The figures that ranges apply to: bytes, bytes per second, percent, seconds.
    package enum Measure: String, Sendable, CaseIterable, Codable {
        case size, speed, progress, age
    }

    package struct Bound: Sendable, Equatable, Codable {
        package var value: Double
        package var isIncluded: Bool

        package init(value: Double, isIncluded: Bool) { (self.value, self.isIncluded) = (value, isIncluded) }
    }

    /// A condition, or its negation.
    package struct Term: Sendable, Equatable, Codable {
        package var condition: Condition
        package var isNegated: Bool

        package init(_ condition: Condition, isNegated: Bool = false) {
            (self.condition, self.isNegated) = (condition, isNegated)
        }
    }

    /// The columns that rows can be ordered by.
    package enum Column: String, Sendable, CaseIterable, Codable {
        case state, name, progress, size, speed, eta, host, added
    }

    package struct Order: Sendable, Equatable, Codable {
        package var column: Column
        package var isInverted: Bool

        package init(_ column: Column, isInverted: Bool = false) {
            (self.column, self.isInverted) = (column, isInverted)
        }
    }

    /// What rows can be grouped by.
    package enum Grouping: String, Sendable, CaseIterable, Codable {
        case host, worker
    }

    /// The only kind; nil for all kinds.
    package var kind: Job.Kind?
    /// The states; empty for all.
    package var states: [RowState] = []
    /// Groups of terms, of which one must hold; in a group every term must.
    ///
    /// Without any, every row matches.
    package var groups: [[Term]] = []
    /// The order, and the one among rows that are equal there; then by id.
    package var orders: [Order] = [Order(.state)]
    /// The groups, each of which gives its own first rows; nil for none.
    package var grouping: Grouping?
    /// The most rows of the answer, without the kept ones.
    package var limit: Int
    /// Rows of the answer beside these, whether they match or not, such as the selected one.
    package var kept: [UInt64] = []

    package init(limit: Int) { self.limit = limit }
}

/// The first rows of a selection, and the counts of all rows.
package struct RowMatches: Sendable, Equatable, Codable {
    /// In the order of the selection; kept rows are the last ones.
    package var rows: [RowSnapshot]
    package var totals: RowTotals

    package init(rows: [RowSnapshot], totals: RowTotals) { (self.rows, self.totals) = (rows, totals) }
}

/// Counts of all rows of a service, of which a window has only some.
package struct RowTotals: Sendable, Equatable, Codable {
    /// The rows of a kind in a state.
    package struct Cell: Sendable, Equatable, Codable {
        package var kind: Job.Kind
        package var state: RowState
        package var count: Int
        /// Bytes moved, and bytes expected where they are known, else moved.
        package var moved: Int64
        package var expected: Int64
        /// The rows of an unknown length.
        package var unmeasured: Int

        package init(
            _ kind: Job.Kind, _ state: RowState, count: Int, moved: Int64 = 0, expected: Int64 = 0, unmeasured: Int = 0
        ) {
            (self.kind, self.state, self.count) = (kind, state, count)
            (self.moved, self.expected, self.unmeasured) = (moved, expected, unmeasured)
        }
    }

    /// The rows of a host, or the ones that a worker has or has ended.
    package struct Group: Sendable, Equatable, Codable {
        package var title: SafeText
        package var cells: [Cell]

        package init(title: SafeText, cells: [Cell]) { (self.title, self.cells) = (title, cells) }
    }

    package var cells: [Cell]
    package var hosts: [Group]
    package var workers: [Group]
    /// The rows that match the selection, as far as they were counted.
    package var matching: Int
    /// Whether more rows match than were counted.
    package var hasMore: Bool
    /// The received bytes and the completed rows per second, averaged over some seconds; nil while not measured.
    package var bytesPerSecond: Double?
    package var rowsPerSecond: Double?
    /// Why the counts are old, or a part of the selection matches no row: a sentence.
    package var problem: SafeText?

    /// The counts without speeds, which nothing says any more.
    package var atRest: RowTotals {
        var totals = self
        (totals.bytesPerSecond, totals.rowsPerSecond) = (nil, nil)
        return totals
    }

    package init(
        cells: [Cell] = [], hosts: [Group] = [], workers: [Group] = [], matching: Int = 0, hasMore: Bool = false,
        problem: SafeText? = nil
    ) {
        (self.cells, self.hosts, self.workers) = (cells, hosts, workers)
        (self.matching, self.hasMore, self.problem) = (matching, hasMore, problem)
    }

    /// The number of all rows.
    package var count: Int { cells.reduce(0) { $0 + $1.count } }
}
