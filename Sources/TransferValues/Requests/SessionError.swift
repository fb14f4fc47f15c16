/// An error of the library: its kind, its message and its cause.
///
/// ```swift
/// do {
///     _ = try await manager.data(for: request)
/// } catch let error as SessionError where error.code == .unknownHost {
///     print(error)
/// }
/// ```
public struct SessionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    ///
    /// Raw values are stable: they appear in logs and in JSON.
    ///
    /// ```swift
    /// let passing: Set<SessionError.Code> = [.timedOut, .connectionLost, .networkUnreachable]
    /// print(passing.contains((task.error as? SessionError)?.code ?? .cancelled))
    /// ```
    public enum Code: String, Sendable, CaseIterable {
        /// The task was cancelled, or a closure refused the response.
        case cancelled
        /// The URL is empty, relative or malformed; thrown when a task is created.
        case invalidURL
        /// The URL's scheme is neither http nor https; thrown when a task is created.
        case unsupportedScheme
        /// A header field contains CR, LF or NUL, its name is no token, it contradicts the body, or the library
        /// reserves it; thrown when a task is created, except for a field of
        /// ``SessionConfiguration/additionalHeaders``.
        case invalidHeader
        /// The request cannot be sent: its method is no token, or a body or a destination is missing.
        case invalidRequest
        /// The body's file or stream cannot be opened or read, or its length differs from the announced one.
        case bodyUnreadable
        /// The host's name has no address.
        case unknownHost
        /// No process listens on the host's port.
        case connectionRefused
        /// The network has no route to the host.
        case networkUnreachable
        /// The connection ended before the response did.
        case connectionLost
        /// No connection was established in time.
        case timedOut
        /// The connection was open, but no byte moved for too long, or too few for the request's least speed.
        case stalled
        /// The TLS handshake failed for another reason than the certificate.
        case tls
        /// The server's certificate is not trusted.
        case certificate
        /// The response is not HTTP, or contradicts itself.
        case badResponse
        /// The redirects exceeded the limit.
        case tooManyRedirects
        /// A redirect had a forbidden target, such as one from https to http.
        case redirectRefused
        /// The server responded with an error status; see ``SessionError/statusCode``.
        case http
        /// Credentials are required, or were refused.
        case authenticationRequired
        /// The response lacks a required body.
        case noContent
        /// The body ended before its length.
        case truncated
        /// The file on the server no longer matches the partial file.
        case resourceChanged
        /// The response is not the requested file: a web page, such as a login page, or another type than the partial
        /// file's.
        case unexpectedContent
        /// Another process has changed the partial file while it was written.
        case partChanged
        /// A collected body exceeds ``SessionConfiguration/dataLimit``, or a body ``RequestOptions/sizeLimit``.
        case bodyTooLarge
        /// The request must be sent again, but its body cannot be.
        case notReplayable
        /// The file's digest differs from the expected one.
        case checksum
        /// The destination exists already.
        case destinationExists
        /// A folder has the file's name.
        case destinationIsFolder
        /// The file system does not allow it.
        case permission
        /// A required file or folder does not exist.
        case notFound
        /// The disk is full, or the user's quota is.
        case diskFull
        /// The file system cannot be written to.
        case readOnly
        /// The file system does not support a file of this length.
        case fileTooLarge
        /// Another process or task writes the partial file, or its folder has too many partial files of one file.
        case partInUse
        /// Another failure of the file system; see ``SessionError/errno``.
        case storage
        /// The session was invalidated before the task could start.
        case sessionInvalidated
        /// Another process has the persistent session of this name open.
        case sessionInUse
        /// The process has no thread or memory left, or an internal invariant is broken; the message says which.
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
        var holdingProcess: Int32?
        var advice: Advice?
        var underlying: UnderlyingError?
    }

    private var shared: SharedValue<Values>

    /// The kind of failure.
    public var code: Code {
        get { shared.value.code }
        set { change { $0.code = newValue } }
    }
    /// One sentence for the user, without a trailing full stop: what happened and, where it helps, what to do.
    public var message: String {
        get { shared.value.message }
        set { change { $0.message = newValue } }
    }
    /// The URL that failed, as the user gave it or as a redirect named it.
    public var failingURL: String? {
        get { shared.value.failingURL }
        set { change { $0.failingURL = newValue } }
    }
    /// The status code of the response, if there was one.
    public var statusCode: Int? {
        get { shared.value.statusCode }
        set { change { $0.statusCode = newValue } }
    }
    /// libcurl's result code, where the transport failed.
    public var curlCode: Int? {
        get { shared.value.curlCode }
        set { change { $0.curlCode = newValue } }
    }
    /// The errno, where a system call failed.
    public var errno: Int32? {
        get { shared.value.errno }
        set { change { $0.errno = newValue } }
    }
    /// The path of a kept partial file, or of a complete file that could not be moved to its destination.
    public var partPath: String? {
        get { shared.value.partPath }
        set { change { $0.partPath = newValue } }
    }
    /// The beginning of the body of an unacceptable status, unless it was stored as a file.
    public var responseBody: [UInt8]? {
        get { shared.value.responseBody }
        set { change { $0.responseBody = newValue } }
    }
    /// The certificate chain of an untrusted server in DER, its own certificate first; empty where unknown.
    ///
    /// Known where a security policy other than the default, or a challenge closure, judges the chain: libcurl keeps
    /// none that it refuses itself.
    public var peerCertificates: [[UInt8]] {
        get { shared.value.peerCertificates }
        set { change { $0.peerCertificates = newValue } }
    }
    /// The process that holds the resource, where it is known.
    package var holdingProcess: Int32? {
        get { shared.value.holdingProcess }
        set { change { $0.holdingProcess = newValue } }
    }
    /// The remedy for callers that can name their own options.
    package var advice: Advice? {
        get { shared.value.advice }
        set { change { $0.advice = newValue } }
    }
    /// The cause, where that is another library's error or the caller's own, such as a body stream's.
    public var underlying: UnderlyingError? {
        get { shared.value.underlying }
        set { change { $0.underlying = newValue } }
    }

    /// A remedy for a failure.
    package enum Advice: Sendable, Equatable {
        /// A checksum of the file, or a comparison of bytes, instead of changing validators.
        case proveContent
        /// More retries, for a file that changes during its download.
        case beginAgain
        /// Storing the server's cookies.
        case keepCookies
        /// A file, or what the program reads, in place of a folder or a device.
        case giveFile
        /// Allowing redirects from https to http.
        case allowPlainHTTP
        /// Sending the body to the target of a redirect itself.
        case sendThere
        /// A client certificate.
        case giveCertificate
        /// The passphrase of the client certificate's key.
        case givePassphrase
        /// A user and password for the proxy.
        case giveProxyCredentials
        /// Naming the region and the service of an AWS request.
        case nameService
    }

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, failingURL: String? = nil, statusCode: Int? = nil, curlCode: Int? = nil,
        errno: Int32? = nil, partPath: String? = nil
    ) {
        shared = SharedValue(
            Values(
                code: code, message: message, failingURL: failingURL, statusCode: statusCode, curlCode: curlCode,
                errno: errno, partPath: partPath))
    }

    private mutating func change(_ body: (inout Values) -> Void) { shared = shared.changed(body) }

    /// The message.
    public var description: String { message }
}

/// An error of the caller's code or of another library that caused one of ours.
///
/// ```swift
/// if let error = task.error as? SessionError, let cause = error.underlying?.error { print(cause) }
/// ```
public struct UnderlyingError: Sendable, Equatable {
    /// The original error.
    public let error: any Error

    /// Wraps an error.
    public init(_ error: any Error) {
        self.error = error
    }

    /// Errors are not equatable, so this compares their descriptions.
    public static func == (left: UnderlyingError, right: UnderlyingError) -> Bool {
        String(reflecting: left.error) == String(reflecting: right.error)
    }
}
