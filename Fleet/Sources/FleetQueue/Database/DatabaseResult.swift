internal import CPostgres

/// The rows of a statement.
///
/// A class because it owns libpq's memory.
package final class DatabaseResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    package var count: Int { Int(PQntuples(handle)) }

    /// The number of rows that an INSERT, UPDATE or DELETE has changed.
    package var changes: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// A value as text; nil for NULL.
    package subscript(row: Int, column: Int) -> String? {
        let (row, column) = (Int32(row), Int32(column))
        guard PQgetisnull(handle, row, column) == 0, let bytes = PQgetvalue(handle, row, column) else { return nil }
        return String(cString: bytes)
    }

    package func text(_ row: Int, _ column: Int) -> String { self[row, column] ?? "" }

    package func number(_ row: Int, _ column: Int) -> Int64? { self[row, column].flatMap { Int64($0) } }

    package func isTrue(_ row: Int, _ column: Int) -> Bool { self[row, column] == "t" }
}
