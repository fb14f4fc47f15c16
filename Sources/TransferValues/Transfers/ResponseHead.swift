import SessionSupport

/// The status line and header fields of one response, as the engine sees it.
///
/// ```swift
/// let head = try await manager.data(for: request).head
/// print(head?.statusCode ?? 0, head?.headers["Content-Type"] ?? "no type")
/// ```
public struct ResponseHead: Sendable, Equatable {
    /// The three digits.
    public var statusCode: Int
    /// The words after the digits; often empty.
    public var reasonPhrase: String
    /// The HTTP version of the response.
    public var version: HTTPVersion
    /// The header fields, in order.
    public var headers: HeaderFields
    /// The URL that responded: the last one after redirects.
    public var url: String

    /// Creates a response head.
    public init(
        statusCode: Int, reasonPhrase: String = "", version: HTTPVersion = .http1_1,
        headers: HeaderFields = HeaderFields(), url: String = ""
    ) {
        self.statusCode = statusCode
        self.reasonPhrase = reasonPhrase
        self.version = version
        self.headers = headers
        self.url = url
    }

    /// The parameter `charset` of the content type, in lower case.
    package var charset: String? {
        for parameter in (headers["Content-Type"] ?? "").split(separator: ";").dropFirst() {
            let words = parameter.split(separator: "=", maxSplits: 1).map { ByteText.trimmed($0) }
            guard words.count == 2, ByteText.isSame(words[0], "charset") else { continue }
            return ByteText.lowercased(words[1].filter { $0 != "\"" })
        }
        return nil
    }
}

/// The HTTP version of a response.
///
/// ```swift
/// print(try await manager.data(for: request).head?.version == .http2)
/// ```
public enum HTTPVersion: String, Sendable {
    /// HTTP/1.0.
    case http1_0 = "HTTP/1.0"
    /// HTTP/1.1.
    case http1_1 = "HTTP/1.1"
    /// HTTP/2.
    case http2 = "HTTP/2"
    /// HTTP/3.
    case http3 = "HTTP/3"
}
