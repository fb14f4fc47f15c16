import CSessionSQLite

/// Checks a complete store before any of it is used or changed.
///
/// SQLite notices damage only in the pages that it happens to read, and none in the values of a row. A thousand rows
/// take less than two milliseconds.
struct StoreCheck {
    let database: SQLiteDatabase

    /// Throws a failure that counts as damage when the newest commits are missing.
    func newest(_ mark: StoreCommitMarker?) throws(SQLiteFailure) {
        let revision = try database.integer("SELECT revision FROM revisions WHERE id=1")
        guard let revision, revision >= 0 else { throw Self.damage(StoreReasons.noCommits) }
        guard let problem = mark?.contradiction(revision: revision) else { return }
        throw Self.damage(problem)
    }

    /// Throws a failure that counts as damage unless every row is present and unchanged.
    func rows() throws(SQLiteFailure) {
        try structure()
        let changed = try scan("transfers", TaskStoreRow.isSound())
        let changedCounts = try scan("progress", TaskStoreRow.areCountsSound())
        guard changed.changed == 0 else { throw Self.damage(StoreReasons.rowsChanged(changed.changed)) }
        guard changedCounts.changed == 0 else {
            throw Self.damage(StoreReasons.figuresChanged(changedCounts.changed))
        }
        let known = try database.integer("SELECT transfers FROM revisions WHERE id=1") ?? -1
        guard known == changed.count else {
            throw Self.damage(StoreReasons.otherCount(changed.count, expected: known))
        }
    }

    /// Throws a failure that counts as damage unless every page belongs to its table.
    func structure() throws(SQLiteFailure) {
        let findings = try database.texts("PRAGMA quick_check(1)")
        guard findings == ["ok"] else { throw Self.damage(findings.first ?? StoreReasons.noResult) }
    }

    /// Reads the rows of a table in the order of its pages.
    private func scan(_ table: String, _ isSound: String) throws(SQLiteFailure) -> (count: Int64, changed: Int) {
        let statement = try SQLiteStatement(database, "SELECT \(isSound) FROM \(table)")
        var (count, changed): (Int64, Int) = (0, 0)
        while try statement.step() {
            count += 1
            if statement.integer(0) == 0 { changed += 1 }
        }
        return (count, changed)
    }

    private static func damage(_ message: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: message)
    }
}
