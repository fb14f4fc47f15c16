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
        var place = home(of: hash)
        while entries[place].id != 0, entries[place].hash != hash { place = next(place) }
        return place
    }

    private mutating func put(_ hash: UInt64, _ id: UInt64) {
        if (count + 1) * 5 > entries.count * 4 { grow() }
        guard let place = find(hash) else { return }
        if entries[place].id == 0 { count += 1 }
        entries[place] = Entry(hash: hash, id: id)
    }

    /// Removes an entry, and moves later ones that the gap would hide.
    private mutating func remove(_ hash: UInt64) {
        guard var gap = find(hash), entries[gap].id != 0 else { return }
        count -= 1
        var place = next(gap)
        while entries[place].id != 0 {
            let distance = distance(from: home(of: entries[place].hash), to: place)
            if distance >= self.distance(from: gap, to: place) {
                entries[gap] = entries[place]
                gap = place
            }
            place = next(place)
        }
        entries[gap] = Entry()
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: Entry(), count: max(old.count * 3 / 2, Self.leastCapacity))
        for entry in old where entry.id != 0 {
            if let place = find(entry.hash) { entries[place] = entry }
        }
    }

    private func home(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(entries.count)).high)
    }

    private func next(_ place: Int) -> Int { place + 1 == entries.count ? 0 : place + 1 }

    private func distance(from start: Int, to place: Int) -> Int {
        place >= start ? place - start : place - start + entries.count
    }
}
