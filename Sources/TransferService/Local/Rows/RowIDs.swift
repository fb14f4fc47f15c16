/// Stores row ids in order, as ranges of consecutive ids.
///
/// Rows mostly stay in the order they were added, so that a list of 100,000 is one range.
struct RowIDs: Sequence, Sendable, Equatable {
    /// Ranges before `head` are gone.
    private var runs: [ClosedRange<UInt64>] = []
    private var head = 0

    init() {}

    init(_ ids: some Sequence<UInt64>) {
        for id in ids { append(id) }
    }

    static func == (left: RowIDs, right: RowIDs) -> Bool { left.runs[left.head...] == right.runs[right.head...] }

    /// At most `limit` ids after `id`, which need not exist; for ascending ids, as rows have.
    func following(_ id: UInt64?, limit: Int) -> [UInt64] {
        var ids: [UInt64] = []
        for run in runs[head...] where id.map({ run.upperBound > $0 }) ?? true {
            let first = id.map { Swift.max(run.lowerBound, $0 + 1) } ?? run.lowerBound
            for next in first...run.upperBound {
                guard ids.count < limit else { return ids }
                ids.append(next)
            }
        }
        return ids
    }

    var isEmpty: Bool { head == runs.count }

    /// The ids as ranges of consecutive ones.
    var ranges: ArraySlice<ClosedRange<UInt64>> { runs[head...] }

    var count: Int { ranges.reduce(0) { $0 + $1.count } }

    var last: UInt64? { isEmpty ? nil : runs.last?.upperBound }

    func makeIterator() -> some IteratorProtocol<UInt64> { runs[head...].lazy.joined().makeIterator() }

    mutating func append(_ id: UInt64) {
        if let run = runs.last, !isEmpty, id > 0, run.upperBound == id - 1 {
            runs[runs.count - 1] = run.lowerBound...id
        } else {
            runs.append(id...id)
        }
    }

    mutating func popFirst() -> UInt64? {
        guard !isEmpty else { return nil }
        let run = runs[head]
        if run.lowerBound < run.upperBound {
            runs[head] = run.lowerBound + 1...run.upperBound
        } else {
            head += 1
            if head == runs.count || head >= 1_024 && head * 2 > runs.count {
                runs.removeFirst(head)
                head = 0
            }
        }
        return run.lowerBound
    }

    mutating func removeAll(where condition: (UInt64) -> Bool) {
        var kept = RowIDs()
        for id in self where !condition(id) { kept.append(id) }
        self = kept
    }
}
