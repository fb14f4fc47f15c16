public import Foundation
public import FoundationNetworking
import SessionSupport

/// The status codes and content types that a serializer accepts.
///
/// Content types are compared without parameters and without regard to case.
///
/// ```swift
/// let validation = ResponseValidation(statusCodes: [200, 404], contentTypes: ["text/plain"])
/// manager.responseSerializer = HTTPResponseSerializer(validation: validation)
/// ```
public struct ResponseValidation: Sendable, Equatable, Codable {
    /// Accepted status codes; nil accepts all.
    public var statusCodes: Set<Int>? = Set(200...299)
    /// Accepted media types; nil accepts all.
    public var contentTypes: Set<String>? {
        didSet { contentTypes = contentTypes.map { Set($0.map { $0.lowercased() }) } }
    }

    /// Accepts 2xx and, unless some are named, every content type.
    public init(statusCodes: Set<Int>? = Set(200...299), contentTypes: Set<String>? = nil) {
        self.statusCodes = statusCodes
        self.contentTypes = contentTypes.map { Set($0.map { $0.lowercased() }) }
    }

    /// The verdict about a response.
    ///
    /// As in AFNetworking a wrong content type of an empty body is a failure without an error, which is why downloads
    /// pass through a JSON serializer.
    ///
    /// ```swift
    /// struct Checked: ResponseSerializer {
    ///     func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
    ///         SerializedResponse(object: data, error: ResponseValidation().validate(head, data).error)
    ///     }
    /// }
    /// manager.responseSerializer = Checked()
    /// ```
    public struct Verdict: Sendable {
        /// The fault; nil if there is none that counts as an error.
        public var error: ResponseSerializationError?
        /// Whether the content type is not among the accepted ones, even if that is no error.
        public var hasWrongContentType = false

        /// Whether the body must not be used.
        package var isFailure: Bool { error != nil || hasWrongContentType }

        /// Returns the result for a body that does not match its type: that error, or the earlier one with that one
        /// underlying.
        public func malformed(
            _ reason: String, head: ResponseHead?, data: Data, underlying: (any Error)? = nil
        ) -> SerializedResponse {
            let reason = UndecodedBody.reason(head, data, otherwise: reason)
            let malformed = ResponseSerializationError(
                .malformedBody(reason), head: head, data: data, underlying: underlying)
            guard var primary = error else { return SerializedResponse(error: malformed) }
            primary.underlying = malformed
            return SerializedResponse(error: primary)
        }
    }

    /// Validates a response; without a head there is nothing to check.
    ///
    /// For a program's own serializers.
    public func validate(_ head: ResponseHead?, _ data: Data) -> Verdict {
        guard let head else { return Verdict() }
        var verdict = Verdict()
        let mediaType = Self.mediaType(of: head)
        if let contentTypes, !(mediaType.map(contentTypes.contains) ?? data.isEmpty) {
            verdict.hasWrongContentType = true
            if !data.isEmpty {
                verdict.error = ResponseSerializationError(.unacceptableContentType(mediaType), head: head, data: data)
            }
        }
        if let statusCodes, !statusCodes.contains(head.statusCode) {
            verdict.error = ResponseSerializationError(
                .unacceptableStatusCode(head.statusCode), head: head, data: data, underlying: verdict.error)
        }
        return verdict
    }

