public import SessionCore
import SessionSupport

/// The settings of an HTTP manager, as a value that can be stored and read again.
///
/// It excludes closures, interceptors, monitors and queues. What is written excludes secrets too: header fields that
/// carry one, user name and password of the base URL, secret values in it, and the options of the configuration. A
/// `Codable` serializer of another module or of the program is included.
///
/// ```swift
/// let data = try JSONEncoder().encode(http.settings)
/// let again = try HTTPManager(settings: JSONDecoder().decode(HTTPManagerSettings.self, from: data))
/// print(again.baseURL ?? "none")
/// ```
public struct HTTPManagerSettings: Sendable {
    /// The URL that paths are resolved against.
    public var baseURL: String?
    /// The configuration of its session, including its identifier.
    public var configuration: SessionConfiguration
    /// Puts parameters into requests.
    public var requestSerializer: any RequestSerializer
    /// Makes objects from bodies; nil for the default one.
    public var responseSerializer: (any ResponseSerializer)?
    /// The requirements for a server's identity.
    public var securityPolicy: SecurityPolicy
    /// The security policies of single hosts.
    public var hostSecurityPolicies: HostSecurityPolicies
    /// Header fields of every task, unless its request sets them: ``SessionCore/SessionManager/requestHeaders``.
    public var requestHeaders = HeaderFields()

    /// The settings of a manager that was given only these values.
    public init(baseURL: String? = nil, configuration: SessionConfiguration = .default) {
        (self.baseURL, self.configuration) = (baseURL, configuration)
        requestSerializer = HTTPRequestSerializer()
        (securityPolicy, hostSecurityPolicies) = (.default, HostSecurityPolicies())
    }
}

extension HTTPManager {
    /// The manager's current settings.
    public var settings: HTTPManagerSettings {
        var settings = HTTPManagerSettings(baseURL: baseURL, configuration: manager.configuration)
        settings.requestSerializer = requestSerializer
        settings.responseSerializer = manager.chosenSerializer
        settings.securityPolicy = manager.securityPolicy
        settings.hostSecurityPolicies = manager.hostSecurityPolicies
        settings.requestHeaders = manager.requestHeaders.snapshot
        return settings
    }

    /// A manager with these settings and its own session.
    ///
    /// Throws ``RequestSerializationError`` for an invalid base URL, and ``SessionError/Code/invalidRequest`` for pins
    /// without an https base URL.
    public convenience init(settings: HTTPManagerSettings) throws {
        // Refused settings open no session, and restored tasks run with all of the others.
        let baseURL = try settings.baseURL.map(HTTPManager.normalised)
        try HTTPManager.check(settings.securityPolicy, baseURL: baseURL)
        let manager = SessionManager(
            configuration: settings.configuration, securityPolicy: settings.securityPolicy,
            hostSecurityPolicies: settings.hostSecurityPolicies, responseSerializer: settings.responseSerializer)
        self.init(checked: baseURL, manager: manager, settings.requestSerializer, settings.requestHeaders)
    }
}

extension HTTPManagerSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case baseURL, configuration, requestSerializer, responseSerializer, securityPolicy, hostSecurityPolicies
        case requestHeaders
    }

    private static let requests = SerializerArchive(kinds: [
        ("form", HTTPRequestSerializer.self), ("json", JSONRequestSerializer.self),
        ("propertyList", PropertyListRequestSerializer.self),
    ])

    /// Reads settings; fails if a serializer's type is not part of the program.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            baseURL: values.decodeIfPresent(String.self, forKey: .baseURL),
            configuration: values.decode(SessionConfiguration.self, forKey: .configuration))
        securityPolicy = try values.decode(SecurityPolicy.self, forKey: .securityPolicy)
        hostSecurityPolicies = try values.decode(HostSecurityPolicies.self, forKey: .hostSecurityPolicies)
        requestHeaders = try values.decodeIfPresent(HeaderFields.self, forKey: .requestHeaders) ?? HeaderFields()
        requestSerializer = try Self.requests.decode(from: values.superDecoder(forKey: .requestSerializer))
        if values.contains(.responseSerializer) {
            responseSerializer = try SerializerArchive.responses.decode(
                as: (any ResponseSerializer).self, from: values.superDecoder(forKey: .responseSerializer))
        }
    }

    /// Writes settings without their secrets; fails if a serializer is not `Codable`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(baseURL.map { Redaction.url($0, userInfo: .removed) }, forKey: .baseURL)
        var configuration = configuration
        configuration.additionalHeaders = configuration.additionalHeaders.withoutSecrets
        try values.encode(configuration, forKey: .configuration)
        try values.encode(requestHeaders.withoutSecrets, forKey: .requestHeaders)
        try values.encode(securityPolicy, forKey: .securityPolicy)
        try values.encode(hostSecurityPolicies, forKey: .hostSecurityPolicies)
        try Self.requests.encode(requestSerializer, to: values.superEncoder(forKey: .requestSerializer))
        guard let responseSerializer else { return }
        try SerializerArchive.responses.encode(responseSerializer, to: values.superEncoder(forKey: .responseSerializer))
    }
}
