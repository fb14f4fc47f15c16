import SessionSupport

/// Rows of an earlier run without their secrets, which were not saved; each waits for a job that has them.
struct LackingRows: Sendable {
    /// Rows by the hash of their destination without secrets.
    private var destinations: [NumberKey: UInt64] = [:]
    private var tags: [String: [UInt64]] = [:]

    var isEmpty: Bool { destinations.isEmpty && tags.isEmpty }

    mutating func add(_ id: UInt64, destination: NumberKey?, tag: String?) {
        if let destination { destinations[destination] = id }
        if let tag { tags[tag, default: []].append(id) }
    }

    mutating func remove(_ id: UInt64) {
        guard !isEmpty else { return }
        if let destination = destinations.first(where: { $0.value == id })?.key { destinations[destination] = nil }
        guard let tag = tags.first(where: { $0.value.contains(id) })?.key else { return }
        tags[tag]?.removeAll { $0 == id }
        if tags[tag]?.isEmpty == true { tags[tag] = nil }
    }

    func row(at destination: NumberKey) -> UInt64? { destinations[destination] }

    /// Oldest first.
    func rows(tagged tag: String) -> [UInt64] { tags[tag] ?? [] }
}
