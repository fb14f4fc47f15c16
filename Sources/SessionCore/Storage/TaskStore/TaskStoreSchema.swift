import CSessionSQLite

/// What the database looks like, and how one of an earlier version becomes one of this.
enum TaskStoreSchema {
    /// Marks the file as ours: "SCts".
    static let applicationID: Int64 = 0x5343_7473
    /// The version this code reads and writes.
    static let version: Int64 = 7

    /// The step that leads to each version from the one before it, the empty file being version 0.
    ///
    /// A step that was published is never changed; a new version adds one.
    private static let migrations: [String] = [
        versionOne, versionTwo, versionThree, versionFour, versionFive, versionSix, versionSeven,
    ]

    /// A transfer's own row changes rarely; what changes every second lies in a narrow table beside it.
    private static let versionOne = """
        CREATE TABLE transfers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            url TEXT NOT NULL,
            method TEXT NOT NULL,
            headers TEXT NOT NULL,
            body_path TEXT,
            body BLOB,
            idle_timeout REAL,
            allows_http2 INTEGER,
            needs_credentials INTEGER NOT NULL,
            destination TEXT NOT NULL,
            folder TEXT,
            name TEXT,
            collision TEXT,
            adopts_part INTEGER,
            checksum TEXT,
            wanted TEXT NOT NULL,
            was_started INTEGER NOT NULL,
            standing TEXT NOT NULL,
            error_code TEXT,
            error_message TEXT,
            finishing_path TEXT,
            finishing_device INTEGER,
            finishing_inode INTEGER,
            part_path TEXT,
            file_path TEXT,
            label TEXT,
            created_at REAL NOT NULL,
            finished_at REAL
        ) STRICT;
        CREATE TABLE progress (
            id INTEGER PRIMARY KEY,
            received INTEGER NOT NULL,
            sent INTEGER NOT NULL,
            expected_to_receive INTEGER,
            expected_to_send INTEGER
        ) STRICT;
        """

    /// What the row of a transfer that has ended shows.
    private static let versionTwo = """
        ALTER TABLE transfers ADD COLUMN started_at REAL;
        ALTER TABLE transfers ADD COLUMN status_code INTEGER;
        ALTER TABLE transfers ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;
        """

    /// The steps of its last attempt.
    private static let versionThree = "ALTER TABLE transfers ADD COLUMN timings TEXT"

    /// What the program keeps with it for itself.
    private static let versionFour = "ALTER TABLE transfers ADD COLUMN annotation TEXT"

    /// How an upload goes on behind a cut, and where.
    private static let versionFive = "ALTER TABLE transfers ADD COLUMN upload TEXT"

    /// What the target says beside folder and name: mirrors, connections, times.
    private static let versionSix = "ALTER TABLE transfers ADD COLUMN target_options TEXT"

    /// What shows that a row is as it was written, and that none is missing: a digest of each row, and the number of rows
    /// and of commits.
    private static let versionSeven = """
        ALTER TABLE transfers ADD COLUMN digest INTEGER;
        ALTER TABLE progress ADD COLUMN digest INTEGER;
        CREATE TABLE revisions (
            id INTEGER PRIMARY KEY,
            revision INTEGER NOT NULL,
            transfers INTEGER NOT NULL
        ) STRICT;
        INSERT INTO revisions SELECT 1, 0, count(*) FROM transfers;
        """

    /// The numbers of columns that a transfer's row has had, from the first version to this one.
    static let columnCounts = 30...38
    /// What a row of an earlier version has in the columns that were added since.
    static let defaults: [SQLiteValue] = [.null, .null, .integer(0), .null, .null, .null, .null, .null]

    /// Settings of every connection.
    ///
    /// FULL syncs the log at every commit, so that what was committed survives a power cut; progress rides along.
    static let settings = [
        "PRAGMA synchronous=FULL", "PRAGMA secure_delete=ON", "PRAGMA cell_size_check=ON",
        "PRAGMA temp_store=MEMORY",
    ]

    /// Brings a database to this version; throws a failure that counts as damage when it is not one of ours.
    ///
    /// `keep` is called with the number of an earlier version before anything of it is changed.
    static func prepare(
        _ database: SQLiteDatabase, keep: (Int64) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        let mode = try database.texts("PRAGMA journal_mode=WAL")
        guard mode == ["wal"] else {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: "its folder does not allow a write-ahead log")
        }
        for setting in settings { _ = try database.texts(setting) }
        let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        let application = try database.integer("PRAGMA application_id") ?? 0
        guard application == applicationID || (application == 0 && tables == 0) else {
            throw SQLiteFailure(code: SQLITE_NOTADB, message: "it is not a saved session")
        }
        let found = try database.integer("PRAGMA user_version") ?? 0
        guard (0...version).contains(found) else {
            throw SQLiteFailure(code: SQLITE_CANTOPEN, message: "a newer version of this program wrote it")
        }
        guard found < version else { return }
        if found > 0 { try keep(found) }
        try database.transaction { () throws(SQLiteFailure) in
            try database.execute("PRAGMA application_id=\(applicationID)")
            for step in migrations[Int(found)...] { try database.execute(step) }
            for step in TaskStoreRow.seal { try database.execute(step) }
            try database.execute("PRAGMA user_version=\(version)")
        }
    }
}
