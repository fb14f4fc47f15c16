import TransferService

/// The details of the rows that were selected last, for a window whose service is another process.
///
/// A key that returns to such a row shows them at once; over a forwarded socket the service may be far away.
struct RecentDetails: Sendable {
    /// Details may contain a body, so few are kept.
    private static let limit = 16

    private var details: [UInt64: RowDetails] = [:]
    /// The ids from the oldest to the newest.
    private var order: [UInt64] = []

    /// The number of updates with changes of rows.
    private(set) var changeCount = 0

    subscript(id: UInt64) -> RowDetails? { details[id] }

    /// Keeps a row's details; nil for a row that no longer exists.
    mutating func keep(_ new: RowDetails?, of id: UInt64) {
        forget(id)
        guard let new else { return }
        details[id] = new
        order.append(id)
        if order.count > Self.limit { details[order.removeFirst()] = nil }
    }

    /// Forgets the rows that have changed since.
    mutating func forget(_ update: TransferUpdate) {
        if update.concernsTransfers || update.isCut { changeCount += 1 }
        if update.isCut { (details, order) = ([:], []) }
        for row in update.rows { forget(row.id) }
        for row in update.figures { forget(row.id) }
        for case .removed(let ids) in update.notices { ids.forEach { forget($0) } }
    }

    private mutating func forget(_ id: UInt64) {
        guard details.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }
}
