public import Foundation
public import FoundationNetworking

/// Conversions between the library's request and Foundation's.
extension TransferRequest {
    /// Foundation's request; nil if Foundation does not accept the URL's text.
    ///
    /// Only a body of bytes is copied.
    package var urlRequest: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        return urlRequest(like: URLRequest(url: url))
    }

    /// A copy of another Foundation request with this request's values; nil if Foundation does not accept the URL's
    /// text.
    func urlRequest(like other: URLRequest) -> URLRequest? {
        var result = other
        if url != other.url?.absoluteString {
            guard let url = URL(string: url) else { return nil }
            result.url = url
        }
        result.httpMethod = method
        result.allHTTPHeaderFields = nil
        for field in headers { result.addValue(field.value, forHTTPHeaderField: field.name) }
        if body == .none { result.httpBodyStream = nil }
        if case .bytes(let bytes) = body { result.httpBody = Data(bytes) }
        if let idleTimeout { result.timeoutInterval = idleTimeout }
        if Self.cachePolicy(other.cachePolicy) != cachePolicy { result.cachePolicy = foundationCachePolicy }
        return result
    }

    private var foundationCachePolicy: URLRequest.CachePolicy {
        switch cachePolicy {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringCacheData: .reloadIgnoringLocalCacheData
        case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        }
    }

    private static func cachePolicy(_ policy: URLRequest.CachePolicy) -> CachePolicy {
        switch policy {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringCacheData
        @unknown default: .reloadIgnoringCacheData
        }
    }

    /// Copies URL, method, header fields, cache policy, body data and a time-out other than Foundation's default of 60
    /// s, which cannot be told from "not set".
    ///
    /// A body stream belongs to one task, so it is sent only by a task made directly from Foundation's request. If the
    /// cache policy bypasses remote caches too, the request's fields tell them so.
    public init(_ request: URLRequest) throws(SessionError) {
        guard let url = request.url else { throw SessionError(.invalidURL, URLErrors.missing) }
        self.init(url: url.absoluteString, method: request.httpMethod ?? "GET")
        let fields = request.allHTTPHeaderFields ?? [:]
        for name in fields.keys.sorted() { headers.append(name: name, value: fields[name] ?? "") }
        if let body = request.httpBody { self.body = .bytes(Array(body)) }
        cachePolicy = Self.cachePolicy(request.cachePolicy)
        if request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData, headers["Cache-Control"] == nil {
            headers.append(name: "Cache-Control", value: "no-cache")
        }
        if request.timeoutInterval != 60, request.timeoutInterval > 0 { idleTimeout = request.timeoutInterval }
    }
}

extension ResponseHead {
    /// A file name: the one the server offers, else the last component of ``url``, else "download".
    ///
    /// It is one path component, visible, and safe to create, whatever the server sends.
    public var suggestedFilename: String { FileNames.automatic(url: url, head: self) }
}

extension BodySpecification {
    /// Returns a body from data in memory; it can be sent again.
    public static func data(_ data: Data) -> BodySpecification { .bytes([UInt8](data)) }
}

extension TransferRequest {
    /// A request for Foundation's URL type.
    public init(
        url: URL, method: String = "GET", headers: HeaderFields = HeaderFields(), body: BodySpecification = .none,
        idleTimeout: Double? = nil, allowsHTTP2: Bool? = nil
    ) {
        self.init(
            url: url.absoluteString, method: method, headers: headers, body: body, idleTimeout: idleTimeout,
            allowsHTTP2: allowsHTTP2)
    }
}

extension ClientCertificate {
    /// A certificate from data in memory.
    public init(data: Data, keyData: Data? = nil, password: String? = nil, format: Format = .pem) {
        self.init(bytes: [UInt8](data), keyBytes: keyData.map { [UInt8]($0) }, password: password, format: format)
    }
}

extension SessionError: LocalizedError {
    /// The message, which Foundation also shows for this error.
    public var errorDescription: String? { message }
}

extension SessionError: CustomNSError {
    /// The URL loading system's domain, `NSURLErrorDomain`.
    public static var errorDomain: String { NSURLErrorDomain }

    /// The URL loading system's equivalent code, such as `NSURLErrorCancelled`; see ``urlError``.
    public var errorCode: Int { foundationCode.rawValue }

    /// The userInfo of ``urlError``, with this error's underlying one, if any, as the underlying error.
    public var errorUserInfo: [String: Any] {
        var info = foundationInfo
        if let underlying { info[NSUnderlyingErrorKey] = underlying.error }
        return info
    }
}

/// The conversion to Foundation's error.
extension SessionError {
    /// Foundation's equivalent error, for code that handles `URLError`.
    ///
    /// An untrusted server is `serverCertificateUntrusted` (-1202); a failure without a Foundation code is `unknown`.
    /// The userInfo names the failing URL and, under ``peerCertificatesKey``, the refused chain, each only if it is
    /// known, and has this error as the underlying one.
    public var urlError: URLError {
        URLError(foundationCode, userInfo: foundationInfo.merging([NSUnderlyingErrorKey: self]) { $1 })
    }

    private var foundationInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let failingURL {
            info["NSErrorFailingURLStringKey"] = failingURL
            if let url = URL(string: failingURL) { info[NSURLErrorFailingURLErrorKey] = url }
        }
        if !peerCertificates.isEmpty { info[Self.peerCertificatesKey] = peerCertificates.map { Data($0) } }
        return info
    }

    /// The userInfo key of an untrusted server's chain: an array of `Data` in DER form, the server's own certificate
    /// first.
    public static let peerCertificatesKey = "NSURLErrorFailingURLPeerTrustErrorKey"

    private var foundationCode: URLError.Code {
        switch code {
        case .cancelled: .cancelled
        case .invalidURL, .invalidRequest, .invalidHeader: .badURL
        case .unsupportedScheme: .unsupportedURL
        case .bodyUnreadable, .notReplayable: .requestBodyStreamExhausted
        case .unknownHost: .cannotFindHost
        case .connectionRefused: .cannotConnectToHost
        case .networkUnreachable: .notConnectedToInternet
        case .connectionLost, .truncated: .networkConnectionLost
        case .timedOut, .stalled: .timedOut
        case .tls: .secureConnectionFailed
        case .certificate: .serverCertificateUntrusted
        case .badResponse, .http, .unexpectedContent: .badServerResponse
        case .tooManyRedirects: .httpTooManyRedirects
        case .redirectRefused: .redirectToNonExistentLocation
        case .authenticationRequired: .userAuthenticationRequired
        case .noContent: .zeroByteResource
        case .bodyTooLarge: .dataLengthExceedsMaximum
        case .checksum, .resourceChanged: .cannotDecodeContentData
        case .destinationExists, .destinationIsFolder, .partInUse: .cannotCreateFile
        case .permission, .readOnly: .noPermissionsToReadFile
        case .notFound: .fileDoesNotExist
        case .diskFull, .fileTooLarge, .storage, .partChanged: .cannotWriteToFile
        case .sessionInvalidated: .unknown
        case .sessionInUse: .backgroundSessionInUseByAnotherProcess
        case .internal: .unknown
        }
    }
}
