import Dashboard

/// A number as the key of a table that is asked at every event: an id that is counted up, or what is a hash already.
///
/// Nobody can choose such numbers to collide, so one multiplication by an odd number is enough: numbers that follow each
/// other get places of their own, and these lie apart, so that taking one out does not move a long row of others.
struct NumberKey: Hashable, Sendable {
    let number: UInt64

    init(_ number: UInt64) {
        self.number = number
    }

    func _rawHashValue(seed: Int) -> Int {
        seed ^ Int(truncatingIfNeeded: (number ^ number >> 16) &* 0x9E37_79B9_7F4A_7C15)
    }
}

extension JobDestination {
    /// What stands for it in a table; two that differ have the same one hardly ever.
    var key: NumberKey { NumberKey(UInt64(bitPattern: Int64(hashValue))) }
}
