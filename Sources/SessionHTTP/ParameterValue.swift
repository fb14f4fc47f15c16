public import Foundation
public import SessionCore

/// A parameter of a request: a string, a number, a Boolean, bytes, null, or a collection of parameters.
///
/// Literals are parameters, so that a call reads `["page": 2, "tags": ["a", "b"], "draft": false]`. `Encodable` values
/// and untyped dictionaries become parameters through an initializer, which throws for values that cannot be sent: a
/// cyclic graph, a NaN.
///
/// ```swift
/// let parameters: ParameterValue = ["page": 2, "tags": ["a", "b"], "draft": false]
/// _ = try await http.get("notes", parameters: parameters)
/// ```
public indirect enum ParameterValue: Sendable, Hashable {
    /// Null: a key without a value in a query, null in JSON.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// An integer larger than the largest signed one.
    case unsigned(UInt64)
    /// A number with a fraction.
    case number(Double)
    /// A string.
    case string(String)
    /// Bytes: unchanged in forms and property lists, Base64 in queries and JSON.
    case data(Data)
    /// A date: native in property lists, ISO 8601 elsewhere.
    case date(Date)
    /// Values in order.
    case list([ParameterValue])
    /// Values without an order: a query repeats the key for each, sorted; other formats get a sorted list.
    case set(Set<ParameterValue>)
    /// Named values.
    case object([String: ParameterValue])

    /// The text of a single value, as queries and forms show it; nil for null and for collections.
    ///
    /// Booleans are `1` and `0` and integers have no fraction, as in AFNetworking.
    public var text: String? {
        switch self {
        case .null, .list, .set, .object: nil
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let value): Self.text(of: value)
        case .string(let value): value
        case .data(let value): value.base64EncodedString()
        case .date(let value): value.formatted(.iso8601)
        }
    }

    /// Decimals up to 21 digits for an integral number, as in ECMAScript; otherwise the shortest text that means the
    /// number.
    private static func text(of number: Double) -> String {
        guard abs(number) < 1e21, let integer = Int128(exactly: number) else { return "\(number)" }
        return "\(integer)"
    }

    /// The elements of a set, ordered by their texts.
    static func sorted(_ elements: Set<ParameterValue>) -> [ParameterValue] {
        elements.sorted { ($0.text ?? "\($0)") < ($1.text ?? "\($1)") }
    }
}

extension ParameterValue {
    /// The parameters of an `Encodable` value.
    ///
    /// Throws ``RequestSerializationError/Reason/tooDeep`` for cyclic references, and
    /// ``RequestSerializationError/Reason/notEncodable(_:)`` if the type itself refuses.
    public init(encoding value: some Encodable) throws(RequestSerializationError) {
        self = try ParameterEncoder.encode(value)
    }

    /// The parameters of untyped values: dictionaries with string keys, arrays, sets, strings, numbers of every kind,
    /// data, dates, URLs, `NSNull` and `nil`.
    ///
    /// Throws for anything else, and for values nested too deep. A Foundation container that contains itself cannot
    /// even be read on Linux, and ends the process; nothing here can prevent that.
    public init(untyped value: Any) throws(RequestSerializationError) {
        try self.init(untyped: value, depth: 0)
    }

    private init(untyped value: Any, depth: Int) throws(RequestSerializationError) {
        guard depth < RequestSerializationError.depthLimit else { throw RequestSerializationError(.tooDeep) }
        // Foundation objects are handled apart: casts would turn its numbers into Booleans, and Swift's values into
        // its.
        guard !(type(of: value) is AnyClass) else {
            try self.init(object: value, depth: depth)
            return
        }
        switch value {
        case let value as ParameterValue: self = value
        case let value as Bool: self = .bool(value)
        case let value as any BinaryInteger: self = Self.integer(value)
        case let value as Double: self = .number(value)
        // The conversion goes through text, so that 0.1 stays 0.1.
        case let value as Float: self = .number(Double("\(value)") ?? Double(value))
        case let value as String: self = .string(value)
        case let value as Substring: self = .string(String(value))
        case let value as Decimal: self = Self.decimal("\(value)")
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as URL: self = .string(value.absoluteString)
        default: try self.init(collection: value, depth: depth)
        }
    }

