import Foundation
import FoundationNetworking

/// The factories. Every task starts suspended; each throws a ``SessionError`` for a URL that is not http or https, a
/// header field with CR, LF or NUL, an unreadable body file, and once the session is invalid. An `entry` says under
/// which number the task is made, which must not be that of a task that has not ended.
extension SessionManager {
    /// A data task, suspended: its body is collected and serialized, or handed over in chunks.
    ///
    /// The handler is called once, on ``completionQueue``; progress blocks on ``operationQueue``, at most once per drain,
    /// with counts in bytes. Throws `invalidURL`, `unsupportedScheme`, `invalidHeader`, `invalidRequest` or
    /// `sessionInvalidated`.
    public func dataTask(
        with request: TransferRequest, delivery: BodyDelivery = .memory, uploadProgress: ProgressBlock? = nil,
        downloadProgress: ProgressBlock? = nil, entry: TaskEntry? = nil, completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .data, request, entry: entry, route: .body(delivery),
            closures: TaskRecord.Closures(
                uploadProgress: uploadProgress, downloadProgress: downloadProgress,
                completion: CompletionReceiver(completionHandler)))
    }

    /// An upload task, suspended, whose body is the request's.
    ///
    /// The handler is called once, on ``completionQueue``; the progress block on ``operationQueue``, with bytes sent.
    /// Throws what a data task's factory throws, and `bodyUnreadable` for a file that cannot be opened.
    public func uploadTask(
        with request: TransferRequest, progress: ProgressBlock? = nil, entry: TaskEntry? = nil,
        completionHandler: CompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .upload, request, entry: entry, route: .body(.memory),
            closures: TaskRecord.Closures(
                uploadProgress: progress, completion: CompletionReceiver(completionHandler)))
    }

    /// A download into a folder.
    ///
    /// The part lies beside its destination from the first byte; the handler gets the file.
    public func downloadTask(
        with request: TransferRequest, to target: DownloadTarget, progress: ProgressBlock? = nil,
        entry: TaskEntry? = nil, completionHandler: DownloadCompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .download, request, entry: entry, route: .target(target),
            closures: TaskRecord.Closures(
                downloadProgress: progress, completion: CompletionReceiver(completionHandler)))
    }

    /// A download whose destination is asked for at its end, on the delegate queue.
    ///
    /// `destination` gets the temporary file and the response and returns where the file goes; the file is moved there
    /// without replacing another, and a failed move is the handler's error. When it returns nil the file is removed, and
    /// when it throws too: then its error is the handler's. Without a closure the temporary file stays and is the
    /// caller's.
    public func downloadTask(
        with request: TransferRequest, progress: ProgressBlock? = nil, destination: DownloadDestination?,
        completionHandler: DownloadCompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .download, request, route: .destination(destination),
            closures: TaskRecord.Closures(
                downloadProgress: progress, completion: CompletionReceiver(completionHandler)))
    }

    /// A download that goes on where a cancelled one stopped, to the place that one was meant for; the closure is asked
    /// only when that one had a closure too.
    public func downloadTask(
        withResumeData resumeData: ResumeData, progress: ProgressBlock? = nil,
        destination: DownloadDestination? = nil, completionHandler: DownloadCompletionHandler?
    ) throws(SessionError) -> SessionTask {
        try makeTask(
            .download, TransferRequest(url: resumeData.url, headers: resumeData.headers), resumeData: resumeData,
            route: resumeData.target.map { .target($0) } ?? .destination(destination),
            closures: TaskRecord.Closures(
                downloadProgress: progress, completion: CompletionReceiver(completionHandler)))
    }

    /// Deletes what an unfinished download has stored.
    ///
    /// A task that still runs is cancelled first.
    public func discardPart(of task: SessionTask) {
        task.cancel(keepingPart: false)
        guard task.state == .completed, let part = task.completionIfDone?.resumeData?.partPath else { return }
        FileRemover.remove(part)
        FileRemover.remove(part + ".meta")
    }

    // MARK: Shared

    func makeTask(
        _ kind: TransferKind, _ request: TransferRequest, urlRequest: URLRequest? = nil,
        resumeData: ResumeData? = nil, entry: TaskEntry? = nil,
        route: TaskRecord.Route, closures: TaskRecord.Closures
    ) throws(SessionError) -> SessionTask {
        let (session, serializer) = sessionAndSerializer
        guard !session.isInvalidated else {
            throw SessionError(.sessionInvalidated, "The session was invalidated", failingURL: request.url)
        }
        if let id = entry?.id, task(for: id) != nil {
            throw SessionError(.invalidRequest, "There is a task \(id) that has not ended", failingURL: request.url)
        }
        var request = request
        requestHeaders.complete(&request)
        try check(request, of: kind)
        let record = TaskRecord(
            manager: state, session: session, route: route, serializer: serializer, closures: closures)
        let task = SessionTask(
            id: entry?.id, kind: kind, request: consume request, urlRequest: urlRequest, resumeData: resumeData,
            session: session, delegate: record)
        if closures.uploadProgress != nil { _ = task.progress(.upload) }
        if closures.downloadProgress != nil { _ = task.progress(.download) }
        if entry?.isKept ?? true { try keep(task, in: session, route: route, position: entry?.position) }
        register(task)
        return task
    }
}
