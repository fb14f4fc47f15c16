public import Foundation
public import FoundationNetworking

/// The factories without progress, for `dataTask(with: request) { response, object, error in … }`.
extension SessionManager {
    /// A data task, suspended, whose handler is called once, on ``completionQueue``.
    ///
    /// Throws `invalidURL`, `unsupportedScheme`, `invalidHeader`, `invalidRequest` or `sessionInvalidated`.
    public func dataTask(
        with request: TransferRequest, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try dataTask(with: request, delivery: .memory, completionHandler: completionHandler)
    }

    /// A data task, suspended, whose handler is called once, on ``completionQueue``.
    ///
    /// Throws `invalidURL`, `unsupportedScheme`, `invalidHeader`, `invalidRequest` or `sessionInvalidated`.
    public func dataTask(
        with request: URLRequest, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try dataTask(with: request, uploadProgress: nil, completionHandler: completionHandler)
    }

    /// An upload task, suspended, whose body is the request's.
    ///
    /// The handler is called once, on ``completionQueue``. Throws what a data task's factory throws, and
    /// `bodyUnreadable` for a file that cannot be opened.
    public func uploadTask(
        with request: TransferRequest, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try uploadTask(with: request, progress: nil, completionHandler: completionHandler)
    }

    /// An upload task, suspended, whose body is a file, read while it is sent.
    ///
    /// The handler is called once, on ``completionQueue``. Throws what a data task's factory throws, and
    /// `bodyUnreadable` for a file that cannot be opened.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try uploadTask(with: request, fromFile: file, progress: nil, completionHandler: completionHandler)
    }

    /// An upload task, suspended, whose body is data; nil for an empty body.
    ///
    /// The handler is called once, on ``completionQueue``. Throws what a data task's factory throws, and
    /// `bodyUnreadable` for a file that cannot be opened.
    public func uploadTask(
        with request: URLRequest, from data: Data?, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try uploadTask(with: request, from: data, progress: nil, completionHandler: completionHandler)
    }

    /// A download into a folder, suspended; its handler is called once, on ``completionQueue``, with the file.
    ///
    /// Throws what a data task's factory throws; what is wrong with the folder is the handler's error.
    public func downloadTask(
        with request: TransferRequest, to target: DownloadTarget, completionHandler: DownloadCompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try downloadTask(with: request, to: target, progress: nil, completionHandler: completionHandler)
    }
}
