import SessionSupport

/// Rows of an earlier run whose secrets were not saved; each waits for a job that brings them.
struct LackingRows: Sendable {
    /// By the hashes of their destinations without secrets.
    private var places: [NumberKey: UInt64] = [:]
    private var tags: [String: [UInt64]] = [:]

    var isEmpty: Bool { places.isEmpty && tags.isEmpty }

    /// Adds a row; nil for what it does not have.
    mutating func add(_ id: UInt64, place: NumberKey?, tag: String?) {
        if let place { places[place] = id }
        if let tag { tags[tag, default: []].append(id) }
    }

    /// Removes a row, if it is here.
    mutating func remove(_ id: UInt64) {
        guard !isEmpty else { return }
        if let place = places.first(where: { $0.value == id })?.key { places[place] = nil }
        guard let tag = tags.first(where: { $0.value.contains(id) })?.key else { return }
        tags[tag]?.removeAll { $0 == id }
        if tags[tag]?.isEmpty == true { tags[tag] = nil }
    }

    /// The row of a destination.
    func row(at place: NumberKey) -> UInt64? { places[place] }

    /// The rows with a tag, oldest first.
    func rows(tagged tag: String) -> [UInt64] { tags[tag] ?? [] }
}
