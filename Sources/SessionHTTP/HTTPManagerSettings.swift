public import SessionCore
import SessionSupport

/// The settings of an HTTP manager, as a value that can be written down and read again.
///
/// Closures, interceptors, monitors and queues are none of it, nor are secrets: neither the fields of a request serializer
/// that carry one, nor the options of the configuration. A serializer of another module or of the program's own is, where
/// it is `Codable`.
///
/// ```swift
/// let data = try JSONEncoder().encode(http.settings)
/// let again = try HTTPManager(settings: JSONDecoder().decode(HTTPManagerSettings.self, from: data))
/// print(again.baseURL ?? "none")
/// ```
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
        settings.responseSerializer = manager.chosenSerializer
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

    private static let requests = SerializerArchive(kinds: [
        ("form", HTTPRequestSerializer.self), ("json", JSONRequestSerializer.self),
        ("propertyList", PropertyListRequestSerializer.self),
    ])

    /// Reads settings; fails for a serializer that is not part of the program.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            baseURL: values.decodeIfPresent(String.self, forKey: .baseURL),
            configuration: values.decode(SessionConfiguration.self, forKey: .configuration))
        securityPolicy = try values.decode(SecurityPolicy.self, forKey: .securityPolicy)
        hostSecurityPolicies = try values.decode(HostSecurityPolicies.self, forKey: .hostSecurityPolicies)
        requestSerializer = try Self.requests.decode(from: values.superDecoder(forKey: .requestSerializer))
        if values.contains(.responseSerializer) {
            responseSerializer = try SerializerArchive.responses.decode(
                as: (any ResponseSerializer).self, from: values.superDecoder(forKey: .responseSerializer))
        }
    }

    /// Writes settings; fails for a serializer that is not `Codable`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(baseURL, forKey: .baseURL)
        try values.encode(configuration, forKey: .configuration)
        try values.encode(securityPolicy, forKey: .securityPolicy)
        try values.encode(hostSecurityPolicies, forKey: .hostSecurityPolicies)
        try Self.requests.encode(requestSerializer, to: values.superEncoder(forKey: .requestSerializer))
        guard let responseSerializer else { return }
        try SerializerArchive.responses.encode(responseSerializer, to: values.superEncoder(forKey: .responseSerializer))
    }
}
