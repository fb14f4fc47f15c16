public import Foundation
public import FoundationNetworking
import SessionSupport

/// The task factories, with AFNetworking's names.
///
/// Every task starts suspended. A completion handler is called once, on ``completionQueue``; progress blocks are called
/// on ``operationQueue``, at most once per drain, with counts in bytes. Each factory throws `invalidURL`,
/// `unsupportedScheme`, `invalidHeader`, `invalidRequest` or `sessionInvalidated`, besides the errors its own comment
/// names.
extension SessionManager {
    /// Returns the destination of a finished download, given the temporary file and the response; nil discards the
    /// file, and the temporary file itself leaves it where it is.
    ///
    /// Throwing discards the file too, and the completion handler gets the thrown error.
    public typealias DownloadDestination = @Sendable (URL, ResponseHead?) throws -> URL?
    /// Called once, on the completion queue, with the response, the file and the error.
    public typealias DownloadCompletionHandler = @Sendable (ResponseHead?, URL?, (any Error)?) -> Void

    /// Makes a data task: its body is collected and serialized, or delivered in chunks (``TaskOptions/delivery``).
    public func dataTask(
        with request: some TaskRequest, uploadProgress: ProgressBlock? = nil, downloadProgress: ProgressBlock? = nil,
        options: TaskOptions = TaskOptions(), completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        var closures = TaskRecord.Closures(
            uploadProgress: uploadProgress, downloadProgress: downloadProgress,
            completion: CompletionReceiver(completionHandler))
        if case .stream(let closure) = options.delivery {
            (closures.stream, closures.segmentation) = (closure, options.segmentation)
        }
        return try makeTask(
            .data, request.transferRequest(), urlRequest: request.foundationRequest, options: options,
            route: closures.stream == nil ? .memory : .stream, closures: closures)
    }

    /// Makes a data task whose body is delivered in chunks, each of which reports when it was read.
    ///
    /// The transfer waits while chunks are unread. The task may end before its last ones were.
    package func streamingTask(
        with request: some TaskRequest, downloadProgress: ProgressBlock? = nil, options: TaskOptions,
        receive: @escaping @Sendable ([UInt8], @escaping @Sendable () -> Void) -> Void
    ) throws(SessionError) -> SessionTask {
        var closures = TaskRecord.Closures(downloadProgress: downloadProgress)
        (closures.pacedStream, closures.segmentation) = (receive, options.segmentation)
        return try makeTask(
            .data, request.transferRequest(), urlRequest: request.foundationRequest, options: options, route: .stream,
            closures: closures)
    }

    /// Makes an upload task whose body is a file, read while it is sent; throws `bodyUnreadable` if it cannot be
    /// opened.
    ///
    /// Every upload is sent with its request's own method, which is GET unless the request names one.
    public func uploadTask(
        with request: some TaskRequest, fromFile file: URL, progress: ProgressBlock? = nil,
        options: TaskOptions = TaskOptions(), completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        guard file.isFileURL else {
            throw SessionError(.bodyUnreadable, BodyErrors.notFileURL(Redaction.url(file.absoluteString)))
        }
        return try uploadTask(
            request, body: .file(path: file.path), options,
            closures: TaskRecord.Closures(uploadProgress: progress, completion: CompletionReceiver(completionHandler)))
    }

    /// Makes an upload task whose body is data, a ``MultipartForm``, a ``BodySpecification`` such as the request's own,
    /// or a provider's body, which is made again for each repetition; nil for an empty body.
    ///
    /// Throws `bodyUnreadable` for a file that cannot be opened, and the provider's errors.
    public func uploadTask(
        with request: some TaskRequest, from body: (any BodyProvider)?, progress: ProgressBlock? = nil,
        options: TaskOptions = TaskOptions(), completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        var closures = TaskRecord.Closures(
            uploadProgress: progress, completion: CompletionReceiver(completionHandler))
        if let form = body as? MultipartForm {
            return try uploadTask(
                request.transferRequest(), urlRequest: request.foundationRequest, form: form, options,
                closures: closures)
        }
        if let body, !(body is Data || body is BodySpecification) { closures.makeBody = body.makeBody }
        return try uploadTask(request, body: body?.makeBody() ?? .bytes([]), options, closures: closures)
    }

    /// Makes an upload task whose body is the request's `httpBodyStream`; it cannot be repeated.
    ///
    /// A `Content-Length` of the request announces the stream's length; without one it is sent in chunks. The task
    /// fails with ``SessionError/Code/bodyUnreadable``, and the server sees an unfinished request, when the stream
    /// cannot be read to its end or has another length; ``SessionError/underlying`` has the stream's own error.
    public func uploadTask(
        withStreamedRequest request: URLRequest, progress: ProgressBlock? = nil,
        options: TaskOptions = TaskOptions(), completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        guard let stream = request.httpBodyStream else {
            throw SessionError(.invalidRequest, BodyErrors.noStream, failingURL: request.url?.absoluteString)
        }
        let body = try InputStreamBody.start(stream)
        return try uploadTask(
            request, body: .descriptor(body.descriptor), options,
            closures: TaskRecord.Closures(
                uploadProgress: progress, completion: CompletionReceiver(completionHandler), body: body))
    }

