public import Foundation
import SessionSupport

/// An error of a request that could not be built from its parts; nothing was sent.
///
/// As an `NSError` it has the original's domain and codes.
///
/// ```swift
/// do {
///     var form = MultipartForm()
///     try form.append(file: file, name: "photo")
/// } catch {
///     print(error.reason, error.description)
/// }
/// ```
public struct RequestSerializationError: Error, Sendable, Equatable {
    /// The kinds of failure.
    ///
    /// ```swift
    /// func isOfForm(_ error: RequestSerializationError) -> Bool {
    ///     if case .unreadablePart = error.reason { true } else { false }
    /// }
    /// print(isOfForm(RequestSerializationError(.notAnObject)))
    /// ```
    public enum Reason: Sendable, Equatable {
        /// The text is not a URL, or it is relative without a base URL.
        case invalidURL(String)
        /// A query or a form needs names, which a list or a single value lacks.
        case notAnObject
        /// A number is infinite or NaN; the key names its parameter.
        case notANumber(key: String)
        /// The parameters are nested too deeply, or contain themselves.
        case tooDeep
        /// A value cannot be encoded; the text gives the reason.
        case notEncodable(String)
        /// The parameters are not valid JSON; the text gives the reason.
        case invalidJSON(String)
        /// The parameters are not a property list; the text gives the reason.
        case invalidPropertyList(String)
        /// The method allows no body.
        case methodWithoutBody(String)
        /// A part of a form cannot be read, or its URL is not a file's; the text names it.
        case unreadablePart(String)
        /// The boundary of a form violates RFC 2046, or occurs in one of its parts.
        case invalidBoundary(String)
        /// The caller's own query serialization has failed; the text is its error's.
        case queryFailed(String)
    }

    /// Nesting limit of collections of parameters; it also stops a graph that contains itself.
    package static let depthLimit = 128

    /// The original's error domain.
    public static let domain = "com.alamofire.error.serialization.request"
    /// The original's userInfo key of the request; the value is its URL, because fields and body may contain secrets.
    public static let requestKey = "com.alamofire.serialization.request.error.response"

    /// The kind of failure.
    public var reason: Reason
    /// The request's URL as given; nil if it was not known yet.
    public var url: String?
    /// The underlying error, of a file or of the caller's own code.
    public var underlying: UnderlyingError?

    /// Creates an error from its parts.
    public init(_ reason: Reason, url: String? = nil, underlying: (any Error)? = nil) {
        (self.reason, self.url, self.underlying) = (reason, url, underlying.map { UnderlyingError($0) })
    }

    /// The error for a URL that is not a file's: its path would name an unintended file of this machine.
    package static func notAFile(_ url: URL) -> RequestSerializationError {
        RequestSerializationError(
            .unreadablePart(SerializationErrors.notFileURL(Redaction.url(url.absoluteString))))
    }
}

extension RequestSerializationError: CustomStringConvertible {
    /// A sentence for the user.
    public var description: String {
        switch reason {
        case .invalidURL(let text): SerializationErrors.url(Redaction.url(text))
        case .notAnObject: SerializationErrors.noNames
        case .notANumber(let key): SerializationErrors.number(key)
        case .tooDeep: SerializationErrors.tooDeep(Self.depthLimit)
        case .notEncodable(let text), .unreadablePart(let text): text
        case .invalidJSON(let text): SerializationErrors.json(text)
        case .invalidPropertyList(let text): SerializationErrors.propertyList(text)
        case .methodWithoutBody(let method): SerializationErrors.method(method)
        case .invalidBoundary(let text):
            MultipartForm.isBoundary(text)
                ? SerializationErrors.boundaryInPart(text) : SerializationErrors.boundary(Self.visible(text))
        case .queryFailed(let text): SerializationErrors.query(text)
        }
    }
}

extension RequestSerializationError {
    /// Returns a text with its control characters escaped, because they would break the line of a message.
    private static func visible(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            result += scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }
}

extension RequestSerializationError: LocalizedError {
    /// The description, so that Foundation shows it for this error too.
    public var errorDescription: String? { description }
}

extension RequestSerializationError: CustomNSError {
    /// The original's error domain.
    public static var errorDomain: String { domain }

    /// The URL loading system's codes: -1000 for a bad URL or file, -1016 for every encoding failure.
    public var errorCode: Int {
        switch reason {
        case .invalidURL, .unreadablePart: URLError.Code.badURL.rawValue
        case .notAnObject, .notANumber, .tooDeep, .notEncodable, .invalidJSON, .invalidPropertyList,
            .methodWithoutBody, .invalidBoundary, .queryFailed:
            URLError.Code.cannotDecodeContentData.rawValue
        }
    }

    /// The original's keys, each only with a known value.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        if case .invalidJSON = reason { info[NSLocalizedFailureReasonErrorKey] = description }
        if let url { info[Self.requestKey] = Redaction.url(url) }
        if let underlying { info[NSUnderlyingErrorKey] = underlying.error as NSError }
        return info
    }
}
