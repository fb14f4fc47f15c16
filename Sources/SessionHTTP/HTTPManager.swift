import Dispatch
public import Foundation
public import SessionCore
import SessionSupport

/// A session manager with a base URL, a request serializer and a method for each HTTP method: AFNetworking's
/// `AFHTTPSessionManager`.
///
/// Other properties are forwarded to its ``manager`` under the same name: `http.onRedirect = …`,
/// `http.completionQueue`. Paths are resolved against the base URL as RFC 3986 says: `users` goes below it, `/users` to
/// the root of its server, and an absolute URL replaces it. It is a class because it has an identity; all mutable state
/// is behind one lock, so every method may be called from any thread.
///
/// ```swift
/// let http = try HTTPManager(baseURL: "https://api.example.org/v1")
/// let names = try await http.get("names", parameters: ["page": 2], as: .decodable([String].self))
/// print(names)
/// ```
@dynamicMemberLookup
public final class HTTPManager: Sendable {
    /// Called once, on the completion queue, with the task and the serializer's object; nil if it made none, and always
    /// for HEAD.
    public typealias SuccessHandler = @Sendable (SessionTask, (any Sendable)?) -> Void
    /// Called once, on the completion queue, with the error and the task, which is nil if the request could not be made
    /// or the suspended task had been released by its last owner.
    public typealias FailureHandler = @Sendable (SessionTask?, any Error) -> Void

    /// The manager that makes the tasks.
    public let manager: SessionManager
    /// The URL that paths are resolved against; a non-empty path in it ends with a slash.
    ///
    /// Nil for none: then every path has to be an absolute URL.
    public let baseURL: String?
    private let serializer: Locked<any RequestSerializer>

    /// A manager without a base URL.
    public init(manager: SessionManager = SessionManager()) {
        (self.manager, baseURL) = (manager, nil)
        serializer = Locked(HTTPRequestSerializer())
    }

    /// A manager with a base URL.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidURL(_:)`` unless it is an absolute http or https URL.
    public init(baseURL: String, manager: SessionManager = SessionManager())
        throws(RequestSerializationError)
    {
        self.manager = manager
        self.baseURL = try Self.normalised(baseURL)
        serializer = Locked(HTTPRequestSerializer())
    }

    /// A manager with a base URL.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidURL(_:)`` unless it is an absolute http or https URL.
    public convenience init(
        baseURL: URL, manager: SessionManager = SessionManager()
    ) throws(RequestSerializationError) {
        try self.init(baseURL: baseURL.absoluteString, manager: manager)
    }

    /// A manager with a base URL that was checked, and with these settings.
    init(
        checked baseURL: String?, manager: SessionManager, _ requestSerializer: any RequestSerializer,
        _ requestHeaders: HeaderFields
    ) {
        (self.manager, self.baseURL) = (manager, baseURL)
        serializer = Locked(requestSerializer)
        manager.requestHeaders.set(requestHeaders)
    }

    static func normalised(_ url: String) throws(RequestSerializationError) -> String {
        let scan = URLScan(url)
        guard scan.isWebAddress, URLParser.accepts(url) else {
            throw RequestSerializationError(.invalidURL(url), url: url)
        }
        let path = url[scan.path]
        guard !path.isEmpty, !path.hasSuffix("/") else { return url }
        return url[..<scan.path.upperBound] + "/" + url[scan.path.upperBound...]
    }

    // MARK: Settings

    /// Puts parameters into requests; forms by default.
    ///
    /// A request uses the serializer set when it is made.
    public var requestSerializer: any RequestSerializer {
        get { serializer.withLock { $0 } }
        set { serializer.replace(\.self, with: newValue) }
    }

    /// Makes objects from bodies; JSON by default, except for `async` methods, see
    /// ``SessionManager/responseSerializer``.
    public var responseSerializer: any ResponseSerializer {
        get { manager.responseSerializer }
        set { manager.responseSerializer = newValue }
    }

    /// The requirements for a server's identity; ``setSecurityPolicy(_:)`` sets them.
    public var securityPolicy: SecurityPolicy { manager.securityPolicy }

    /// Sets the requirements for a server's identity.
    ///
    /// Throws ``SessionError/Code/invalidRequest`` for a policy with pins unless the base URL is https: without TLS a
    /// server proves nothing.
    public func setSecurityPolicy(_ policy: SecurityPolicy) throws(SessionError) {
        try Self.check(policy, baseURL: baseURL)
        manager.securityPolicy = policy
    }

    static func check(_ policy: SecurityPolicy, baseURL: String?) throws(SessionError) {
        guard policy.pinningMode == .none || baseURL.map({ URLScan($0).isEncrypted }) == true else {
            throw SessionError(.invalidRequest, ParameterErrors.pinsWithoutHTTPS)
        }
    }

    /// Reads a property of the manager under the same name.
    public subscript<Value>(dynamicMember path: any KeyPath<SessionManager, Value> & Sendable)
        -> Value
    {
        manager[keyPath: path]
    }

    /// Reads or sets a property of the manager under the same name.
    public subscript<Value>(
        dynamicMember path: any ReferenceWritableKeyPath<SessionManager, Value> & Sendable
    ) -> Value {
        get { manager[keyPath: path] }
        set { manager[keyPath: path] = newValue }
    }

    /// Returns a new manager with the same base URL, configuration, header fields, serializers and policies, and its
    /// own session.
    ///
    /// Unset values stay unset. As in AFNetworking neither closures nor queues are copied.
    public func copy() -> HTTPManager {
        let copy = manager.copy()
        copy.chosenSerializer = manager.chosenSerializer
        copy.securityPolicy = manager.securityPolicy
        copy.hostSecurityPolicies = manager.hostSecurityPolicies
        return HTTPManager(
            checked: baseURL, manager: copy, requestSerializer, manager.requestHeaders.snapshot)
    }

    // MARK: Requests

    /// Returns a path resolved against the base URL; an absolute URL is returned unchanged.
    ///
    /// An empty path means the base URL. Throws ``RequestSerializationError/Reason/invalidURL(_:)``.
    public func url(of path: String) throws(RequestSerializationError) -> String {
        if URLScan(path).scheme != nil { return path }
        guard let baseURL else { throw RequestSerializationError(.invalidURL(path), url: path) }
        if path.isEmpty { return baseURL }
        do throws(SessionError) {
            return try URLParser.resolve(path, against: baseURL)
        } catch {
            throw RequestSerializationError(.invalidURL(path), url: path, underlying: error)
        }
    }

    /// Makes a request with the request serializer; given fields replace the serializer's.
    public func request(
        _ method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields()
    ) throws(RequestSerializationError) -> TransferRequest {
        try requestSerializer.request(method, url(of: path), parameters: parameters, headers: headers)
    }

    /// Makes a request with an `Encodable` value: as the body, or in the URL for methods without one.
    public func request(
        _ method: String, _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields()
    ) throws(RequestSerializationError) -> TransferRequest {
        try requestSerializer.request(method, url(of: path), encoding: body, headers: headers)
    }

    /// Makes a request with a form as its body: the parameters as parts, then the closure's parts.
    public func multipartRequest(
        _ method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields(), build: (inout MultipartForm) throws -> Void
    ) throws -> MultipartRequest {
        try requestSerializer.multipartRequest(
            method, url(of: path), parameters: parameters, headers: headers, build: build)
    }
}
