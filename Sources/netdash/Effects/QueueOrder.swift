/// The rows that wait, in the order in which they will run.
///
/// The keys stay where they are and rows change between them: a row that moves up takes the key of the one before it.
struct QueueOrder {
    private var ids: [UInt64]
    private let before: [UInt64]
    private let keys: [TransferRow.QueueKey]

    /// The order of rows by their keys.
    init(_ waiting: [(id: UInt64, key: TransferRow.QueueKey)]) {
        let sorted = waiting.sorted { $0.key < $1.key }
        before = sorted.map(\.id)
        ids = before
        keys = sorted.map(\.key)
    }

    /// Moves rows one place towards the front or the end.
    ///
    /// Rows that move together stop at the end of the queue one behind the other.
    mutating func move(_ moving: Set<UInt64>, towardsFront: Bool) {
        guard ids.count > 1 else { return }
        let step = towardsFront ? -1 : 1
        for offset in 1..<ids.count {
            let index = towardsFront ? offset : ids.count - 1 - offset
            if moving.contains(ids[index]), !moving.contains(ids[index + step]) { ids.swapAt(index, index + step) }
        }
    }

    /// The rows that have another key now.
    var changes: [(id: UInt64, key: TransferRow.QueueKey)] {
        ids.indices.filter { ids[$0] != before[$0] }.map { (ids[$0], keys[$0]) }
    }
}
