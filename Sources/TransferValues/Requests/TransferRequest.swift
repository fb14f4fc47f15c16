import SessionSupport

/// A request as the engine sends it: the URL travels as the text the user gave.
///
/// ```swift
/// let request = TransferRequest(url: "https://example.org/notes", method: "PUT", body: .data(Data("note".utf8)))
/// _ = try await manager.data(for: request)
/// ```
public struct TransferRequest: Sendable, Equatable {
    /// The URL's text, unchanged.
    ///
    /// `Foundation.URL` rewrites some URLs, so it is never the source of truth.
    public var url: String
    /// The method, upper case.
    public var method: String
    /// Header fields to send.
    ///
    /// A field with CR, LF or NUL makes task creation throw, and so does one that contradicts the body:
    /// `Content-Length`
    /// has to be the body's length, or announces that of a stream. `Host` replaces the URL's; `Connection` may be
    /// `close`;
    /// `Expect` may be `100-continue`, or empty to send a large body without asking. `Transfer-Encoding`, `Trailer`,
    /// `Upgrade` and other options of the connection are the library's own.
    public var headers: HeaderFields
    /// The body.
    public var body: BodySpecification
    /// Seconds without a byte moving after which an attempt counts as stalled, the wait for the answer included; nil for the
    /// session's value, which does not bound that wait.
    public var idleTimeout: Double?
    /// Whether HTTP/2 may be used; nil for the kind's default: yes for data requests, no otherwise.
    public var allowsHTTP2: Bool?
    /// When a data task may be answered from the manager's response cache.
    public var cachePolicy = CachePolicy.useProtocolCachePolicy
    /// How an upload goes on behind a cut, and where it was begun; nil where nothing is asked for.
    package private(set) var uploadPlan: UploadPlan?
    /// Whether an upload that was cut goes on behind the bytes that its server has; kept in a session's store.
    public var uploadResumption: UploadResumption {
        get { uploadPlan?.intent ?? .off }
        set { uploadPlan = newValue == .off ? nil : UploadPlan(newValue, place: uploadPlan?.place) }
    }
    /// Where the upload was begun; nil where it was not.
    ///
    /// Nothing is kept of it for a request that asks for no resumption.
    package var uploadLocation: UploadLocation? {
        get { uploadPlan?.place }
        set { uploadPlan = uploadPlan.map { UploadPlan($0.intent, place: newValue) } }
    }
    /// The options behind one reference, because most requests have none.
    package private(set) var sharedOptions: SharedOptions?
    /// The way to the server, whom to believe there, and who asks; nil for what the session's configuration says.
    ///
    /// They are not stored: a persistent session finds such a request again without them, as one that lacks its secrets.
    public var options: RequestOptions? {
        get { sharedOptions?.values }
        set { sharedOptions = newValue.map { SharedOptions($0) } }
    }

    /// A request for a URL.
    public init(
        url: String, method: String = "GET", headers: HeaderFields = HeaderFields(), body: BodySpecification = .none,
        idleTimeout: Double? = nil, allowsHTTP2: Bool? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.idleTimeout = idleTimeout
        self.allowsHTTP2 = allowsHTTP2
    }

    /// Whether sending it twice has the effect of sending it once: by its method (RFC 9110, 9.2.2), or because it has
    /// an `Idempotency-Key`.
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
    /// There is no body.
    case none
    /// Bytes held in memory; can be sent again.
    case bytes([UInt8])
    /// A file, read while it is sent; can be sent again. A pipe or a device is read until its end, and only once.
    case file(path: String)
    /// An open descriptor read to its end, of unknown length; cannot be sent again. The caller keeps it open.
    case descriptor(Int32)
    /// Bytes, files and streams one behind the other; can be sent again unless there is a stream among them.
    case pieces([BodyPiece])

    /// Whether it can be sent again.
    package var isReplayable: Bool {
        switch self {
        case .none, .bytes: true
        case .file(let path): !Self.isReadOnce(path)
        case .pieces(let pieces): pieces.allSatisfy(\.isReplayable)
        case .descriptor: false
        }
    }

    /// Whether a pipe or a device is at a path.
    package static func isReadOnce(_ path: String) -> Bool { LinkTarget.isReadOnce(path) }
}

/// The rule by which a data task may be answered from the manager's response cache.
///
/// ```swift
/// var request = request
/// request.cachePolicy = .returnCacheDataElseLoad
/// print(try await manager.data(for: request).isFromCache)
/// ```
public enum CachePolicy: String, Sendable, Codable, CaseIterable {
    /// While the answer's `max-age` or `Expires` says that it is fresh; otherwise the server is asked whether it still
    /// holds, where the answer has a validator, and else for a new one.
    case useProtocolCachePolicy
    /// Never; what arrives is stored as usual.
    case reloadIgnoringCacheData
    /// When the server says that it still holds, however fresh it is; what cannot be asked about is loaded.
    case reloadRevalidatingCacheData
    /// Whatever its age, and the server is asked only when nothing is there.
    case returnCacheDataElseLoad
    /// Whatever its age, and the task fails with ``SessionError/Code/notFound`` when nothing is there.
    case returnCacheDataDontLoad
}
