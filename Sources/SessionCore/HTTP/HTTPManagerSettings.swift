import SessionSupport

/// What an HTTP manager is made of, as a value that can be written down and read again.
///
/// Closures, interceptors, monitors and queues are none of it, nor are secrets: neither the fields of a request serializer
/// that carry one, nor the options of the configuration.
public struct HTTPManagerSettings: Sendable {
    /// The URL that paths are resolved against.
    public var baseURL: String?
    /// How its session behaves; its identifier is a part of it.
    public var configuration: SessionConfiguration
    /// Puts parameters into requests.
    public var requestSerializer: any RequestSerializer
    /// Makes objects of bodies; nil for the default one.
    public var responseSerializer: (any ResponseSerializer)?
    /// How servers have to prove who they are.
    public var securityPolicy: SecurityPolicy
    /// How single hosts have to.
    public var hostSecurityPolicies: HostSecurityPolicies

    /// The settings of a manager that was given nothing but these.
    public init(baseURL: String? = nil, configuration: SessionConfiguration = .default) {
        (self.baseURL, self.configuration) = (baseURL, configuration)
        requestSerializer = HTTPRequestSerializer()
        (securityPolicy, hostSecurityPolicies) = (.default, HostSecurityPolicies())
    }
}

extension HTTPManager {
    /// What the manager is made of now.
    public var settings: HTTPManagerSettings {
        var settings = HTTPManagerSettings(baseURL: baseURL, configuration: manager.configuration)
        settings.requestSerializer = requestSerializer
        settings.responseSerializer = manager.state.withLock { $0.serializer }
        settings.securityPolicy = manager.securityPolicy
        settings.hostSecurityPolicies = manager.hostSecurityPolicies
        return settings
    }

    /// A manager of settings, with a session of its own.
    ///
    /// Throws ``RequestSerializationError`` for a base URL that is none, and ``SessionError/Code/invalidRequest`` for pins
    /// without a base URL of https.
    public convenience init(settings: HTTPManagerSettings) throws {
        let manager = SessionManager(configuration: settings.configuration)
        if let baseURL = settings.baseURL {
            try self.init(baseURL: baseURL, manager: manager)
        } else {
            self.init(manager: manager)
        }
        requestSerializer = settings.requestSerializer
        if let serializer = settings.responseSerializer { responseSerializer = serializer }
        if settings.securityPolicy != .default { try setSecurityPolicy(settings.securityPolicy) }
        manager.hostSecurityPolicies = settings.hostSecurityPolicies
    }
}

extension HTTPManagerSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case baseURL, configuration, requestSerializer, responseSerializer, securityPolicy, hostSecurityPolicies
    }

    private enum SerializerKeys: String, CodingKey {
        case kind, value
    }

    private static let requestKinds: [(name: String, type: any (RequestSerializer & Codable).Type)] = [
        ("form", HTTPRequestSerializer.self), ("json", JSONRequestSerializer.self),
        ("propertyList", PropertyListRequestSerializer.self),
    ]
    private static let responseKinds: [(name: String, type: any (ResponseSerializer & Codable).Type)] = [
        ("http", HTTPResponseSerializer.self), ("data", DataResponseSerializer.self),
        ("json", JSONResponseSerializer.self), ("propertyList", PropertyListResponseSerializer.self),
        ("string", StringResponseSerializer.self),
    ]

    /// Reads settings; fails for a serializer that nobody here knows.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            baseURL: values.decodeIfPresent(String.self, forKey: .baseURL),
            configuration: values.decode(SessionConfiguration.self, forKey: .configuration))
        securityPolicy = try values.decode(SecurityPolicy.self, forKey: .securityPolicy)
        hostSecurityPolicies = try values.decode(HostSecurityPolicies.self, forKey: .hostSecurityPolicies)
        requestSerializer = try Self.decode(.requestSerializer, of: values) { name in
            Self.requestKinds.first { $0.name == name }?.type
        }
        if values.contains(.responseSerializer) {
            responseSerializer = try Self.decode(.responseSerializer, of: values) { name in
                Self.responseKinds.first { $0.name == name }?.type
            }
        }
    }

    /// Writes settings; fails for a serializer of a program's own.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(baseURL, forKey: .baseURL)
        try values.encode(configuration, forKey: .configuration)
        try values.encode(securityPolicy, forKey: .securityPolicy)
        try values.encode(hostSecurityPolicies, forKey: .hostSecurityPolicies)
        try Self.encode(
            requestSerializer, as: Self.requestKinds.first { $0.type == type(of: requestSerializer) }?.name,
            forKey: .requestSerializer, to: &values)
        guard let responseSerializer else { return }
        try Self.encode(
            responseSerializer, as: Self.responseKinds.first { $0.type == type(of: responseSerializer) }?.name,
            forKey: .responseSerializer, to: &values)
    }

    private static func encode(
        _ serializer: Any, as name: String?, forKey key: CodingKeys, to values: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        guard let name, let codable = serializer as? any Encodable else {
            let sentence = "A serializer of the program's own cannot be written down: \(type(of: serializer))"
            throw EncodingError.invalidValue(
                serializer, EncodingError.Context(codingPath: values.codingPath + [key], debugDescription: sentence))
        }
        var inner = values.nestedContainer(keyedBy: SerializerKeys.self, forKey: key)
        try inner.encode(name, forKey: .kind)
        try codable.encode(to: inner.superEncoder(forKey: .value))
    }

    private static func decode<Serializer>(
        _ key: CodingKeys, of values: KeyedDecodingContainer<CodingKeys>, type: (String) -> (any Decodable.Type)?
    ) throws -> Serializer {
        let inner = try values.nestedContainer(keyedBy: SerializerKeys.self, forKey: key)
        let name = try inner.decode(String.self, forKey: .kind)
        guard let known = type(name),
            let value = try known.init(from: inner.superDecoder(forKey: .value)) as? Serializer
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: inner, debugDescription: "There is no serializer of the kind \(name)")
        }
        return value
    }
}
