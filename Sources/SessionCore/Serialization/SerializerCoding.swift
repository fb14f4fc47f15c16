import Foundation

// Foundation's option sets are integers and not `Codable`, so their owners are coded by hand.

extension JSONResponseSerializer: Codable {
    private enum CodingKeys: String, CodingKey {
        case validation, readingOptions, removesNullValues
    }

    /// Reads all properties.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let options = try values.decode(UInt.self, forKey: .readingOptions)
        try self.init(
            validation: values.decode(ResponseValidation.self, forKey: .validation),
            readingOptions: JSONSerialization.ReadingOptions(rawValue: options),
            removesNullValues: values.decode(Bool.self, forKey: .removesNullValues))
    }

    /// Writes all properties.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(validation, forKey: .validation)
        try values.encode(readingOptions.rawValue, forKey: .readingOptions)
        try values.encode(removesNullValues, forKey: .removesNullValues)
    }
}

extension PropertyListResponseSerializer: Codable {
    private enum CodingKeys: String, CodingKey {
        case validation, readOptions
    }

    /// Reads all properties.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let options = try values.decode(UInt.self, forKey: .readOptions)
        try self.init(
            validation: values.decode(ResponseValidation.self, forKey: .validation),
            readOptions: PropertyListSerialization.ReadOptions(rawValue: options))
    }

    /// Writes all properties.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(validation, forKey: .validation)
        try values.encode(readOptions.rawValue, forKey: .readOptions)
    }
}

extension CompoundResponseSerializer: Codable {
    private enum CodingKeys: String, CodingKey {
        case serializers, validation
    }

    /// Reads all properties; fails if a serializer's type is not part of the program.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        var list = try values.nestedUnkeyedContainer(forKey: .serializers)
        var serializers: [any ResponseSerializer] = []
        while !list.isAtEnd { try serializers.append(SerializerArchive.responses.decode(from: list.superDecoder())) }
        try self.init(serializers, validation: values.decode(ResponseValidation.self, forKey: .validation))
    }

    /// Writes all properties; fails if a serializer is not `Codable`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        var list = values.nestedUnkeyedContainer(forKey: .serializers)
        for serializer in serializers { try SerializerArchive.responses.encode(serializer, to: list.superEncoder()) }
        try values.encode(validation, forKey: .validation)
    }
}

extension StringResponseSerializer: Codable {
    private enum CodingKeys: String, CodingKey {
        case validation, encoding
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let encoding = try values.decode(UInt.self, forKey: .encoding)
        try self.init(
            validation: values.decode(ResponseValidation.self, forKey: .validation),
            encoding: String.Encoding(rawValue: encoding))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(validation, forKey: .validation)
        try values.encode(encoding.rawValue, forKey: .encoding)
    }
}
