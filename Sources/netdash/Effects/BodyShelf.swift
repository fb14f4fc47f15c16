/// Which rows keep the bodies of their answers, so that what is kept in memory has a limit.
///
/// The newest stay. One that is larger than everything together may be keeps its place until the next one comes.
struct BodyShelf: Sendable {
    /// Bytes of all bodies together.
    let limit: Int
    private var sizes: [UInt64: Int] = [:]
    /// Oldest first.
    private var order: [UInt64] = []
    private var total = 0

    /// A shelf for so many bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Notes that a row keeps a body of so many bytes; answers the rows that have to give theirs up.
    mutating func put(_ id: UInt64, count: Int) -> [UInt64] {
        take(id)
        guard count > 0 else { return [] }
        sizes[id] = count
        order.append(id)
        total += count
        var evicted: [UInt64] = []
        while total > limit, let oldest = order.first, oldest != id {
            take(oldest)
            evicted.append(oldest)
        }
        return evicted
    }

    /// Notes that a row keeps no body any more.
    mutating func take(_ id: UInt64) {
        guard let count = sizes.removeValue(forKey: id) else { return }
        total -= count
        order.removeAll { $0 == id }
    }
}
