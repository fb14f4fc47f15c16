/// When rows were added, by ids that grow with time: one entry for all rows of a millisecond, so that a long list takes
/// next to nothing.
struct AdditionMoments: Sendable {
    private var firsts: [(id: UInt64, time: Int64)] = []

    /// Notes that a row was added, at a moment of the monotonic clock.
    mutating func note(_ id: UInt64, at time: Int64) {
        if firsts.last?.time != time { firsts.append((id, time)) }
    }

    /// When a row was added; nil for one that is older than all that were noted.
    func moment(of id: UInt64) -> Int64? {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle].id <= id { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : firsts[low - 1].time
    }
}
