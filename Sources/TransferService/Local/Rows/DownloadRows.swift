/// The rows that stand for downloads, by the hashes of their destinations, and the rows beside them: the same download
/// with other options.
struct DownloadRows: Sendable {
    private var table = DestinationTable()
    /// By the row that stands for the download.
    private var others: [UInt64: [UInt64]] = [:]

    /// The row that stands for a download.
    subscript(key: NumberKey) -> UInt64? { table[key] }

    /// Lets a row stand for its download; the one that did is beside it from now on.
    mutating func put(_ id: UInt64, for key: NumberKey) {
        if let former = table[key], former != id {
            others[id] = [former] + (others.removeValue(forKey: former) ?? []).filter { $0 != id }
        }
        table[key] = id
    }

    /// Adds a row beside the one of the same download.
    mutating func add(_ id: UInt64, beside first: UInt64) { others[first, default: []].append(id) }

    /// All rows of a download, of which `first` stands for it.
    func rows(of first: UInt64) -> [UInt64] { [first] + (others[first] ?? []) }

    /// Forgets a row; one beside it stands for the download from now on.
    mutating func leave(_ id: UInt64, _ key: NumberKey) {
        guard let first = table[key] else { return }
        var rest = others.removeValue(forKey: first) ?? []
        rest.removeAll { $0 == id }
        if first == id { table[key] = rest.isEmpty ? nil : rest.removeFirst() }
        if !rest.isEmpty, let first = table[key] { others[first] = rest }
    }
}
