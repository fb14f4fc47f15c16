/// A bit set of descriptors, which are small numbers because the system assigns the lowest free one.
struct DescriptorSet {
    private var words: [UInt64] = []

    /// Adds a descriptor; ignores negative numbers.
    mutating func insert(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        let (word, bit) = Self.position(descriptor)
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        words[word] |= bit
    }

    /// Removes a descriptor, and returns whether it was in the set.
    mutating func remove(_ descriptor: Int32) -> Bool {
        guard descriptor >= 0 else { return false }
        let (word, bit) = Self.position(descriptor)
        guard word < words.count, words[word] & bit != 0 else { return false }
        words[word] &= ~bit
        return true
    }

    private static func position(_ descriptor: Int32) -> (word: Int, bit: UInt64) {
        (Int(descriptor) / UInt64.bitWidth, 1 << UInt64(Int(descriptor) % UInt64.bitWidth))
    }
}
