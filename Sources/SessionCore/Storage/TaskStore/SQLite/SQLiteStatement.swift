import CSessionSQLite

/// A prepared statement.
///
/// A class because it owns a C handle; it belongs to the thread of its database.
final class SQLiteStatement {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    init(_ database: SQLiteDatabase, _ sql: String) throws(SQLiteFailure) {
        var prepared: OpaquePointer?
        try database.check(sqlite3_prepare_v2(database.handle, sql, -1, &prepared, nil))
        guard let prepared else { throw SQLiteFailure(code: SQLITE_MISUSE, message: StoreReasons.emptyStatement) }
        self.database = database
        handle = prepared
    }

    // The result is the error of the last step, which was reported then.
    deinit { _ = sqlite3_finalize(handle) }

    // MARK: Running

    /// Steps to the next row; false at the end.
    func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw database.failure(result)
        }
    }

    /// Binds values to the parameters in order, runs a statement without result rows, and resets it.
    func run(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        defer { _ = sqlite3_reset(handle) }
        try bind(values)
        _ = try step()
    }

    /// Binds values to the parameters in order.
    func bind(_ values: [SQLiteValue]) throws(SQLiteFailure) {
        for (index, value) in values.enumerated() { try bind(Int32(index) + 1, value) }
    }

    private func bind(_ index: Int32, _ value: SQLiteValue) throws(SQLiteFailure) {
        let result: Int32
        switch value {
        case .null:
            result = sqlite3_bind_null(handle, index)
        case .integer(let number):
            result = sqlite3_bind_int64(handle, index, number)
        case .real(let number):
            result = sqlite3_bind_double(handle, index, number)
        case .text(var text):
            result = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { cs_bind_text(handle, index, $0.baseAddress, Int64($0.count)) }
            }
        case .blob(let bytes):
            result = bytes.withUnsafeBytes { cs_bind_blob(handle, index, $0.baseAddress, Int64($0.count)) }
        }
        try database.check(result)
    }

    // MARK: Columns of the current row

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func real(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(handle, column) }

    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        let bytes = sqlite3_column_blob(handle, column)
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }
}

@available(*, unavailable) extension SQLiteStatement: Sendable {}

/// A value for a statement's parameter.
enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func integer(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }

    /// Stores all 64 bits as they are, because the file has only signed integers.
    static func bits(_ value: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: value)) }

    static func optional(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }

    static func optional(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }

    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}
