public import Foundation

/// The calls that create a task, resume it and wait for its end, which they return; cancelling the Swift task cancels it.
///
/// Each throws what the factory throws, a ``SessionError`` of the transfer, or the serializer's error. They complete on
/// their own and need neither the main queue nor ``completionQueue``.
extension SessionManager {
    /// Sends a request; ``TaskCompletion/data`` is the response's body and ``TaskCompletion/head`` its head.
    public func data(
        for request: some TaskRequest, options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await Self.run(dataTask(with: request, options: options, completionHandler: nil))
    }

    /// Sends a file as the request's body.
    public func upload(
        for request: some TaskRequest, fromFile file: URL, options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await Self.run(uploadTask(with: request, fromFile: file, options: options, completionHandler: nil))
    }

    /// Sends data, a ``BodySpecification`` such as the request's own, or what a provider makes; nil for an empty body.
    public func upload(
        for request: some TaskRequest, from body: (any BodyProvider)?, options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await Self.run(uploadTask(with: request, from: body, options: options, completionHandler: nil))
    }

    /// Downloads into the folder of ``TaskOptions/target``, to where the closure says, or to a temporary file that is the
    /// caller's; ``TaskCompletion/fileURL`` is the file.
    public func download(
        for request: some TaskRequest, destination: DownloadDestination? = nil, options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await Self.run(
            downloadTask(with: request, destination: destination, options: options, completionHandler: nil))
    }

    /// Waits until every task that was resumed before this call has ended.
    public func waitForAll() async {
        for task in tasks where task.wasResumed { _ = await task.completion() }
    }

    private static func run(_ task: SessionTask) async throws -> TaskCompletion {
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
