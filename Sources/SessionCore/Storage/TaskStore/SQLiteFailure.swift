import CSQLite

/// A result code of SQLite that is not success, and the sentence it had for it.
struct SQLiteFailure: Error, Sendable, Equatable {
    /// The extended result code.
    var code: Int32
    var message: String
    /// `errno` as SQLite saw it last, where a file operation failed.
    var errno: Int32 = 0

    /// Whether the file's contents are not what SQLite wrote, so that trying again is no use.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    /// The library's error for a store at a path.
    func sessionError(path: String) -> SessionError {
        let kind: SessionError.Code =
            switch code & 0xFF {
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY: .readOnly
            case SQLITE_PERM, SQLITE_AUTH: .permission
            case SQLITE_IOERR where errno != 0: SystemError.code(errno)
            default: .storage
            }
        return SessionError(
            kind, "The saved session \(path) cannot be used: \(message)", errno: errno == 0 ? nil : errno)
    }
}
