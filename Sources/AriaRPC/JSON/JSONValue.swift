/// A JSON value of a request or an answer.
///
/// Members keep their order: answers are written as their tables declare them, and a request of a million names costs
/// no hash table.
package enum JSONValue: Sendable, Equatable {
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: JSONValue

        package init(_ name: String, _ value: JSONValue) {
            (self.name, self.value) = (name, value)
        }
    }

    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is no integer of 64 bits, as it was written.
    case decimal(String)
    case string(String)
    case array([JSONValue])
    case object([Member])
    /// A part of an answer whose text is written already; no reader makes one.
    case written([UInt8])

    /// The value of a member, the last one of several; nil for a missing one and for another kind of value.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var list: [JSONValue]? { if case .array(let list) = self { list } else { nil } }

    /// The integer of a number, whose fraction is cut off as in aria2.
    package var number: Int64? {
        switch self {
        case .integer(let number): number
        case .decimal(let text): Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        case .null, .bool, .string, .array, .object, .written: nil
        }
    }

    /// A number as aria2 writes every number of an answer: as text.
    package static func digits(_ number: some BinaryInteger) -> JSONValue { .string(String(number)) }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self = .string(text) }
}
