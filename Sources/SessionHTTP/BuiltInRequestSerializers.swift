public import Foundation
public import SessionCore

/// A serializer that writes bodies as browsers write forms (`application/x-www-form-urlencoded`); AFNetworking's
/// `AFHTTPRequestSerializer`.
///
/// Without parameters the body is empty and still has that content type, as in AFNetworking.
///
/// ```swift
/// http.requestSerializer = HTTPRequestSerializer()
/// _ = try await http.post("users", parameters: ["name": "Ada"])
/// ```
public struct HTTPRequestSerializer: RequestSerializer, Codable {
    /// The settings applied to every request.
    public var settings: RequestSettings

    /// A serializer with settings.
    public init(settings: RequestSettings = RequestSettings()) { self.settings = settings }

    /// Returns the query as bytes.
    public func body(
        of parameters: ParameterValue?, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody? {
        var query = ""
        if let parameters { query = try settings.query(of: parameters, for: request) }
        return EncodedBody(bytes: Array(query.utf8), contentType: "application/x-www-form-urlencoded")
    }
}

/// A serializer that writes bodies as JSON; without parameters there is neither a body nor a content type.
///
/// ```swift
/// http.requestSerializer = JSONRequestSerializer()
/// _ = try await http.post("users", parameters: ["name": "Ada", "tags": [1, 2]])
/// ```
public struct JSONRequestSerializer: RequestSerializer {
    /// The settings applied to every request.
    public var settings: RequestSettings
    /// The options for parameters; sorted keys by default, so that the same parameters give the same bytes.
    public var writingOptions: JSONSerialization.WritingOptions
    /// Makes the encoder for `Encodable` values; by default Foundation's with sorted keys.
    public var makeEncoder: @Sendable () -> JSONEncoder

    /// A serializer with settings.
    public init(
        settings: RequestSettings = RequestSettings(),
        writingOptions: JSONSerialization.WritingOptions = [.sortedKeys],
        makeEncoder: @escaping @Sendable () -> JSONEncoder = Self.standardEncoder
    ) {
        (self.settings, self.writingOptions, self.makeEncoder) = (settings, writingOptions, makeEncoder)
    }

    /// Foundation's encoder with sorted keys.
    public static let standardEncoder: @Sendable () -> JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// Returns the parameters as JSON; throws ``RequestSerializationError/Reason/invalidJSON(_:)`` for a number JSON
    /// cannot represent, and for a single value.
    public func body(
        of parameters: ParameterValue?, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody? {
        guard let parameters else { return nil }
        let object = try parameters.foundationObject(.json)
        guard JSONSerialization.isValidJSONObject(object) else {
            throw RequestSerializationError(.invalidJSON(ParameterReasons.jsonRoot))
        }
        do {
            return Self.body(try JSONSerialization.data(withJSONObject: object, options: writingOptions))
        } catch {
            throw RequestSerializationError(.invalidJSON(error.sentence), underlying: error)
        }
    }

    /// Returns the encoder's result for a value.
    public func body(
        encoding value: some Encodable, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody? {
        // Foundation's encoder never returns from cyclic references, so this detects them first.
        let parameters = try ParameterValue(encoding: value)
        // A `ParameterValue` is written as parameters are.
        if value is ParameterValue { return try body(of: parameters, for: request) }
        do {
            return Self.body(try makeEncoder().encode(value))
        } catch {
            throw RequestSerializationError(.invalidJSON(error.sentence), underlying: error)
        }
    }

    private static func body(_ data: Data) -> EncodedBody {
        EncodedBody(bytes: [UInt8](data), contentType: "application/json")
    }
}

/// The coding of a JSON serializer, without its encoder closure.
extension JSONRequestSerializer: Codable {
    private enum CodingKeys: String, CodingKey {
        case settings, writingOptions
    }

    /// Reads settings and options; the encoder is Foundation's.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let options = try values.decode(UInt.self, forKey: .writingOptions)
        try self.init(
            settings: values.decode(RequestSettings.self, forKey: .settings),
            writingOptions: JSONSerialization.WritingOptions(rawValue: options))
    }

    /// Writes settings and options.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(settings, forKey: .settings)
        try values.encode(writingOptions.rawValue, forKey: .writingOptions)
    }
}

/// A serializer that writes bodies as property lists; without parameters there is neither a body nor a content type.
///
/// ```swift
/// http.requestSerializer = PropertyListRequestSerializer()
/// ```
public struct PropertyListRequestSerializer: RequestSerializer {
    /// The settings applied to every request.
    public var settings: RequestSettings
    /// The format of the list; XML by default.
    public var format: PropertyListSerialization.PropertyListFormat

