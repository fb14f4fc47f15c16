/// Encodes Codable values as CBOR.
struct CBOREncoder: Encoder {
    private let output: CBOROutput

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode(_ value: some Encodable, after prefix: Int = 0) throws -> [UInt8] {
        let output = CBOROutput(capacity: 1024)
        for _ in 0..<prefix { output.append(0) }
        try value.encode(to: Self(output))
        return output.bytes
    }

    fileprivate init(_ output: CBOROutput) { self.output = output }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>(output: output, length: output.open(.map)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(output: output, length: output.open(.array)) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(output: output) }

    // MARK: - Containers

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let output: CBOROutput
        let length: Int

        var codingPath: [any CodingKey] { [] }

        private func begin(_ key: Key) -> CBOREncoder {
            output.count(at: length)
            output.write(key.stringValue)
            return CBOREncoder(output)
        }

        func encodeNil(forKey key: Key) { begin(key).output.append(CBOR.null) }
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try value.encode(to: begin(key)) }
        func encode(_ value: Bool, forKey key: Key) { begin(key).output.append(value ? CBOR.yes : CBOR.no) }
        func encode(_ value: String, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: Double, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: Int, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: Int8, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: Int16, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: Int32, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: Int64, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: UInt8, forKey key: Key) { begin(key).output.write(value) }
        func encode(_ value: UInt64, forKey key: Key) { begin(key).output.write(value) }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { begin(key).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { begin(key).unkeyedContainer() }
        func superEncoder() -> any Encoder { CBOREncoder(output) }
        func superEncoder(forKey key: Key) -> any Encoder { begin(key) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let output: CBOROutput
        let length: Int
        private(set) var count = 0

        init(output: CBOROutput, length: Int) { (self.output, self.length) = (output, length) }

        var codingPath: [any CodingKey] { [] }

        private mutating func begin() -> CBOREncoder {
            output.count(at: length)
            count += 1
            return CBOREncoder(output)
        }

        mutating func encodeNil() { begin().output.append(CBOR.null) }
        mutating func encode<T: Encodable>(_ value: T) throws { try value.encode(to: begin()) }
        mutating func encode(_ value: String) { begin().output.write(value) }
        mutating func encode(_ value: Int64) { begin().output.write(value) }
        mutating func encode(_ value: UInt64) { begin().output.write(value) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> { begin().container(keyedBy: type) }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { begin().unkeyedContainer() }
        mutating func superEncoder() -> any Encoder { begin() }
    }

    private struct Single: SingleValueEncodingContainer {
        let output: CBOROutput

        var codingPath: [any CodingKey] { [] }

        func encodeNil() { output.append(CBOR.null) }
        func encode(_ value: Bool) { output.append(value ? CBOR.yes : CBOR.no) }
        func encode(_ value: String) { output.write(value) }
        func encode(_ value: Double) { output.write(value) }
        func encode(_ value: Float) { output.write(Double(value)) }
        func encode(_ value: Int) { output.write(value) }
        func encode(_ value: Int8) { output.write(value) }
        func encode(_ value: Int16) { output.write(value) }
        func encode(_ value: Int32) { output.write(value) }
        func encode(_ value: Int64) { output.write(value) }
        func encode(_ value: UInt) { output.write(value) }
        func encode(_ value: UInt8) { output.write(value) }
        func encode(_ value: UInt16) { output.write(value) }
        func encode(_ value: UInt32) { output.write(value) }
        func encode(_ value: UInt64) { output.write(value) }
        func encode<T: Encodable>(_ value: T) throws { try value.encode(to: CBOREncoder(output)) }
    }
}
