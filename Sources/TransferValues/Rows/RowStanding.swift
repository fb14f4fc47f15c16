/// Where a row stands among the others: the part of its numbers that sorts rows into lists.
///
/// A service makes one for each of 100,000 rows in a few milliseconds.
package struct RowStanding: Sendable, Equatable {
    package var id: UInt64
    /// The position in the queue within its priority.
    package var position: UInt64
    /// Milliseconds of the model's clock.
    package var endedAt: Int64?
    package var state: RowState
    package var priority: Int8

    package init(id: UInt64, position: UInt64, endedAt: Int64? = nil, state: RowState, priority: Int8) {
        (self.id, self.position, self.endedAt) = (id, position, endedAt)
        (self.state, self.priority) = (state, priority)
    }

    package init(_ row: RowFigures) {
        self.init(
            id: row.id, position: row.position, endedAt: row.endedAt, state: row.state, priority: row.priority)
    }
}
