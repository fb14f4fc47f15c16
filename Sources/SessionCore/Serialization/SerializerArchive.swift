/// The coded form of a serializer: its kind and its properties.
///
/// The library's own kinds have short names. Any other `Codable` serializer is stored under its type's name and found
/// again if that type is part of the program, as Foundation's archives find classes.
package struct SerializerArchive: Sendable {
    /// A kind of the library's own.
    package typealias Kind = (name: String, type: any (Codable & SendableMetatype).Type)

    let kinds: [Kind]

    package init(kinds: [Kind]) { self.kinds = kinds }

    private enum CodingKeys: String, CodingKey {
        case kind, value
    }

    package static let responses = SerializerArchive(kinds: [
        ("http", HTTPResponseSerializer.self), ("data", DataResponseSerializer.self),
        ("json", JSONResponseSerializer.self), ("propertyList", PropertyListResponseSerializer.self),
        ("string", StringResponseSerializer.self), ("compound", CompoundResponseSerializer.self),
    ])

    /// Encodes a serializer; fails if it is not `Codable`, or if its type has no name that can be found again.
    package func encode(_ serializer: Any, to encoder: any Encoder) throws {
        guard let codable = serializer as? any Codable, let name = name(of: type(of: codable)) else {
            let sentence = SerializationErrors.notCodable("\(type(of: serializer))")
            throw EncodingError.invalidValue(
                serializer, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: sentence))
        }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .kind)
        try codable.encode(to: values.superEncoder(forKey: .value))
    }

    /// Decodes a serializer; fails if it does not conform to the protocol or its type is not part of the program.
    package func decode<Serializer>(as type: Serializer.Type = Serializer.self, from decoder: any Decoder) throws
        -> Serializer
    {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .kind)
        guard let known = kind(named: name),
            let value = try known.init(from: values.superDecoder(forKey: .value)) as? Serializer
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: values, debugDescription: SerializationErrors.unknownKind(name))
        }
        return value
    }

    private func name(of type: any Codable.Type) -> String? {
        if let kind = kinds.first(where: { $0.type == type }) { return kind.name }
        guard let name = _mangledTypeName(type), kind(named: name) == type else { return nil }
        return name
    }

    private func kind(named name: String) -> (any Codable.Type)? {
        kinds.first { $0.name == name }?.type ?? _typeByName(name) as? any Codable.Type
    }
}
