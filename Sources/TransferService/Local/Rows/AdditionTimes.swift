/// Records when rows were added, for ids that grow with time.
///
/// One entry serves all rows of a millisecond, so that a long list costs almost no memory.
struct AdditionTimes: Sendable {
    private var firsts: [(id: UInt64, time: Int64)] = []

    /// Adds a row at a moment of the monotonic clock.
    package mutating func add(_ id: UInt64, at time: Int64) {
        if firsts.last?.time != time { firsts.append((id, time)) }
    }

    /// The moment at which a row was added; nil for an id below the first entry.
    func moment(of id: UInt64) -> Int64? {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle].id <= id { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : firsts[low - 1].time
    }
}
