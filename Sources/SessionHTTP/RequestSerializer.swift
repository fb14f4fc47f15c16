public import SessionCore
import SessionSupport

/// A serializer of requests, which puts parameters into the URL of methods without a body, else into the body.
///
/// A serializer is a value, so that a change to a copy reaches no other. A program's own implements ``body(of:for:)``
/// for its bodies; everything else has a default.
///
/// ```swift
/// let request = try JSONRequestSerializer().request("POST", "https://example.org/users", parameters: ["name": "Ada"])
/// print(request.headers["Content-Type"] ?? "none")
/// ```
public protocol RequestSerializer: Sendable {
    /// The settings applied to every request.
    var settings: RequestSettings { get set }

    /// Returns the body of parameters and its content type; nil for no body. `parameters` is nil if there are none.
    func body(
        of parameters: ParameterValue?, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody?

    /// Returns the body of an `Encodable` value; by default its parameters' body.
    func body(
        encoding value: some Encodable, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody?

    /// Returns the request with the parameters in it, and with the fields of ``settings`` that it lacks.
    func serialize(
        _ request: TransferRequest, parameters: ParameterValue?
    ) throws(RequestSerializationError) -> TransferRequest
}

/// A body and its `Content-Type`.
///
/// ```swift
/// struct Comma: RequestSerializer {
///     var settings = RequestSettings()
///     func body(
///         of parameters: ParameterValue?, for request: TransferRequest
///     ) throws(RequestSerializationError) -> EncodedBody? {
///         EncodedBody(bytes: Array("a,b".utf8), contentType: "text/csv")
///     }
/// }
/// http.requestSerializer = Comma()
/// ```
public struct EncodedBody: Sendable, Equatable {
    /// The bytes.
    public var bytes: [UInt8]
    /// The media type.
    public var contentType: String

    /// A body from its parts.
    public init(bytes: [UInt8], contentType: String) { (self.bytes, self.contentType) = (bytes, contentType) }
}

extension RequestSerializer {
    /// Returns the body of the value's parameters.
    public func body(
        encoding value: some Encodable, for request: TransferRequest
    ) throws(RequestSerializationError) -> EncodedBody? {
        try body(of: ParameterValue(encoding: value), for: request)
    }

    /// Returns the request with the parameters in its URL or body.
    ///
    /// A query goes before the fragment and after an existing query; parameters that contribute nothing leave the URL
    /// unchanged. The request's own `Content-Type` stays.
    public func serialize(
        _ request: TransferRequest, parameters: ParameterValue?
    ) throws(RequestSerializationError) -> TransferRequest {
        try complete(request, parameters: parameters) { request throws(RequestSerializationError) in
            try body(of: parameters, for: request)
        }
    }

    /// Returns the request with the parameters of an `Encodable` value.
    public func serialize(
        _ request: TransferRequest, encoding value: some Encodable
    ) throws(RequestSerializationError) -> TransferRequest {
        // Encoding a `ParameterValue` would lose its bytes, dates and sets.
        if let known = value as? ParameterValue { return try serialize(request, parameters: known) }
        if settings.putsParametersInURL(request.method) {
            return try serialize(request, parameters: ParameterValue(encoding: value))
        }
        return try complete(request, parameters: nil) { request throws(RequestSerializationError) in
            try body(encoding: value, for: request)
        }
    }

    /// Makes a request of this serializer; given fields replace the fields of ``settings``.
    ///
    /// Throws ``RequestSerializationError/Reason/invalidURL(_:)`` unless the URL is an absolute http or https URL.
    public func request(
        _ method: String, _ url: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) throws(RequestSerializationError) -> TransferRequest {
        try serialize(bareRequest(method, url, headers), parameters: parameters)
    }

    /// Makes a request of this serializer with the parameters of an `Encodable` value.
    public func request(
        _ method: String, _ url: String, encoding value: some Encodable, headers: HeaderFields = HeaderFields()
    ) throws(RequestSerializationError) -> TransferRequest {
        try serialize(bareRequest(method, url, headers), encoding: value)
    }

    /// Makes a request with the settings other than header fields.
    private func bareRequest(
        _ method: String, _ url: String, _ headers: HeaderFields
    ) throws(RequestSerializationError) -> TransferRequest {
        guard URLScan(url).isWebAddress else { throw RequestSerializationError(.invalidURL(url), url: url) }
        var request = TransferRequest(
            url: url, method: method, headers: headers, idleTimeout: settings.idleTimeout,
            allowsHTTP2: settings.allowsHTTP2)
        if let policy = settings.cachePolicy { request.cachePolicy = policy }
        return request
    }

    private func complete(
        _ request: TransferRequest, parameters: ParameterValue?,
        body: (TransferRequest) throws(RequestSerializationError) -> EncodedBody?
    ) throws(RequestSerializationError) -> TransferRequest {
        var result = request
        settings.complete(&result)
        do throws(RequestSerializationError) {
            if settings.putsParametersInURL(request.method) {
                guard let parameters else { return result }
                result.url = Self.url(request.url, adding: try settings.query(of: parameters, for: request))
            } else if let body = try body(request) {
                result.body = .bytes(body.bytes)
                if result.headers["Content-Type"] == nil { result.headers["Content-Type"] = body.contentType }
            }
        } catch {
            var error = error
            error.url = error.url ?? request.url
            throw error
        }
        return result
    }

    private static func url(_ url: String, adding query: String) -> String {
        guard !query.isEmpty else { return url }
        let scan = URLScan(url)
        let end = scan.query?.upperBound ?? scan.path.upperBound
        let mark =
            switch scan.query {
            case nil: "?"
            case let known? where known.isEmpty || url[known].hasSuffix("&"): ""
            case .some: "&"
            }
        return url[..<end] + mark + query + url[end...]
    }
}
