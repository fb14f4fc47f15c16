/// A row's id as the key of a table.
///
/// Ids are counted up here, so nobody can choose them to collide, and a row is looked up at every event: one
/// multiplication spreads them.
struct RowKey: Hashable, Sendable {
    let id: UInt64

    init(_ id: UInt64) {
        self.id = id
    }

    func _rawHashValue(seed: Int) -> Int {
        let product = (id ^ UInt64(truncatingIfNeeded: seed)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 32)
    }
}
