import CSessionSQLite

/// The identification of a store's file, and the settings of its connections.
enum TaskStoreSchema {
    /// Marks the file as ours: "SCts".
    static let applicationID: Int64 = 0x5343_7473
    /// The supported version; a file of another version is left unchanged.
    static let version: Int64 = 1

    /// Settings of every connection.
    ///
    /// FULL syncs the log at every commit, so that committed changes survive a power cut; progress is committed with
    /// them.
    static let settings = [
        "PRAGMA synchronous=FULL", "PRAGMA secure_delete=ON", "PRAGMA cell_size_check=ON",
        "PRAGMA temp_store=MEMORY",
    ]

    /// Enlarges the page cache during an opening, which reads all pages several times, and frees it afterwards: with
    /// SQLite's usual 2 MB the pages of 10,000 transfers are read six times from the file.
    static func keepPages(_ isOpening: Bool, of database: SQLiteDatabase) throws(SQLiteFailure) {
        _ = try database.texts("PRAGMA cache_size=\(isOpening ? -16_384 : -2_000)")
        if !isOpening { _ = try database.texts("PRAGMA shrink_memory") }
    }

    /// Sets a connection up and creates the tables of a new file; throws a failure that counts as damage if the file is
    /// not a store.
    static func prepare(_ database: SQLiteDatabase) throws(SQLiteFailure) {
        // A full disk is an error and not SIGBUS, because SQLite maps only the log's index. EXCLUSIVE locking would keep
        // `netdash parts` from reading a session in use.
        let mode = try database.texts("PRAGMA journal_mode=WAL")
        guard mode == ["wal"] else {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: StoreReasons.noLog)
        }
        for setting in settings { _ = try database.texts(setting) }
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        let application = try database.integer("PRAGMA application_id") ?? 0
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw SQLiteFailure(code: SQLITE_NOTADB, message: StoreReasons.otherFile)
        }
        let found = try database.integer("PRAGMA user_version") ?? 0
        guard found != version else { return }
        guard found == 0 else { throw otherVersion(SQLITE_CANTOPEN) }
        try database.transaction { () throws(SQLiteFailure) in
            try database.execute("PRAGMA application_id=\(applicationID)")
            try database.execute(TaskStoreRow.tables)
            try database.execute("PRAGMA user_version=\(version)")
        }
    }

    /// The failure for a file of another version.
    static func otherVersion(_ code: Int32) -> SQLiteFailure {
        SQLiteFailure(code: code, message: StoreReasons.otherVersion)
    }
}