    private init(object: Any, depth: Int) throws(RequestSerializationError) {
        switch object {
        case is NSNull: self = .null
        case let number as NSDecimalNumber: self = Self.decimal(number.stringValue)
        case let number as NSNumber: self = Self.number(number)
        case let text as NSString: self = .string("\(text)")
        case let bytes as NSData: self = .data(Data(referencing: bytes))
        case let date as NSDate: self = .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate))
        case let url as NSURL: self = .string(url.absoluteString)
        case let members as NSDictionary: self = .object(try Self.members(of: members, depth: depth))
        case let elements as NSArray: self = .list(try Self.elements(of: elements.map { $0 }, depth: depth))
        case let elements as NSSet: self = .set(Set(try Self.elements(of: elements.allObjects, depth: depth)))
        default: throw Self.refusal(of: object)
        }
    }

    private init(collection value: Any, depth: Int) throws(RequestSerializationError) {
        let children = Mirror(reflecting: value)
        switch children.displayStyle {
        case .collection: self = .list(try Self.elements(of: children.children.map(\.value), depth: depth))
        case .set: self = .set(Set(try Self.elements(of: children.children.map(\.value), depth: depth)))
        case .dictionary:
            guard let members = value as? [String: Any] else {
                throw RequestSerializationError(.notEncodable(ParameterErrors.otherKeys))
            }
            self = .object(try Self.members(of: members, depth: depth))
        case .optional:
            guard let child = children.children.first else {
                self = .null
                return
            }
            try self.init(untyped: child.value, depth: depth)
        default: throw Self.refusal(of: value)
        }
    }

    private static func refusal(of value: Any) -> RequestSerializationError {
        RequestSerializationError(.notEncodable(ParameterErrors.otherType("\(type(of: value))")))
    }

    /// A decimal number by its digits: Foundation's own conversion to a double makes 19.990000000000002 of 19.99.
    private static func decimal(_ digits: String) -> ParameterValue {
        let number = Double(digits) ?? .nan
        // From 2^53 on a double has not every integer.
        guard abs(number) >= 0x1p53 else { return .number(number) }
        return Int64(digits).map { .integer($0) } ?? UInt64(digits).map { .unsigned($0) } ?? .number(number)
    }

    private static func number(_ number: NSNumber) -> ParameterValue {
        switch String(cString: number.objCType) {
        // These types are one byte, which is how Booleans are stored.
        case "c", "B": .bool(number.boolValue)
        case "f": .number(Double("\(number.floatValue)") ?? number.doubleValue)
        case "d": .number(number.doubleValue)
        case "Q": integer(number.uint64Value)
        default: .integer(number.int64Value)
        }
    }

    private static func members(
        of object: NSDictionary, depth: Int
    ) throws(RequestSerializationError) -> [String: ParameterValue] {
        var members: [String: ParameterValue] = [:]
        for (key, value) in object {
            guard let name = key as? String else {
                throw RequestSerializationError(.notEncodable(ParameterErrors.otherKey("\(key)")))
            }
            members[name] = try ParameterValue(untyped: value, depth: depth + 1)
        }
        return members
    }

    private static func members(
        of object: [String: Any], depth: Int
    ) throws(RequestSerializationError) -> [String: ParameterValue] {
        var members: [String: ParameterValue] = [:]
        for (name, value) in object { members[name] = try ParameterValue(untyped: value, depth: depth + 1) }
        return members
    }

    private static func elements(
        of values: [Any], depth: Int
    ) throws(RequestSerializationError) -> [ParameterValue] {
        var elements: [ParameterValue] = []
        for value in values { elements.append(try ParameterValue(untyped: value, depth: depth + 1)) }
        return elements
    }

    /// An integer of any width.
    static func integer(_ value: some BinaryInteger) -> ParameterValue {
        if let small = Int64(exactly: value) { return .integer(small) }
        return UInt64(exactly: value).map { .unsigned($0) } ?? .string("\(value)")
    }
}

extension ParameterValue: Encodable {
    /// Writes the value in its natural form; a set as a sorted list.
    public func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch self {
        case .null: try single.encodeNil()
        case .bool(let value): try single.encode(value)
        case .integer(let value): try single.encode(value)
        case .unsigned(let value): try single.encode(value)
        case .number(let value): try single.encode(value)
        case .string(let value): try single.encode(value)
        case .data(let value): try single.encode(value)
        case .date(let value): try single.encode(value)
        case .list(let elements): try single.encode(elements)
        case .set(let elements): try single.encode(Self.sorted(elements))
        case .object(let members): try single.encode(members)
        }
    }
}

extension ParameterValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
    /// Named values; the last of several with one name counts.
    public init(dictionaryLiteral elements: (String, ParameterValue)...) {
        self = .object(Dictionary(elements) { _, later in later })
    }

    /// Values in order.
    public init(arrayLiteral elements: ParameterValue...) { self = .list(elements) }

    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension ParameterValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension ParameterValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .number(value) }
}
