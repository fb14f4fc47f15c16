/// The one error of the library: what kind, in which words, and what lay under it.
public struct SessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    ///
    /// Raw values are stable: they appear in logs and in JSON.
    public enum Code: String, Sendable, CaseIterable {
        case cancelled
        case invalidURL, unsupportedScheme, invalidHeader, invalidRequest
        case bodyUnreadable
        case unknownHost, connectionRefused, networkUnreachable, connectionLost, timedOut, stalled
        case tls, certificate
        case badResponse, tooManyRedirects, redirectRefused
        case http, authenticationRequired, noContent
        case truncated, resourceChanged, bodyTooLarge, notReplayable
        case checksum
        case destinationExists, destinationIsFolder, permission, notFound, diskFull, readOnly, fileTooLarge, partInUse
        case storage
        case sessionInvalidated, sessionInUse
        case `internal`
    }

    /// The kind.
    public var code: Code
    /// One sentence for a person, without a trailing stop: what happened and, where it helps, what to do.
    public var message: String
    /// The URL that failed, as the user gave it or as a redirect named it.
    public var failingURL: String?
    /// The status code of the response, where there was one.
    public var statusCode: Int?
    /// libcurl's result code, where the transport failed.
    public var curlCode: Int?
    /// The system's error number, where a system call failed.
    public var errno: Int32?
    /// The path of a part that was kept.
    public var partPath: String?
    /// The beginning of the body that came with an unacceptable status, where it was not stored as a file.
    public var responseBody: [UInt8]?
    /// The chain of a server that is not trusted, DER, its own certificate first; empty where it is not known.
    public var peerCertificates: [[UInt8]] = []

    /// An error from its parts.
    public init(
        _ code: Code, _ message: String, failingURL: String? = nil, statusCode: Int? = nil, curlCode: Int? = nil,
        errno: Int32? = nil, partPath: String? = nil
    ) {
        self.code = code
        self.message = message
        self.failingURL = failingURL
        self.statusCode = statusCode
        self.curlCode = curlCode
        self.errno = errno
        self.partPath = partPath
    }

    /// The message.
    public var description: String { message }
}
