/// An error of the library: its kind, its words, and what lay under it.
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
        /// The URL is empty, relative, or no URL; thrown when a task is created.
        case invalidURL
        /// The URL's scheme is neither http nor https; thrown when a task is created.
        case unsupportedScheme
        /// A header field holds CR, LF or NUL, its name is no token, it contradicts the body, or it is the library's to
        /// set; thrown when a task is created, except for a field of ``SessionConfiguration/additionalHeaders``.
        case invalidHeader
        /// The request cannot be sent as it is: its method is no token, or a body or a file's place is missing.
        case invalidRequest
        /// The body's file or stream cannot be opened or read, or has not the length that was announced.
        case bodyUnreadable
        /// The host's name has no address.
        case unknownHost
        /// The host is there and nobody listens on the port.
        case connectionRefused
        /// The network has no route to the host.
        case networkUnreachable
        /// The connection ended before the answer did.
        case connectionLost
        /// No connection was established in time.
        case timedOut
        /// The connection stood and no byte moved for too long, or fewer than the request wants.
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
        /// What came is not the file that was asked for: a web page in its place, such as one to log in, or something
        /// of another kind than the part it was to complete.
        case unexpectedContent
        /// Something else has changed the part while it was written.
        case partChanged
        /// A body that is collected is larger than ``SessionConfiguration/dataLimit``, or any body than
        /// ``RequestOptions/sizeLimit``.
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
        /// The process has no thread or memory left, or is in a state that should not be possible; the message says
        /// which.
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
    /// The path of a part that was kept, or of a whole file that could not be moved to its destination.
    public var partPath: String?
    /// The beginning of the body that came with an unacceptable status, where it was not stored as a file.
    public var responseBody: [UInt8]?
    /// The chain of a server that is not trusted, DER, its own certificate first; empty where it is not known.
    public var peerCertificates: [[UInt8]] = []

    /// The process that has what is in use, where it is known.
    package var holdingProcess: Int32?

    /// What a caller can do about it that has options of its own to name.
    package var advice: Advice?

    /// What helps against a failure.
    package enum Advice: Sendable, Equatable {
        /// A checksum of the whole, or a comparison of bytes, in place of tags that change.
        case proveContent
        /// More retries, for a file that changes while it is fetched.
        case beginAgain
        /// Keeping the cookies that the server sets.
        case keepCookies
        /// A file, or what the program reads, in place of a folder or a device.
        case giveFile
        /// Naming the region and the service of an AWS request.
        case nameService
    }

    /// What lay under it where that was another library's error or the caller's own, such as a body stream's.
    public var underlying: UnderlyingError?

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

/// An error of the caller's own code or of another library that lay under one of ours.
///
/// ```swift
/// if let error = task.error as? SessionError, let cause = error.underlying?.error { print(cause) }
/// ```
public struct UnderlyingError: Sendable, Equatable {
    /// The error as it was given.
    public let error: any Error

    /// Keeps an error.
    public init(_ error: any Error) {
        self.error = error
    }

    /// Errors have no equality of their own: equal are two that say the same.
    public static func == (left: UnderlyingError, right: UnderlyingError) -> Bool {
        String(reflecting: left.error) == String(reflecting: right.error)
    }
}
