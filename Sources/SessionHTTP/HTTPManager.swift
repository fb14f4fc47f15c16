import Dispatch
public import Foundation
public import SessionCore
import SessionSupport

/// A session manager with a base URL, a request serializer and a function for each method: the original's
/// `AFHTTPSessionManager`.
///
/// What it does not have itself is asked of its ``manager`` under the same name: `http.onRedirect = …`,
/// `http.completionQueue`. Paths are resolved against the base URL as RFC 3986 says: `users` goes below it, `/users` to the
/// root of its server, and an absolute URL replaces it. It is a class because it has an identity; everything that can
/// change lies in one lock, so every method may be called from any thread.
///
/// ```swift
/// let http = try HTTPManager(baseURL: "https://api.example.org/v1")
/// let names = try await http.get("names", parameters: ["page": 2], as: .decodable([String].self))
/// print(names)
/// ```
@dynamicMemberLookup
public final class HTTPManager: Sendable {
    /// Called once, on the completion queue, with the task and what the serializer made of the body; nil for nothing, and
    /// always for HEAD.
    public typealias SuccessHandler = @Sendable (SessionTask, (any Sendable)?) -> Void
    /// Called once, on the completion queue, with the error, and with the task unless there is none: the request could not
    /// be made, or the task was suspended and nothing held it any more.
    public typealias FailureHandler = @Sendable (SessionTask?, any Error) -> Void

    /// The manager that makes the tasks.
    public let manager: SessionManager
    /// The URL that paths are resolved against; its path ends with a slash where it has one.
    ///
    /// Nil for none: then every path has to be a whole URL.
    public let baseURL: String?
    private let serializer: Locked<any RequestSerializer>

    /// A manager without a base URL.
    public init(manager: SessionManager = SessionManager()) {
        (self.manager, baseURL) = (manager, nil)
        serializer = Locked(HTTPRequestSerializer())
    }

    /// A manager with a base URL.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidURL(_:)`` unless it is an absolute one of http or https.
    public init(baseURL: String, manager: SessionManager = SessionManager())
        throws(RequestSerializationError)
    {
        self.manager = manager
        self.baseURL = try Self.normalised(baseURL)
        serializer = Locked(HTTPRequestSerializer())
    }

    /// A manager with a base URL.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidURL(_:)`` unless it is an absolute one of http or https.
    public convenience init(
        baseURL: URL, manager: SessionManager = SessionManager()
    ) throws(RequestSerializationError) {
        try self.init(baseURL: baseURL.absoluteString, manager: manager)
    }

    private static func normalised(_ url: String) throws(RequestSerializationError) -> String {
        let scan = URLScan(url)
        guard scan.isWebAddress, URLParser.accepts(url) else {
            throw RequestSerializationError(.invalidURL(url), url: url)
        }
        let path = url[scan.path]
        guard !path.isEmpty, !path.hasSuffix("/") else { return url }
        return url[..<scan.path.upperBound] + "/" + url[scan.path.upperBound...]
    }

    // MARK: What can be set

    /// Puts parameters into requests; forms unless set.
    ///
    /// A request takes the one there is when it is made.
    public var requestSerializer: any RequestSerializer {
        get { serializer.withLock { $0 } }
        set { serializer.withLock { $0 = newValue } }
    }

    /// Makes objects of bodies; JSON unless set, but for the functions that wait, see ``SessionManager/responseSerializer``.
    public var responseSerializer: any ResponseSerializer {
        get { manager.responseSerializer }
        set { manager.responseSerializer = newValue }
    }

    /// How servers have to prove who they are; ``setSecurityPolicy(_:)`` sets it.
    public var securityPolicy: SecurityPolicy { manager.securityPolicy }

    /// Sets how servers have to prove who they are.
    ///
    /// Throws ``SessionError/Code/invalidRequest`` for a policy with pins unless the base URL is one of https: nobody proves
    /// anything on an open connection.
    public func setSecurityPolicy(_ policy: SecurityPolicy) throws(SessionError) {
        guard policy.pinningMode == .none || baseURL.map({ URLScan($0).isEncrypted }) == true else {
            throw SessionError(.invalidRequest, ParameterErrors.pinsWithoutHTTPS)
        }
        manager.securityPolicy = policy
    }

    /// What the manager has, under the same name.
    public subscript<Value>(dynamicMember path: any KeyPath<SessionManager, Value> & Sendable)
        -> Value
    {
        manager[keyPath: path]
    }

    /// What can be set of the manager, under the same name.
    public subscript<Value>(
        dynamicMember path: any ReferenceWritableKeyPath<SessionManager, Value> & Sendable
    ) -> Value {
        get { manager[keyPath: path] }
        set { manager[keyPath: path] = newValue }
    }

    /// A new manager with the same base URL, configuration, serializers and policies, and a session of its own.
    ///
    /// What was not set stays unset.
    /// As with the original neither closures nor queues are taken along.
    public func copy() -> HTTPManager {
        HTTPManager(baseURL: baseURL, manager: manager.copy(), like: self)
    }

    private init(baseURL: String?, manager: SessionManager, like other: HTTPManager) {
        (self.manager, self.baseURL) = (manager, baseURL)
        serializer = Locked(other.requestSerializer)
        manager.chosenSerializer = other.manager.chosenSerializer
        manager.securityPolicy = other.securityPolicy
        manager.hostSecurityPolicies = other.manager.hostSecurityPolicies
    }

    // MARK: Requests

    /// The URL that a path means, seen from the base URL; the path itself where it is a whole URL.
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

    /// A request of the request serializer; fields that are given replace the serializer's.
    public func request(
        _ method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields()
    ) throws(RequestSerializationError) -> TransferRequest {
        try requestSerializer.request(method, url(of: path), parameters: parameters, headers: headers)
    }

    /// A request of the request serializer with a value that encodes itself: as the body, or in the URL for methods
    /// that have none.
    public func request(
        _ method: String, _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields()
    ) throws(RequestSerializationError) -> TransferRequest {
        try requestSerializer.request(method, url(of: path), encoding: body, headers: headers)
    }

    /// A request with a form as its body: the parameters as parts, then what the closure adds.
    public func multipartRequest(
        _ method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields(), build: (inout MultipartForm) throws -> Void
    ) throws -> MultipartRequest {
        try requestSerializer.multipartRequest(
            method, url(of: path), parameters: parameters, headers: headers, build: build)
    }
}
