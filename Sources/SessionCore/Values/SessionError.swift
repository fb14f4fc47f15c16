/// The one error of the library: what kind, in which words, and what lay under it.
///
/// Everything lies behind one reference: whatever may end with an error has room for one, and hardly anything does.
public struct SessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    ///
    /// Raw values are stable: they appear in logs and in JSON.
    public enum Code: String, Sendable, CaseIterable {
        /// The task was cancelled, or a closure refused the response.
        case cancelled
        /// The URL is empty, relative, or no URL; thrown when a task is created.
        case invalidURL
        /// The URL's scheme is neither http nor https; thrown when a task is created.
        case unsupportedScheme
        /// A header field holds CR, LF or NUL, or its name is no token; thrown when a task is created.
        case invalidHeader
        /// The request cannot be sent as it is: its method is no token, or a body or a file's place is missing.
        case invalidRequest
        /// The body's file cannot be opened or read.
        case bodyUnreadable
        /// The host's name has no address.
        case unknownHost
        /// The host is there and nobody listens on the port.
        case connectionRefused
        /// There is no way to the host.
        case networkUnreachable
        /// The connection ended before the answer did.
        case connectionLost
        /// No connection was established in time.
        case timedOut
        /// The connection stood and no byte moved for too long.
        case stalled
        /// The TLS handshake failed for another reason than the certificate.
        case tls
        /// The server's certificate is not trusted.
        case certificate
        /// What came is not HTTP, or contradicts itself.
        case badResponse
        /// Redirects went on beyond the limit.
        case tooManyRedirects
        /// A redirect led to where none may lead, such as from https to http.
        case redirectRefused
        /// The server answered with an error status; ``SessionError/statusCode`` has it.
        case http
        /// Credentials are needed, or the ones that were shown were refused.
        case authenticationRequired
        /// The answer has no body where one is needed.
        case noContent
        /// The body ended before its length.
        case truncated
        /// The file on the server is not the one the part belongs to.
        case resourceChanged
        /// A body that is collected is larger than ``SessionConfiguration/dataLimit``.
        case bodyTooLarge
        /// The request has to be sent again and its body cannot be.
        case notReplayable
        /// The file's digest is not the one that was asked for.
        case checksum
        /// The place of the file is taken.
        case destinationExists
        /// A folder has the file's name.
        case destinationIsFolder
        /// The file system does not allow it.
        case permission
        /// A file or folder that has to be there is not.
        case notFound
        /// The disk is full, or the user's share of it.
        case diskFull
        /// The file system cannot be written to.
        case readOnly
        /// The file system takes no file of this length.
        case fileTooLarge
        /// Another process or task writes the part, or too many parts of one file lie in its folder.
        case partInUse
        /// Another failure of the file system; ``SessionError/errno`` has its number.
        case storage
        /// The session was invalidated before the task could start.
        case sessionInvalidated
        /// Another process has the persistent session of this name open.
        case sessionInUse
        /// The process has no thread or memory left, or is in a state that should not be possible; the message says which.
        case `internal`
    }

    private struct Values: Sendable, Equatable {
        var code: Code
        var message: String
        var failingURL: String?
        var statusCode: Int?
        var curlCode: Int?
        var errno: Int32?
        var partPath: String?
        var responseBody: [UInt8]?
        var peerCertificates: [[UInt8]] = []
    }

    private var shared: SharedValue<Values>

    /// An error from its parts.
    public init(
        _ code: Code, _ message: String, failingURL: String? = nil, statusCode: Int? = nil, curlCode: Int? = nil,
        errno: Int32? = nil, partPath: String? = nil
    ) {
        shared = SharedValue(
            Values(
                code: code, message: message, failingURL: failingURL, statusCode: statusCode, curlCode: curlCode,
                errno: errno, partPath: partPath))
    }

    /// The kind.
    public var code: Code {
        get { shared.value.code }
        set { shared = shared.changed { $0.code = newValue } }
    }
    /// One sentence for a person, without a trailing stop: what happened and, where it helps, what to do.
    public var message: String {
        get { shared.value.message }
        set { shared = shared.changed { $0.message = newValue } }
    }
    /// The URL that failed, as the user gave it or as a redirect named it.
    public var failingURL: String? {
        get { shared.value.failingURL }
        set { shared = shared.changed { $0.failingURL = newValue } }
    }
    /// The status code of the response, where there was one.
    public var statusCode: Int? {
        get { shared.value.statusCode }
        set { shared = shared.changed { $0.statusCode = newValue } }
    }
    /// libcurl's result code, where the transport failed.
    public var curlCode: Int? {
        get { shared.value.curlCode }
        set { shared = shared.changed { $0.curlCode = newValue } }
    }
    /// The system's error number, where a system call failed.
    public var errno: Int32? {
        get { shared.value.errno }
        set { shared = shared.changed { $0.errno = newValue } }
    }
    /// The path of a part that was kept.
    public var partPath: String? {
        get { shared.value.partPath }
        set { shared = shared.changed { $0.partPath = newValue } }
    }
    /// The beginning of the body that came with an unacceptable status, where it was not stored as a file.
    public var responseBody: [UInt8]? {
        get { shared.value.responseBody }
        set { shared = shared.changed { $0.responseBody = newValue } }
    }
    /// The chain of a server that is not trusted, DER, its own certificate first; empty where it is not known.
    public var peerCertificates: [[UInt8]] {
        get { shared.value.peerCertificates }
        set { shared = shared.changed { $0.peerCertificates = newValue } }
    }

    /// Compares what they say.
    public static func == (left: SessionError, right: SessionError) -> Bool { left.shared.value == right.shared.value }

    /// The message.
    public var description: String { message }
}
