import SessionSupport

/// The rows of the latest jobs that clients may add again, because they have lost the reply, by the jobs' numbers.
///
/// A saved row keeps its number, so that the next service knows it too.
struct AdditionKeys: Sendable {
    /// Several times the jobs of one command.
    private static let limit = 4_096

    private var rows: [UInt64: UInt64] = [:]
    private var keys: [UInt64: UInt64] = [:]
    private var order = FIFO<UInt64>()

    /// The row of a job.
    subscript(_ key: UInt64) -> UInt64? { rows[key] }

    /// The number of a row's job; nil for a row that no client adds again.
    func key(of id: UInt64) -> UInt64? { keys[id] }

    mutating func note(_ key: UInt64, of id: UInt64) {
        (rows[key], keys[id]) = (id, key)
        order.append(key)
        guard order.count > Self.limit, let oldest = order.popFirst() else { return }
        if let id = rows.removeValue(forKey: oldest) { keys[id] = nil }
    }
}
