public import Foundation
public import FoundationNetworking

/// The factories without progress, for `dataTask(with: request) { response, object, error in … }`.
extension SessionManager {
    /// A data task.
    public func dataTask(
        with request: TransferRequest, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try dataTask(with: request, delivery: .memory, completionHandler: completionHandler)
    }

    /// A data task.
    public func dataTask(
        with request: URLRequest, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try dataTask(with: request, uploadProgress: nil, completionHandler: completionHandler)
    }

    /// An upload task; the request has the body.
    public func uploadTask(
        with request: TransferRequest, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try uploadTask(with: request, progress: nil, completionHandler: completionHandler)
    }

    /// An upload task whose body is a file.
    public func uploadTask(
        with request: URLRequest, fromFile file: URL, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try uploadTask(with: request, fromFile: file, progress: nil, completionHandler: completionHandler)
    }

    /// An upload task whose body is data; nil for an empty body.
    public func uploadTask(
        with request: URLRequest, from data: Data?, completionHandler: CompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try uploadTask(with: request, from: data, progress: nil, completionHandler: completionHandler)
    }

    /// A download into a folder.
    public func downloadTask(
        with request: TransferRequest, to target: DownloadTarget, completionHandler: DownloadCompletionHandler? = nil
    ) throws(SessionError) -> SessionTask {
        try downloadTask(with: request, to: target, progress: nil, completionHandler: completionHandler)
    }
}
