/// A value that is bound to a statement's parameter.
enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func integer(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }

    /// Numbers of all 64 bits are kept bit by bit: the file knows signed ones only.
    static func bits(_ value: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: value)) }

    static func optional(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }

    static func optional(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }

    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}
