/// Maps the hashes of destinations to the rows that stand for their downloads.
///
/// Every download of a list has an entry, so they are in one array that is at most four fifths full and grows by half:
/// an entry takes 20 to 30 bytes where a dictionary takes up to 42.
struct DestinationTable: Sendable {
    /// An entry; id 0 marks a gap.
    private struct Entry: Sendable {
        var hash: UInt64 = 0
        var id: UInt64 = 0
    }

    private static let leastCapacity = 16

    /// Each entry is at its hash's index, or after it without a gap between.
    private var entries: [Entry] = []
    private(set) var count = 0

    subscript(key: NumberKey) -> UInt64? {
        get { find(key.number).flatMap { entries[$0].id == 0 ? nil : entries[$0].id } }
        set {
            if let newValue { put(key.number, newValue) } else { remove(key.number) }
        }
    }

    /// The index of a hash, or of the gap for it; nil for an empty table.
    private func find(_ hash: UInt64) -> Int? {
        guard !entries.isEmpty else { return nil }
        var index = home(of: hash)
        while entries[index].id != 0, entries[index].hash != hash { index = next(index) }
        return index
    }

    private mutating func put(_ hash: UInt64, _ id: UInt64) {
        if (count + 1) * 5 > entries.count * 4 { grow() }
        guard let index = find(hash) else { return }
        if entries[index].id == 0 { count += 1 }
        entries[index] = Entry(hash: hash, id: id)
    }

    /// Removes an entry, and moves later ones that the gap would hide.
    private mutating func remove(_ hash: UInt64) {
        guard var gap = find(hash), entries[gap].id != 0 else { return }
        count -= 1
        var index = next(gap)
        while entries[index].id != 0 {
            let distance = distance(from: home(of: entries[index].hash), to: index)
            if distance >= self.distance(from: gap, to: index) {
                entries[gap] = entries[index]
                gap = index
            }
            index = next(index)
        }
        entries[gap] = Entry()
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: Entry(), count: max(old.count * 3 / 2, Self.leastCapacity))
        for entry in old where entry.id != 0 {
            if let index = find(entry.hash) { entries[index] = entry }
        }
    }

    private func home(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(entries.count)).high)
    }

    private func next(_ index: Int) -> Int { index + 1 == entries.count ? 0 : index + 1 }

    private func distance(from start: Int, to index: Int) -> Int {
        index >= start ? index - start : index - start + entries.count
    }
}
