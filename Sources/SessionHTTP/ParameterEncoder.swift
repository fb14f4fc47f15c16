import Foundation
import SessionCore

/// Makes parameters from a value of an `Encodable` type.
///
/// It exists beside Foundation's encoders because they recurse until the stack overflows on cyclic references; this one
/// limits the depth.
enum ParameterEncoder {
    static func encode(_ value: some Encodable) throws(RequestSerializationError) -> ParameterValue {
        do {
            return try ParameterEncoding.value(of: value, at: [])
        } catch let error as RequestSerializationError {
            throw error
        } catch {
            throw RequestSerializationError(.notEncodable(ParameterErrors.unencodable(error.sentence)))
        }
    }
}

/// The encoding of one value: a class, because containers that were handed out fill it later.
private final class ParameterEncoding: Encoder {
    /// The values encoded so far; unfilled containers are represented by themselves.
    enum Content {
        case nothing
        case single(ParameterValue)
        case members([String: ParameterEncoding])
        case elements([ParameterEncoding])
    }

    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    var content = Content.nothing

    init(_ codingPath: [any CodingKey]) { self.codingPath = codingPath }

    /// Converts a value; types with a special encoding come first.
    static func value(of value: some Encodable, at path: [any CodingKey]) throws -> ParameterValue {
        let encoding = ParameterEncoding(path)
        try encoding.encode(value)
        return encoding.value
    }

    func encode(_ value: some Encodable) throws {
        guard codingPath.count < RequestSerializationError.depthLimit else { throw RequestSerializationError(.tooDeep) }
        switch value {
        case let value as ParameterValue: content = .single(value)
        case let value as Data: content = .single(.data(value))
        case let value as Date: content = .single(.date(value))
        case let value as URL: content = .single(.string(value.absoluteString))
        case let value as Decimal: content = .single(.string("\(value)"))
        default: try value.encode(to: self)
        }
    }

    var value: ParameterValue {
        switch content {
        case .nothing: .object([:])
        case .single(let value): value
        case .members(let members): .object(members.mapValues(\.value))
        case .elements(let elements): .list(elements.map(\.value))
        }
    }

    func member(_ key: any CodingKey) -> ParameterEncoding {
        let member = ParameterEncoding(codingPath + [key])
        if case .members(var members) = content {
            content = .nothing
            members[key.stringValue] = member
            content = .members(members)
        } else {
            content = .members([key.stringValue: member])
        }
        return member
    }

    func element() -> ParameterEncoding {
        guard case .elements(var elements) = content else {
            let element = ParameterEncoding(codingPath + [ParameterKey(index: 0)])
            content = .elements([element])
            return element
        }
        let element = ParameterEncoding(codingPath + [ParameterKey(index: elements.count)])
        content = .nothing
        elements.append(element)
        content = .elements(elements)
        return element
    }

    var count: Int {
        guard case .elements(let elements) = content else { return 0 }
        return elements.count
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = content { content = .members([:]) }
        return KeyedEncodingContainer(ParameterMembers<Key>(encoding: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .nothing = content { content = .elements([]) }
        return ParameterElements(encoding: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ParameterSingle(encoding: self) }
}

/// The index of an element as a coding key.
private struct ParameterKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(index: Int) { (stringValue, intValue) = ("\(index)", index) }
    init?(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init?(intValue: Int) { self.init(index: intValue) }
}

private struct ParameterMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: ParameterEncoding
    var codingPath: [any CodingKey] { encoding.codingPath }

    func encodeNil(forKey key: Key) { encoding.member(key).content = .single(.null) }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoding.member(key).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { encoding.member(key).container(keyedBy: keyType) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoding.member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { superEncoder("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoding.member(key) }

    private func superEncoder(_ name: String) -> any Encoder {
        ParameterKey(stringValue: name).map { encoding.member($0) } ?? encoding
    }
}

private struct ParameterElements: UnkeyedEncodingContainer {
    let encoding: ParameterEncoding
    var codingPath: [any CodingKey] { encoding.codingPath }
    var count: Int { encoding.count }

    func encodeNil() { encoding.element().content = .single(.null) }

    func encode(_ value: some Encodable) throws { try encoding.element().encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> { encoding.element().container(keyedBy: keyType) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoding.element().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoding.element() }
}

private struct ParameterSingle: SingleValueEncodingContainer {
    let encoding: ParameterEncoding
    var codingPath: [any CodingKey] { encoding.codingPath }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) { set(.number(value)) }
    // The conversion goes through text, so that 0.1 stays 0.1.
    func encode(_ value: Float) { set(.number(Double("\(value)") ?? Double(value))) }
    func encode(_ value: Int) { set(.integer(value)) }
    func encode(_ value: Int8) { set(.integer(value)) }
    func encode(_ value: Int16) { set(.integer(value)) }
    func encode(_ value: Int32) { set(.integer(value)) }
    func encode(_ value: Int64) { set(.integer(value)) }
    func encode(_ value: UInt) { set(.integer(value)) }
    func encode(_ value: UInt8) { set(.integer(value)) }
    func encode(_ value: UInt16) { set(.integer(value)) }
    func encode(_ value: UInt32) { set(.integer(value)) }
    func encode(_ value: UInt64) { set(.integer(value)) }
    func encode(_ value: some Encodable) throws { try encoding.encode(value) }

    private func set(_ value: ParameterValue) { encoding.content = .single(value) }
}