    /// The media type in lower case, without its parameters.
    static func mediaType(of head: ResponseHead) -> String? {
        guard let value = head.headers["Content-Type"]?.prefix(while: { $0 != ";" }) else { return nil }
        let trimmed = ByteText.trimmed(value).lowercased()
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// An error of a serializer that did not accept a response.
///
/// As an `NSError` it has AFNetworking's domain, codes and userInfo keys. An unacceptable status is the primary error;
/// a wrong content type or a body that does not parse is the underlying one.
///
/// ```swift
/// do {
///     print(try await manager.data(for: request, as: .string))
/// } catch let error as ResponseSerializationError {
///     print(error.statusCode ?? 0, error.object ?? "no object")
/// }
/// ```
public struct ResponseSerializationError: Error, Sendable {
    /// The kinds of failure.
    ///
    /// ```swift
    /// func isMissing(_ error: ResponseSerializationError) -> Bool { error.reason == .unacceptableStatusCode(404) }
    /// print(isMissing(ResponseSerializationError(.unacceptableStatusCode(404), head: nil, data: Data())))
    /// ```
    public enum Reason: Sendable, Equatable {
        /// The status code is not among the acceptable ones.
        case unacceptableStatusCode(Int)
        /// The media type is not among the acceptable ones; nil if the response named none.
        case unacceptableContentType(String?)
        /// The body does not match its type; the text says why.
        case malformedBody(String)
        /// The serializer's object is not of the requested type; the text names its type.
        case unexpectedObject(String)
        /// A caller's check refused the response; the text is its error's.
        case refused(String)
    }

    /// AFNetworking's error domain.
    public static let domain = "com.alamofire.error.serialization.response"
    /// AFNetworking's userInfo key of the response.
    public static let responseKey = "com.alamofire.serialization.response.error.response"
    /// AFNetworking's userInfo key of the body.
    public static let dataKey = "com.alamofire.serialization.response.error.data"

    /// The kind of failure.
    public var reason: Reason
    /// The response's head.
    public var head: ResponseHead?
    /// The response's status, if there was a response.
    public var statusCode: Int? { head?.statusCode }
    /// The body as it arrived, an error page for example.
    public var data: Data
    /// A second fault, if any.
    public var underlying: (any Error)?
    /// The object a waiting call still made from the body, such as the JSON of a 404.
    public var object: (any Sendable)?

    /// An error from its parts.
    public init(_ reason: Reason, head: ResponseHead?, data: Data, underlying: (any Error)? = nil) {
        self.reason = reason
        self.head = head
        self.data = data
        self.underlying = underlying
    }
}

extension ResponseSerializationError: CustomStringConvertible {
    /// One sentence for the user.
    public var description: String {
        switch reason {
        case .unacceptableStatusCode(let code):
            SerializationErrors.status(HTTPURLResponse.localizedString(forStatusCode: code), code)
        case .unacceptableContentType(let type):
            type.map(SerializationErrors.contentType) ?? SerializationErrors.noContentType
        case .malformedBody(let text):
            SerializationErrors.unreadable(text)
        case .unexpectedObject(let type):
            SerializationErrors.otherObject(type)
        case .refused(let text):
            SerializationErrors.refused(text)
        }
    }
}

extension ResponseSerializationError: LocalizedError {
    /// The description, which Foundation also shows for this error.
    public var errorDescription: String? { description }
}

extension ResponseSerializationError: CustomNSError {
    /// AFNetworking's error domain.
    public static var errorDomain: String { domain }

    /// The URL loading system's codes: -1011 for a status and a refusal, -1016 for a content type, -1017 for a
    /// malformed body.
    public var errorCode: Int {
        switch reason {
        case .unacceptableStatusCode: URLError.Code.badServerResponse.rawValue
        case .unacceptableContentType: URLError.Code.cannotDecodeContentData.rawValue
        case .malformedBody, .unexpectedObject: URLError.Code.cannotParseResponse.rawValue
        case .refused: URLError.Code.badServerResponse.rawValue
        }
    }

    /// AFNetworking's keys, each only if its value is known.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description, Self.dataKey: data]
        if let response = head?.httpURLResponse {
            info[Self.responseKey] = response
            info[NSURLErrorFailingURLErrorKey] = response.url
        }
        if let underlying { info[NSUnderlyingErrorKey] = underlying as NSError }
        return info
    }
}

/// The properties of Foundation's class under the same names, each computed on demand.
extension ResponseHead {
    /// Every header field; lines of one name are joined with ", ".
    ///
    /// The names are spelled as the server sent them; ``value(forHTTPHeaderField:)`` compares them without regard to
    /// case.
    public var allHeaderFields: [String: String] {
        var fields: [String: String] = [:]
        fields.reserveCapacity(headers.count)
        for field in headers {
            guard let earlier = fields.updateValue(field.value, forKey: field.name) else { continue }
            fields[field.name] = earlier + ", " + field.value
        }
        return fields
    }

    /// Returns the value of a header field, its name compared without regard to case; nil if it is missing.
    public func value(forHTTPHeaderField name: String) -> String? { headers[name] }

    /// The media type in lower case, without its parameters; nil if the server named none.
    public var mimeType: String? { ResponseValidation.mediaType(of: self) }

    /// The body's length in bytes as the server announced it; -1 if it did not.
    public var expectedContentLength: Int64 { headers["Content-Length"].flatMap { Int64($0) } ?? -1 }

    /// Foundation's response; nil if Foundation does not accept the URL's text.
    ///
    /// Making it costs as much as everything else a session manager does for a task: read it only when needed, and
    /// once.
    public var httpURLResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        return HTTPURLResponse(
            url: url, statusCode: statusCode, httpVersion: version.rawValue, headerFields: allHeaderFields)
    }
}
