/// Decodes Codable values from the tokens of a frame.
struct CBORDecoder: Decoder {
    private let tokens: CBORTokens
    private let index: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes the only value of a frame, which begins at an offset.
    static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8], at start: Int = 0) throws -> T {
        try T(from: Self(try CBORTokens(bytes, from: start), 0))
    }

    private init(_ tokens: CBORTokens, _ index: Int) { (self.tokens, self.index) = (tokens, index) }

    private var token: CBORTokens.Token { tokens[index] }

    private func wrong<T>(_ type: T.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: [], debugDescription: "a value of another kind"))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard token.major == .map else { throw wrong([String: Any].self) }
        return KeyedDecodingContainer(Keyed<Key>(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard token.major == .array else { throw wrong([Any].self) }
        return Unkeyed(self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    // MARK: - Values

    private var isNull: Bool { token.major == .simple && token.initial == CBOR.null }

    private func bool() throws -> Bool {
        guard token.major == .simple, token.initial == CBOR.yes || token.initial == CBOR.no else {
            throw wrong(Bool.self)
        }
        return token.initial == CBOR.yes
    }

    private func text() throws -> String {
        guard let text = tokens.text(index) else { throw wrong(String.self) }
        return text
    }

    private func double() throws -> Double {
        guard token.major == .simple, token.initial == CBOR.double else { throw wrong(Double.self) }
        return Double(bitPattern: token.argument)
    }

    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let number: T? =
            switch token.major {
            case .unsigned: T(exactly: token.argument)
            case .negative: T(exactly: -1 - Int64(token.argument))
            default: nil
            }
        guard let number else { throw wrong(type) }
        return number
    }

    // MARK: - Containers

    /// A class: the library's box copies it for each member.
    private final class Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        private let tokens: CBORTokens
        private let start: Int
        private let end: Int
        /// The index of the key after the member that was read last.
        private var cursor: Int

        init(_ decoder: CBORDecoder) {
            tokens = decoder.tokens
            start = decoder.index + 1
            end = decoder.token.next
            cursor = start
        }

        var codingPath: [any CodingKey] { [] }

        var allKeys: [Key] {
            var keys: [Key] = []
            var index = start
            while index < end {
                if let key = tokens.text(index).flatMap({ Key(stringValue: $0) }) { keys.append(key) }
                index = tokens[tokens[index].next].next
            }
            return keys
        }

        /// The member of a key and the index after it; members are usually read in the order they were written in.
        private func find(_ name: String) -> (value: Int, next: Int)? {
            find(name, from: cursor, to: end) ?? find(name, from: start, to: cursor)
        }

        private func find(_ name: String, from start: Int, to end: Int) -> (value: Int, next: Int)? {
            var index = start
            while index < end {
                let value = tokens[index].next
                let next = tokens[value].next
                if tokens.isText(index, name) { return (value, next) }
                index = next
            }
            return nil
        }

        private func take(_ key: Key) -> CBORDecoder? {
            guard let (value, next) = find(key.stringValue) else { return nil }
            cursor = next
            return CBORDecoder(tokens, value)
        }

        private func member(_ key: Key) throws -> CBORDecoder {
            guard let member = take(key) else {
                throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "missing"))
            }
            return member
        }

        func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

        func decodeNil(forKey key: Key) -> Bool {
            find(key.stringValue).map { CBORDecoder(tokens, $0.value).isNull } ?? true
        }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: member(key)) }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).bool() }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).text() }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).integer(type) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).integer(type) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).integer(type) }
        func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).integer(type) }

        /// The member of a key; nil for a missing one and for null.
        private func optional(_ key: Key) -> CBORDecoder? { take(key).flatMap { $0.isNull ? nil : $0 } }

        func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
            try optional(key).map { try T(from: $0) }
        }
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key)?.bool() }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key)?.text() }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key)?.integer(type) }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
            try optional(key)?.integer(type)
        }
        func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
            try optional(key)?.integer(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }

        func superDecoder() -> any Decoder { CBORDecoder(tokens, start - 1) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        private let decoder: CBORDecoder
        private var index: Int
        private(set) var currentIndex = 0

        init(_ decoder: CBORDecoder) {
            self.decoder = decoder
            index = decoder.index + 1
        }

        var codingPath: [any CodingKey] { [] }
        /// The number of elements; nil for many, for which a collection would reserve memory before the first is
        /// decoded.
        var count: Int? { decoder.token.argument <= 4_096 ? Int(decoder.token.argument) : nil }
        var isAtEnd: Bool { index >= decoder.token.next }

        private mutating func element() throws -> CBORDecoder {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    Any.self, .init(codingPath: [], debugDescription: "beyond the last element"))
            }
            let element = CBORDecoder(decoder.tokens, index)
            index = element.token.next
            currentIndex += 1
            return element
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, CBORDecoder(decoder.tokens, index).isNull else { return false }
            _ = try element()
            return true
        }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: element()) }
        mutating func decode(_ type: Int64.Type) throws -> Int64 { try element().integer(type) }
        mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element().integer(type) }
        mutating func decode(_ type: String.Type) throws -> String { try element().text() }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { try element().container(keyedBy: type) }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try element().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try element() }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: CBORDecoder

        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { decoder.isNull }
        func decode(_ type: Bool.Type) throws -> Bool { try decoder.bool() }
        func decode(_ type: String.Type) throws -> String { try decoder.text() }
        func decode(_ type: Double.Type) throws -> Double { try decoder.double() }
        func decode(_ type: Float.Type) throws -> Float { Float(try decoder.double()) }
        func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
        func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: decoder) }
    }
}
