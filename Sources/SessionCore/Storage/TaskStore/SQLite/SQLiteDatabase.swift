import CSessionSQLite

/// A connection to an SQLite file.
///
/// A class because it owns a C handle. It belongs to the thread that made it, and calls may block.
final class SQLiteDatabase {
    let handle: OpaquePointer
    private var isOpen = true

    /// Opens an existing file.
    init(path: String, onlyReads: Bool = false) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let access = onlyReads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let result = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else {
            throw SQLiteFailure(code: SQLITE_NOMEM, message: StoreReasons.noMemory)
        }
        handle = opened
        guard result == SQLITE_OK else {
            let failure = failure(result)
            close()
            throw failure
        }
        do throws(SQLiteFailure) {
            try check(sqlite3_extended_result_codes(handle, 1))
            try check(cs_harden(handle))
            try check(cs_add_digest(handle))
            try check(sqlite3_busy_timeout(handle, 5_000))
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Rows that the latest statement inserted, changed or deleted.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// True if the file's name is gone or refers to another file, so that writes would be lost.
    ///
    /// False if that is unknown.
    var hasMoved: Bool {
        var answer: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer) == SQLITE_OK && answer != 0
    }

    /// Closes the connection: the last one checkpoints the log into the file and removes it.
    ///
    /// Remaining statements keep the C handle alive until they are freed.
    func close() {
        guard isOpen else { return }
        isOpen = false
        // `sqlite3_close_v2` cannot fail.
        _ = sqlite3_close_v2(handle)
    }

    /// Closes a connection to a damaged file without further changes to file or log: both are evidence.
    func abandon() {
        // If this fails, the log is checkpointed after all, which loses only its separate copy.
        if isOpen { _ = cs_keep_log(handle) }
        close()
    }

    // MARK: Statements

    /// Runs statements without result rows.
    func execute(_ sql: String) throws(SQLiteFailure) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Returns the first column of a statement's first row as an integer.
    func integer(_ sql: String) throws(SQLiteFailure) -> Int64? {
        let statement = try SQLiteStatement(self, sql)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Returns the first column of every row as text.
    func texts(_ sql: String) throws(SQLiteFailure) -> [String] {
        let statement = try SQLiteStatement(self, sql)
        var result: [String] = []
        while try statement.step() { result.append(statement.text(0) ?? "") }
        return result
    }

    /// Runs a body in one transaction, which is durable on return and rolled back on an error.
    func transaction(_ body: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite has rolled back by itself after some errors, and the first error is the one to report.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    // MARK: Results

    func check(_ result: Int32) throws(SQLiteFailure) {
        guard result == SQLITE_OK else { throw failure(result) }
    }

    func failure(_ result: Int32) -> SQLiteFailure {
        SQLiteFailure(
            code: result, message: String(cString: sqlite3_errmsg(handle)), errno: sqlite3_system_errno(handle))
    }
}

@available(*, unavailable) extension SQLiteDatabase: Sendable {}

/// A result code of SQLite other than success, with its message.
struct SQLiteFailure: Error, Sendable, Equatable {
    var code: Int32
    var message: String
    /// SQLite's latest `errno`, if a file operation failed.
    var errno: Int32 = 0

    /// True if the file's contents are not what SQLite wrote, so that a retry is useless.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    /// True if a valid statement failed because of the file's schema or contents.
    var isDamageOfAnOpening: Bool { isDamage || code & 0xFF == SQLITE_ERROR }

    /// Returns the library's error for a store at a path.
    func sessionError(path: String) -> SessionError {
        let kind: SessionError.Code =
            switch code & 0xFF {
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY: .readOnly
            case SQLITE_PERM, SQLITE_AUTH: .permission
            case SQLITE_IOERR where errno != 0: SystemError.code(errno)
            default: .storage
            }
        let reason = code & 0xFF == SQLITE_IOERR && errno != 0 ? "\(message) (\(SystemError.words(errno)))" : message
        return SessionError(
            kind, StoreErrors.unusable(path, reason), errno: errno == 0 ? nil : errno)
    }
}

/// The library that stores sessions.
package enum StoreLibrary {
    /// Its name and version, as `SQLite/3.40.1`.
    package static var version: String { "SQLite/" + String(cString: sqlite3_libversion()) }
}
