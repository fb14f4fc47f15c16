public import Foundation
import SessionSupport

/// An error of a request that could not be made of its parts; nothing was sent.
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
        /// The text is no URL, or it is relative and there is no base URL.
        case invalidURL(String)
        /// A query or a form needs names, and a list or a single value has none.
        case notAnObject
        /// A number is infinite or none; the key says which.
        case notANumber(key: String)
        /// The parameters lie too deep in each other, or lead back to themselves.
        case tooDeep
        /// A value cannot be encoded; the text says why.
        case notEncodable(String)
        /// The parameters are not valid JSON; the text says why.
        case invalidJSON(String)
        /// The parameters are not a property list; the text says why.
        case invalidPropertyList(String)
        /// The method has no body, so that nothing can be put into it.
        case methodWithoutBody(String)
        /// A part of a form cannot be read, or its place is not a file; the text says which.
        case unreadablePart(String)
        /// The boundary of a form is not one that RFC 2046 allows, or stands in one of its parts.
        case invalidBoundary(String)
        /// The caller's own way of writing a query has failed; the text is its error's.
        case queryFailed(String)
    }

    /// Collections of parameters may lie so deep in each other; a graph that leads back to itself lies deeper.
    package static let depthLimit = 128

    /// The original's error domain.
    public static let domain = "com.alamofire.error.serialization.request"
    /// The original's userInfo key of the request; the value is its URL, because fields and body may hold secrets.
    public static let requestKey = "com.alamofire.serialization.request.error.response"

    /// What is wrong.
    public var reason: Reason
    /// The URL of the request as it was given; nil where it was not known yet.
    public var url: String?
    /// The error that lay under it, of a file or of the caller's own code.
    public var underlying: UnderlyingError?

    /// An error from its parts.
    public init(_ reason: Reason, url: String? = nil, underlying: (any Error)? = nil) {
        (self.reason, self.url, self.underlying) = (reason, url, underlying.map { UnderlyingError($0) })
    }

    /// What is said of a URL where a file's is needed: its path would name a file of this machine that was not meant.
    package static func notAFile(_ url: URL) -> RequestSerializationError {
        RequestSerializationError(
            .unreadablePart(SerializationErrors.notFileURL(Redaction.url(url.absoluteString))))
    }
}

extension RequestSerializationError: CustomStringConvertible {
    /// One sentence for a person.
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
        case .invalidBoundary(let text): SerializationErrors.boundary(text)
        case .queryFailed(let text): SerializationErrors.query(text)
        }
    }
}

extension RequestSerializationError: LocalizedError {
    /// The description, so that it is also what Foundation shows of this error.
    public var errorDescription: String? { description }
}

extension RequestSerializationError: CustomNSError {
    /// The original's error domain.
    public static var errorDomain: String { domain }

    /// The URL loading system's codes: -1000 for a bad URL or place, -1016 for everything that cannot be encoded.
    public var errorCode: Int {
        switch reason {
        case .invalidURL, .unreadablePart: URLError.Code.badURL.rawValue
        case .notAnObject, .notANumber, .tooDeep, .notEncodable, .invalidJSON, .invalidPropertyList,
            .methodWithoutBody, .invalidBoundary, .queryFailed:
            URLError.Code.cannotDecodeContentData.rawValue
        }
    }

    /// The original's keys, each only where its value is known.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        if case .invalidJSON = reason { info[NSLocalizedFailureReasonErrorKey] = description }
        if let url { info[Self.requestKey] = Redaction.url(url) }
        if let underlying { info[NSUnderlyingErrorKey] = underlying.error as NSError }
        return info
    }
}
