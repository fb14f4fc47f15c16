import SessionSupport

/// What tells tasks of the same name apart outside the table.
extension Model {
    /// The words of some tasks by their ids, compared with each other and with the tasks that the table shows.
    package func distinctions(of ids: some Sequence<UInt64>) -> [UInt64: SafeText] {
        let wanted = Set(ids)
        let compared = wanted.union(drawnRows).sorted().compactMap { rows[$0] }
        let words = NameDistinction.words(of: compared.map(\.name)) { index in
            let row = compared[index]
            return NameDistinction.Origin(url: row.url, host: row.host, path: row.path)
        }
        return Dictionary(uniqueKeysWithValues: words.map { (compared[$0.key].id, $0.value) })
            .filter { wanted.contains($0.key) }
    }

    /// The names of the first three tasks of a question, with the words that tell them apart.
    func firstNames(of ids: [UInt64]) -> [SafeText] {
        let named = ids.lazy.compactMap { rows[$0] }.prefix(3)
        let words = distinctions(of: named.map(\.id))
        return named.map { [$0.name, words[$0.id] ?? ""].joined(by: " ") }
    }

    /// Whether another shown download writes to the path of one that has not ended, so that the name is not settled.
    func sharesPath(_ row: RowSnapshot) -> Bool {
        guard row.kind == .download, !row.state.isFinal, let path = row.path else { return false }
        return drawnRows.contains { id in
            guard id != row.id, let other = rows[id] else { return false }
            return other.kind == .download && !other.state.isFinal && other.path == path
        }
    }

    /// What stands beside the path of a row that shares it.
    func unsettledName(of row: RowSnapshot) -> SafeText { sharesPath(row) ? DetailsLabels.nameSettledAtEnd : "" }
}
