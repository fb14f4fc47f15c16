public import Foundation
public import FoundationNetworking

/// The factories for Foundation's requests. A request's `timeoutInterval`, when set, is its idle limit.
extension SessionManager {
    /// Names where a finished download goes: gets the temporary file and the response; nil discards the file.
    ///
    /// Throwing discards the file too, and the thrown error is the completion handler's.
    public typealias DownloadDestination = @Sendable (URL, ResponseHead?) throws -> URL?
    /// Called once, on the completion queue, with the response, the file and the error.
    public typealias DownloadCompletionHandler = @Sendable (ResponseHead?, URL?, (any Error)?) -> Void

    /// A data task, suspended: its body is collected and serialized.
    ///
    /// The handler is called once, on ``completionQueue``; progress blocks on ``operationQueue``, at most once per drain,
    /// with counts in bytes. Throws `invalidURL`, `unsupportedScheme`, `invalidHeader`, `invalidRequest` or
    /// `sessionInvalidated`.
    public func dataTask(
        with request: URLRequest, uploadProgress: ProgressBlock? = nil, downloadProgress: ProgressBlock? = nil,
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .data, TransferRequest(request), urlRequest: request, route: .body(.memory),
            closures: TaskRecord.Closures(
                uploadProgress: uploadProgress, downloadProgress: downloadProgress,
                completion: CompletionReceiver(completionHandler)))
    }

    /// An upload task, suspended, whose body is a file, read while it is sent.
    ///
    /// The handler is called once, on ``completionQueue``; the progress block on ``operationQueue``, with bytes sent.
    /// Throws what a data task's factory throws, and `bodyUnreadable` for a file that cannot be opened.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, progress: ProgressBlock? = nil,
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        guard file.isFileURL else {
            throw SessionError(.bodyUnreadable, "The body is not a file URL: \(file.absoluteString)")
        }
        return try uploadTask(request, body: .file(path: file.path), progress, completionHandler)
    }

    /// An upload task, suspended, whose body is data; nil for an empty body.
    ///
    /// The handler is called once, on ``completionQueue``; the progress block on ``operationQueue``, with bytes sent.
    /// Throws what a data task's factory throws, and `bodyUnreadable` for a file that cannot be opened.
    public func uploadTask(
        with request: URLRequest, from data: Data?, progress: ProgressBlock? = nil,
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try uploadTask(request, body: .bytes(data.map { Array($0) } ?? []), progress, completionHandler)
    }

    /// An upload task whose body comes from a provider, which can be asked again when the body has to be repeated.
    public func uploadTask(
        with request: URLRequest, from provider: any BodyProvider, progress: ProgressBlock? = nil,
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try uploadTask(request, body: provider.makeBody(), from: provider, progress, completionHandler)
    }

    /// An upload task whose body is the request's `httpBodyStream`; it cannot be repeated.
    ///
    /// A `Content-Length` of the request announces the stream's length; without one it is sent in chunks. The task fails with
    /// ``SessionError/Code/bodyUnreadable``, and the server sees an unfinished request, when the stream cannot be read to its
    /// end or has another length; ``SessionError/underlying`` has the stream's own error.
    public func uploadTask(
        withStreamedRequest request: URLRequest, progress: ProgressBlock? = nil,
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        guard let stream = request.httpBodyStream else {
            throw SessionError(
                .invalidRequest, "The request has no body stream", failingURL: request.url?.absoluteString)
        }
        let body = try InputStreamBody.start(stream)
        return try uploadTask(request, body: .descriptor(body.descriptor), keeping: body, progress, completionHandler)
    }

    /// A download whose destination is asked for at its end; see the factory for a ``TransferRequest``.
    public func downloadTask(
        with request: URLRequest, progress: ProgressBlock? = nil, destination: DownloadDestination?,
        completionHandler: DownloadCompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .download, TransferRequest(request), urlRequest: request, route: .destination(destination),
            closures: TaskRecord.Closures(
                downloadProgress: progress, completion: CompletionReceiver(completionHandler)))
    }

    private func uploadTask(
        _ request: URLRequest, body: BodySpecification, from provider: (any BodyProvider)? = nil,
        keeping owned: PipedBody? = nil,
        _ progress: ProgressBlock?, _ handler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        var transfer = try TransferRequest(request)
        transfer.body = body
        return try makeTask(
            .upload, transfer, urlRequest: request, route: .body(.memory),
            closures: TaskRecord.Closures(
                uploadProgress: progress, completion: CompletionReceiver(handler), body: owned,
                provider: provider.map { SharedValue($0) }))
    }
}
