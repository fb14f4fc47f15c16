import SessionSupport

/// A request as the engine sends it, with the URL as the user's text.
///
/// ```swift
/// let request = TransferRequest(url: "https://example.org/notes", method: "PUT", body: .data(Data("note".utf8)))
/// _ = try await manager.data(for: request)
/// ```
public struct TransferRequest: Sendable, Equatable {
    private struct Values: Sendable, Equatable {
        var url: String
        var method: String
        var headers: HeaderFields
        var body: BodySpecification
        var idleTimeout: Double?
        var allowsHTTP2: Bool?
        var cachePolicy = CachePolicy.useProtocolCachePolicy
        var uploadPlan: UploadPlan?
        var options: SharedOptions?
    }

    private var shared: SharedValue<Values>

    /// The URL's text, unchanged.
    ///
    /// `Foundation.URL` rewrites some URLs, so it is never the source of truth.
    public var url: String {
        get { shared.value.url }
        set { change { $0.url = newValue } }
    }
    /// The method, upper case.
    public var method: String {
        get { shared.value.method }
        set { change { $0.method = newValue } }
    }
    /// Header fields to send.
    ///
    /// A field with CR, LF or NUL makes task creation throw, and so does one that contradicts the body:
    /// `Content-Length` must be the body's length, or announces a stream's. `Host` replaces the URL's; `Connection` may
    /// be `close`; `Expect` may be `100-continue`, or empty to send a large body without asking. `Transfer-Encoding`,
    /// `Trailer`, `Upgrade` and other connection options are reserved by the library.
    public var headers: HeaderFields {
        get { shared.value.headers }
        set { change { $0.headers = newValue } }
    }
    /// The body.
    public var body: BodySpecification {
        get { shared.value.body }
        set { change { $0.body = newValue } }
    }
    /// Seconds without a byte sent or received after which an attempt counts as stalled, including the wait for the
    /// response; nil for the session's value, which does not bound that wait.
    public var idleTimeout: Double? {
        get { shared.value.idleTimeout }
        set { change { $0.idleTimeout = newValue } }
    }
    /// Whether HTTP/2 may be used; nil for the kind's default: yes for data requests, no otherwise.
    public var allowsHTTP2: Bool? {
        get { shared.value.allowsHTTP2 }
        set { change { $0.allowsHTTP2 = newValue } }
    }
    /// When the manager's response cache may answer a data task.
    public var cachePolicy: CachePolicy {
        get { shared.value.cachePolicy }
        set { change { $0.cachePolicy = newValue } }
    }
    /// How an interrupted upload resumes, and where it was begun; nil without resumption.
    package var uploadPlan: UploadPlan? { shared.value.uploadPlan }
    /// Whether an interrupted upload resumes after the bytes that its server has; saved in a session's store.
    public var uploadResumption: UploadResumption {
        get { uploadPlan?.intent ?? .off }
        set {
            change {
                $0.uploadPlan = newValue == .off ? nil : UploadPlan(newValue, location: $0.uploadPlan?.location)
            }
        }
    }
    /// The upload's URL at the server; nil before it was begun.
    ///
    /// A request without resumption never has one.
    package var uploadLocation: UploadLocation? {
        get { uploadPlan?.location }
        set { change { $0.uploadPlan = $0.uploadPlan.map { UploadPlan($0.intent, location: newValue) } } }
    }
    /// A reference, because most requests have no options.
    package var sharedOptions: SharedOptions? { shared.value.options }
    /// The route to the server, trust in it, and credentials; nil for the session's.
    ///
    /// They are not stored: a persistent session restores such a request without them, as one that lacks its secrets.
    public var options: RequestOptions? {
        get { sharedOptions?.values }
        set { change { $0.options = newValue.map { SharedOptions($0) } } }
    }

    /// Creates a request for a URL.
    public init(
        url: String, method: String = "GET", headers: HeaderFields = HeaderFields(), body: BodySpecification = .none,
        idleTimeout: Double? = nil, allowsHTTP2: Bool? = nil
    ) {
        shared = SharedValue(
            Values(
                url: url, method: method, headers: headers, body: body, idleTimeout: idleTimeout,
                allowsHTTP2: allowsHTTP2))
    }

    private mutating func change(_ body: (inout Values) -> Void) { shared = shared.changed(body) }

    /// Whether sending it twice has the effect of sending it once: by its method (RFC 9110, 9.2.2), or because of an
    /// `Idempotency-Key`.
    package var isIdempotent: Bool {
        switch method {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE": true
        default: headers["Idempotency-Key"] != nil
        }
    }
}

/// A source of a request's body: bytes, a file, a descriptor, or pieces of these.
///
/// ```swift
/// var request = request
/// request.body = .file(path: file.path)
/// _ = try await manager.upload(for: request, from: request.body)
/// ```
public enum BodySpecification: Sendable, Equatable {
    /// No body.
    case none
    /// Bytes in memory; can be sent again.
    case bytes([UInt8])
    /// A file, read during sending; can be sent again. A pipe or a device is read until its end, and only once.
    case file(path: String)
    /// An open descriptor read to its end, of unknown length; cannot be sent again. The caller keeps it open.
    case descriptor(Int32)
    /// Bytes, files and streams in sequence; can be sent again unless it contains a stream.
    case pieces([BodyPiece])

    package var isReplayable: Bool {
        switch self {
        case .none, .bytes: true
        case .file(let path): !Self.isReadOnce(path)
        case .pieces(let pieces): pieces.allSatisfy(\.isReplayable)
        case .descriptor: false
        }
    }

    /// Returns whether a path names a pipe or a device.
    package static func isReadOnce(_ path: String) -> Bool { LinkTarget.isReadOnce(path) }
}

/// The rule by which the manager's response cache may answer a data task.
///
/// ```swift
/// var request = request
/// request.cachePolicy = .returnCacheDataElseLoad
/// print(try await manager.data(for: request).isFromCache)
/// ```
public enum CachePolicy: String, Sendable, Codable, CaseIterable {
    /// While `max-age` or `Expires` says that the response is fresh; a stale one is revalidated with its validator, or
    /// loaded again without one. `Cache-Control` of the request may ask for a newer one.
    case useProtocolCachePolicy
    /// Never; responses are stored as usual.
    case reloadIgnoringCacheData
    /// After revalidation, however fresh it is; a response without a validator is loaded again.
    case reloadRevalidatingCacheData
    /// Regardless of its age; the server is used only when the cache has no response.
    case returnCacheDataElseLoad
    /// Regardless of its age; the task fails with ``SessionError/Code/notFound`` when the cache has no response.
    case returnCacheDataDontLoad
}
