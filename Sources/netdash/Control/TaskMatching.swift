import Dashboard
import Glibc
import TransferService

/// Finds the tasks of an order among the rows of a service.
extension TaskSelection {
    /// The selected rows in their order; `tags` has the tags of rows, and is only asked where they matter.
    func selectedTasks(among all: [RowSnapshot], tags tagsOf: ([UInt64]) -> [String?]) -> [RowSnapshot] {
        var rows = all
        if !ranges.isEmpty || !names.isEmpty {
            rows = rows.filter { row in
                ranges.contains { $0.contains(row.id) } || Self.names(of: row).contains { Self.fits($0, names) }
            }
        }
        for filter in filters { rows = RowSelection.rows(rows, matching: filter) }
        guard !tags.isEmpty else { return rows }
        return zip(rows, tagsOf(rows.map(\.id))).filter { $1.map { Self.fits($0, tags) } ?? false }.map(\.0)
    }

    /// The name of a row; of an upload also its file's, without the target.
    private static func names(of row: RowSnapshot) -> [String] {
        let name = row.name.string
        guard row.kind == .upload, let arrow = name.firstRange(of: " → ") else { return [name] }
        return [name, String(name[..<arrow.lowerBound])]
    }

    /// Whether a text is one of some names, or fits one of them as a pattern.
    private static func fits(_ text: String, _ names: [String]) -> Bool {
        names.contains { $0 == text || fnmatch($0, text, 0) == 0 }
    }
}