    /// A serializer with settings.
    public init(
        settings: RequestSettings = RequestSettings(), format: PropertyListSerialization.PropertyListFormat = .xml
    ) {
        (self.settings, self.format) = (settings, format)
    }

    /// Returns the parameters as a list; throws ``RequestSerializationError/Reason/invalidPropertyList(_:)`` for null,
    /// which a list cannot contain.
    public func body(
        of parameters: ParameterValue?, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody? {
        guard let parameters else { return nil }
        let object = try parameters.foundationObject(.propertyList)
        do {
            return Self.body(
                try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
        } catch {
            throw RequestSerializationError(.invalidPropertyList(error.sentence), underlying: error)
        }
    }

    /// Returns the result of Foundation's encoder for a value.
    public func body(
        encoding value: some Encodable, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody? {
        // Foundation's encoder never returns from cyclic references, so this detects them first.
        let parameters = try ParameterValue(encoding: value)
        if value is ParameterValue { return try body(of: parameters, for: request) }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        do {
            return Self.body(try encoder.encode(value))
        } catch {
            throw RequestSerializationError(.invalidPropertyList(error.sentence), underlying: error)
        }
    }

    private static func body(_ data: Data) -> EncodedBody {
        EncodedBody(bytes: [UInt8](data), contentType: "application/x-plist")
    }
}

extension PropertyListRequestSerializer: Codable {
    private enum CodingKeys: String, CodingKey {
        case settings, format
    }

    /// Reads settings and format.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        settings = try values.decode(RequestSettings.self, forKey: .settings)
        format =
            PropertyListSerialization.PropertyListFormat(
                rawValue: try values.decode(UInt.self, forKey: .format)) ?? .xml
    }

    /// Writes settings and format.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(settings, forKey: .settings)
        try values.encode(format.rawValue, forKey: .format)
    }
}

extension ParameterValue {
    /// The target format of Foundation's objects.
    enum Notation {
        case json, propertyList
    }

    /// Converts the parameters to the objects that Foundation's serializers take.
    func foundationObject(_ notation: Notation, depth: Int = 0) throws(RequestSerializationError) -> Any {
        guard depth < RequestSerializationError.depthLimit else { throw RequestSerializationError(.tooDeep) }
        switch self {
        case .null:
            guard notation == .json else {
                throw RequestSerializationError(.invalidPropertyList(ParameterReasons.noNull))
            }
            return NSNull()
        case .bool(let value): return value
        case .integer(let value): return value
        case .unsigned(let value): return value
        case .number(let value): return value
        case .string(let value): return value
        case .data(let value): return notation == .json ? value.base64EncodedString() : value
        case .date(let value): return notation == .json ? value.formatted(.iso8601) : value
        case .list(let elements): return try Self.objects(elements, notation, depth: depth)
        case .set(let elements): return try Self.objects(Self.sorted(elements), notation, depth: depth)
        case .object(let members):
            var result: [String: Any] = [:]
            for (name, member) in members { result[name] = try member.foundationObject(notation, depth: depth + 1) }
            return result
        }
    }

    private static func objects(
        _ elements: [ParameterValue], _ notation: Notation, depth: Int
    ) throws(RequestSerializationError) -> [Any] {
        var result: [Any] = []
        for element in elements { result.append(try element.foundationObject(notation, depth: depth + 1)) }
        return result
    }
}
