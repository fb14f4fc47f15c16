/// The SQL statements about rows, derived from the lists of columns.
enum TaskStoreRow {
    private static let columns = TaskStoreColumn.names
    private static let figures = TaskStoreFigure.names

    /// Creates the tables of a new store: transfers, their figures, and the counts of rows and commits.
    static let tables = """
        CREATE TABLE transfers (\(definitions(TaskStoreColumn.allCases.map { ($0.name, $0.type) }))) STRICT;
        CREATE TABLE progress (\(definitions(TaskStoreFigure.allCases.map { ($0.name, $0.type) }))) STRICT;
        CREATE TABLE revisions (
            id INTEGER PRIMARY KEY,
            revision INTEGER NOT NULL,
            transfers INTEGER NOT NULL
        ) STRICT;
        INSERT INTO revisions VALUES (1, 0, 0);
        """

    /// Returns the column definitions, plus the digest that shows whether a row is unchanged.
    private static func definitions(_ columns: [(name: String, type: String)]) -> String {
        (columns + [("digest", "INTEGER")]).map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    }

    /// The number of values in a stored row of transfers and in one of figures, digest included: recovery tells the
    /// tables apart by it.
    static let width = columns.count + 1
    static let figuresWidth = figures.count + 1

    /// The index of the result column that says whether a row is unchanged.
    static let soundness = Int32(columns.count + figures.count - 1)

    static let listOrder = "t.position, t.id"

    /// Selects rows with their figures and whether both are unchanged, in the user's order unless another is given.
    static func select(where condition: String, order: String = listOrder) -> String {
        let values = columns.map { "t.\($0)" } + figures.dropFirst().map { "p.\($0)" }
        let isSound = "\(isSound(of: "t")) AND (p.id IS NULL OR \(areCountsSound(of: "p")))"
        return """
            SELECT \((values + [isSound]).joined(separator: ", "))
            FROM transfers t LEFT JOIN progress p ON p.id=t.id WHERE \(condition) ORDER BY \(order)
            """
    }

    // MARK: Digests

    /// Inserts a row of ``values(_:)`` and its digest.
    static let insert = insertion(digest: digest(of: columns.indices.map { "?\($0 + 1)" }))
    /// Inserts a row with the digest that was read with it.
    ///
    /// Among rows with one number, a valid one stays.
    static let insertAsRead = insertion(
        digest: "?\(width)", unless: "EXISTS (SELECT 1 FROM transfers WHERE id=?1 AND \(isSound()))")

    /// Sets columns of a row, and its digest to the new row's.
    static func update(
        _ changes: KeyValuePairs<TaskStoreColumn, String>, where condition: String
    ) -> String {
        let new = Dictionary(uniqueKeysWithValues: changes.map { ($0.key, $0.value) })
        let digest = digest(of: TaskStoreColumn.allCases.map { new[$0] ?? $0.name })
        let all = changes.map { "\($0.key.name)=\($0.value)" } + ["digest=\(digest)"]
        return "UPDATE transfers SET \(all.joined(separator: ", ")) WHERE \(condition)"
    }

    /// Inserts the counts of an existing transfer, and their digest.
    static let insertCounts = """
        INSERT OR REPLACE INTO progress (\(figures.joined(separator: ", ")), digest)
        SELECT ?1, ?2, ?3, ?4, ?5, \(digest(of: figures.indices.map { "?\($0 + 1)" }))
        WHERE EXISTS (SELECT 1 FROM transfers WHERE id=?1)
        """

    /// Inserts counts with the digest that was read with them; among rows with one number, a valid one stays.
    static let insertCountsAsRead = """
        INSERT OR REPLACE INTO progress (\(figures.joined(separator: ", ")), digest)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM transfers WHERE id=?1)
        AND NOT EXISTS (SELECT 1 FROM progress WHERE id=?1 AND \(areCountsSound()))
        """

    /// The condition that a row is unchanged since its digest was written.
    static func isSound(of table: String = "transfers") -> String {
        "\(table).digest IS \(digest(of: columns.map { "\(table).\($0)" }))"
    }

    /// The condition that counts are unchanged since their digest was written.
    static func areCountsSound(of table: String = "progress") -> String {
        "\(table).digest IS \(digest(of: figures.map { "\(table).\($0)" }))"
    }

    private static func insertion(digest: String, unless condition: String = "0") -> String {
        let values = columns.indices.map { "?\($0 + 1)" } + [digest]
        return """
            INSERT OR REPLACE INTO transfers (\(columns.joined(separator: ", ")), digest)
            SELECT \(values.joined(separator: ", ")) WHERE NOT \(condition)
            """
    }

    private static func digest(of values: [String]) -> String { "row_digest(\(values.joined(separator: ", ")))" }

    /// Returns the stored text of a state, and an error's kind and sentence.
    static func words(_ standing: StoredTransfer.Status) -> (standing: String, code: String?, message: String?) {
        switch standing {
        case .unfinished: ("unfinished", nil, nil)
        case .finishing: ("finishing", nil, nil)
        case .completed: ("completed", nil, nil)
        case .failed(let code, let message): ("failed", code.rawValue, message)
        case .cancelled: ("cancelled", nil, nil)
        }
    }
}
