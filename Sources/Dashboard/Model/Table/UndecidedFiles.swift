/// The downloads that wait for a decision about an existing file, and the ones that were asked about.
package struct UndecidedFiles: Sendable, Equatable {
    /// In the order in which they found their files.
    package private(set) var waiting: [UInt64] = []
    private var asked: Set<UInt64> = []

    /// Follows a row.
    mutating func follow(_ row: RowFigures) {
        if row.state == .paused, row.cause == .destinationExists, row.kind == .download {
            if !waiting.contains(row.id) { waiting.append(row.id) }
        } else if !waiting.isEmpty {
            forget(row.id)
        }
    }

    mutating func forget(_ id: UInt64) {
        waiting.removeAll { $0 == id }
        asked.remove(id)
    }

    /// The next one to ask about, once; nil for none.
    mutating func next() -> UInt64? {
        guard let id = waiting.first(where: { !asked.contains($0) }) else { return nil }
        asked.insert(id)
        return id
    }
}