    /// Makes a download into the folder of ``TaskOptions/target``, or one whose destination is asked for at its end, on
    /// the delegate queue.
    ///
    /// `destination` gets the temporary file and the response and returns the file's destination; the file is moved
    /// there without replacing another, and a failed move is the handler's error; one that the closure itself has moved
    /// there stays. If it returns nil or throws, the file is removed; a thrown error is the handler's. Without a
    /// closure the temporary file stays and belongs to the caller. A fault of a target's folder is the handler's error.
    public func downloadTask(
        with request: some TaskRequest, progress: ProgressBlock? = nil, destination: DownloadDestination? = nil,
        options: TaskOptions = TaskOptions(), completionHandler: DownloadCompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .download, request.transferRequest(), urlRequest: request.foundationRequest, options: options,
            route: options.target.map { .target($0) } ?? .staged,
            closures: TaskRecord.Closures(
                downloadProgress: progress, completion: CompletionReceiver(completionHandler),
                destination: destination))
    }

    /// Makes a download that continues a cancelled one, with the same destination; the closure is called only if that
    /// download had a closure too.
    public func downloadTask(
        withResumeData resumeData: ResumeData, progress: ProgressBlock? = nil,
        destination: DownloadDestination? = nil, options: TaskOptions = TaskOptions(),
        completionHandler: DownloadCompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .download, TransferRequest(url: resumeData.url, headers: resumeData.headers), resumeData: resumeData,
            options: options, route: resumeData.target.map { .target($0) } ?? .staged,
            closures: TaskRecord.Closures(
                downloadProgress: progress, completion: CompletionReceiver(completionHandler),
                destination: destination))
    }

    /// Deletes the stored part of an unfinished download.
    ///
    /// A task that still runs is cancelled first.
    public func discardPart(of task: SessionTask) {
        task.cancel(keepingPart: false)
        guard task.state == .completed, let completion = task.completionIfDone, completion.error != nil else { return }
        if let part = completion.resumeData?.partPath {
            FileRemover.remove(part)
            FileRemover.remove(part + ".meta")
        } else if case .target(let target)? = (task.delegate as? TaskRecord)?.route {
            // A task that ended before it began has not looked for the part of an earlier run.
            target.discardPart(of: task.request.url, at: task.mutable.withLock(\.earlierPart))
        }
    }

    // MARK: Making a task

    private func uploadTask(
        _ request: some TaskRequest, body: BodySpecification, _ options: TaskOptions, closures: TaskRecord.Closures
    ) throws(SessionError) -> SessionTask {
        var transfer = try request.transferRequest()
        transfer.body = body
        return try uploadTask(transfer, urlRequest: request.foundationRequest, options, closures: closures)
    }

    func makeTask(
        _ kind: TransferKind, _ request: TransferRequest, urlRequest: URLRequest? = nil,
        resumeData: ResumeData? = nil, options: TaskOptions,
        route: TaskRecord.Route, closures: consuming TaskRecord.Closures
    ) throws(SessionError) -> SessionTask {
        let (session, serializer) = sessionAndSerializer
        guard !session.isInvalidated else {
            throw SessionError(.sessionInvalidated, TaskErrors.invalidated, failingURL: request.url)
        }
        if let id = options.id, task(for: id) != nil {
            throw SessionError(.invalidRequest, RequestErrors.taskExists("\(id)"), failingURL: request.url)
        }
        var request = request
        requestHeaders.complete(&request)
        if let own = options.requestOptions { request.options = own }
        if let allows = options.allowsHTTP2 { request.allowsHTTP2 = allows }
        if let urlRequest { try complete(&request, from: urlRequest, kind, in: session, &closures) }
        if let id = options.id, request.uploadPlan != nil { session.store?.uploads.complete(&request, of: id) }
        try check(request, of: kind)
        if let progress = options.uploadProgress { closures.uploadProgress = closures.uploadProgress ?? progress }
        if let progress = options.downloadProgress { closures.downloadProgress = closures.downloadProgress ?? progress }
        (closures.entry, closures.check, closures.isKept) = (options.entry, options.validate, options.isKept)
        let reports = (upload: closures.uploadProgress != nil, download: closures.downloadProgress != nil)
        let record = TaskRecord(
            manager: state, session: session, route: route, serializer: serializer, closures: closures)
        let task = SessionTask(
            id: options.id, kind: kind, request: consume request, urlRequest: urlRequest, resumeData: resumeData,
            session: session, delegate: record)
        if let serializer = options.responseSerializer { task.responseSerializer = serializer }
        if reports.upload { _ = task.progress(.upload) }
        if reports.download { _ = task.progress(.download) }
        if options.isKept { try keep(task, in: session, route: route, position: options.position) }
        register(task)
        return task
    }
}
