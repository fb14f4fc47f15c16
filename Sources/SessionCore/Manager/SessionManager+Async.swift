public import Foundation
public import FoundationNetworking

/// The async front doors. Each creates a task, resumes it and waits for its end; cancelling the Swift task cancels it.
/// They complete on their own and never go through the main or the completion queue.
extension SessionManager {
    /// Sends a request and returns how it ended.
    ///
    /// Cancelling the Swift task cancels the transfer. Throws what the factory throws, a ``SessionError`` of the transfer, or
    /// the serializer's error; needs neither the main queue nor ``completionQueue``. The serializer is the manager's
    /// unless one is given.
    public func data(
        for request: TransferRequest, responseSerializer: (any ResponseSerializer)? = nil
    ) async throws -> TaskCompletion {
        try await Self.run(dataTask(with: request), responseSerializer)
    }

    /// Sends a request and returns the body and the response.
    ///
    /// Cancels and throws as ``data(for:responseSerializer:)-(TransferRequest,_)`` does.
    public func data(
        for request: URLRequest, responseSerializer: (any ResponseSerializer)? = nil
    ) async throws -> (Data, ResponseHead?) {
        let completion = try await Self.run(dataTask(with: request), responseSerializer)
        return (completion.data, completion.head)
    }

    /// Sends a request with its body and returns how it ended.
    ///
    /// Cancels and throws as ``data(for:responseSerializer:)-(TransferRequest,_)`` does.
    public func upload(
        _ request: TransferRequest, responseSerializer: (any ResponseSerializer)? = nil
    ) async throws -> TaskCompletion {
        try await Self.run(uploadTask(with: request), responseSerializer)
    }

    /// Sends a file and returns the response's body and the response.
    ///
    /// Cancels and throws as ``data(for:responseSerializer:)-(TransferRequest,_)`` does.
    public func upload(
        for request: URLRequest, fromFile file: URL, responseSerializer: (any ResponseSerializer)? = nil
    ) async throws -> (Data, ResponseHead?) {
        let completion = try await Self.run(uploadTask(with: request, fromFile: file), responseSerializer)
        return (completion.data, completion.head)
    }

    /// Sends data and returns the response's body and the response.
    ///
    /// Cancels and throws as ``data(for:responseSerializer:)-(TransferRequest,_)`` does.
    public func upload(
        for request: URLRequest, from data: Data, responseSerializer: (any ResponseSerializer)? = nil
    ) async throws -> (Data, ResponseHead?) {
        let completion = try await Self.run(uploadTask(with: request, from: data), responseSerializer)
        return (completion.data, completion.head)
    }

    /// Downloads into a folder and returns how it ended; ``TaskCompletion/fileURL`` is the file.
    ///
    /// Cancels and throws as ``data(for:responseSerializer:)-(TransferRequest,_)`` does.
    public func download(_ request: TransferRequest, to target: DownloadTarget) async throws -> TaskCompletion {
        try await Self.run(downloadTask(with: request, to: target))
    }

    /// Downloads to where the closure says, or to a temporary file that is the caller's.
    ///
    /// Cancels and throws as ``data(for:responseSerializer:)-(TransferRequest,_)`` does.
    public func download(
        for request: URLRequest, destination: DownloadDestination? = nil
    ) async throws -> (URL?, ResponseHead?) {
        let completion = try await Self.run(
            downloadTask(with: request, destination: destination, completionHandler: nil))
        return (completion.fileURL, completion.head)
    }

    /// Waits until every task that was resumed before this call has ended.
    public func waitForAll() async {
        for task in tasks where task.wasResumed { _ = await task.completion() }
    }

    private static func run(
        _ task: SessionTask, _ serializer: (any ResponseSerializer)? = nil
    ) async throws -> TaskCompletion {
        task.responseSerializer = serializer
        let completion = await withTaskCancellationHandler {
            task.resume()
            return await task.completion()
        } onCancel: {
            task.cancel()
        }
        if let error = completion.error { throw error }
        return completion
    }
}
