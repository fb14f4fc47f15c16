public import Foundation
import SessionSupport

/// The calls that create a task, resume it, wait for its end and return it; cancelling the Swift task cancels it.
///
/// Bodies are returned unchanged and 2xx is accepted, unless ``SessionManager/responseSerializer`` was set or a call
/// names a serializer. Each call throws the factory's error, a ``SessionError`` of the transfer, or the serializer's
/// error, which has the response and its body. They complete on their own and need neither the main queue nor
/// ``completionQueue``.
extension SessionManager {
    /// Sends a file as the request's body.
    public func upload(
        for request: some TaskRequest, fromFile file: URL, options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        let options = plain(options)
        return try await send(request, options) { request in
            try uploadTask(with: request, fromFile: file, options: options, completionHandler: nil)
        }
    }

    /// Downloads into the folder of ``TaskOptions/target``, to the URL the closure returns, or to a temporary file
    /// owned by the caller; ``TaskCompletion/fileURL`` is the file.
    public func download(
        for request: some TaskRequest, destination: DownloadDestination? = nil,
        options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await send(request, options) { request in
            try downloadTask(
                with: request, destination: destination, options: options, completionHandler: nil)
        }
    }

    /// Waits until every task that was resumed before this call has ended.
    ///
    /// The completion handlers of the last ones may still be due on ``completionQueue``; they have entered
    /// ``completionGroup``, so that waiting for the group after this call waits for them too.
    public func waitForAll() async {
        for task in tasks where task.wasResumed { _ = await task.completion() }
    }

    /// The options of an `async` method: bodies stay unchanged unless another serializer was set.
    private func plain(_ options: TaskOptions) -> TaskOptions {
        guard options.responseSerializer == nil, state.withLock({ $0.serializer == nil }) else {
            return options
        }
        var options = options
        options.responseSerializer = HTTPResponseSerializer()
        return options
    }
}

/// A value made from a response, and how its task ended.
///
/// ```swift
/// let response = try await manager.response(for: request, as: .string)
/// print(response.value, response.completion.metrics.total)
/// ```
public struct Response<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The task's head, body, metrics and other results.
    public let completion: TaskCompletion
}

extension ResponseFormat where Value == TaskCompletion {
    /// The task's completion; its body is unchanged until ``SessionManager/responseSerializer`` is set.
    public static var completion: ResponseFormat { ResponseFormat(ofTask: { $0 as? TaskCompletion }) }
}

/// The `async` methods, each with its result type; see ``ResponseFormat``.
extension SessionManager {
    /// Sends a request and returns its body in the given format; by default the completion, with the body in
    /// ``TaskCompletion/data`` and the head in ``TaskCompletion/head``.
    public func data<Value: Sendable>(
        for request: some TaskRequest, as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await response(for: request, as: format, options: options).value
    }

    /// Sends a request and returns its body in the given format, with the response's head and the rest of the
    /// completion.
    public func response<Value: Sendable>(
        for request: some TaskRequest, as format: ResponseFormat<Value>,
        options: TaskOptions = TaskOptions()
    ) async throws -> Response<Value> {
        let options = format.isOfTask ? plain(options) : options.serializing(with: format.serializer)
        let completion = try await send(request, options) { request in
            try dataTask(with: request, options: options, completionHandler: nil)
        }
        return try Self.response(completion, format)
    }

    /// Sends a request and decodes its body, from JSON unless another decoder is given.
    ///
    /// An empty body is nil for an optional type such as `User?`, and an error for every other.
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, for request: some TaskRequest,
        decoder: any ResponseDecoder = JSONDecoder(),
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await data(for: request, as: .decodable(type, decoder: decoder), options: options)
    }

    /// Sends data, a ``MultipartForm``, a ``BodySpecification`` such as the request's own, or a provider's body (nil
    /// for an empty body), and returns the response's body in the given format; by default the completion.
    public func upload<Value: Sendable>(
        for request: some TaskRequest, from body: (any BodyProvider)?,
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let options = format.isOfTask ? plain(options) : options.serializing(with: format.serializer)
        let completion = try await send(request, options) { request in
            try uploadTask(with: request, from: body, options: options, completionHandler: nil)
        }
        return try Self.response(completion, format).value
    }

    private static func response<Value: Sendable>(
        _ completion: TaskCompletion, _ format: ResponseFormat<Value>
    ) throws -> Response<Value> {
        let value = try format.value(
            of: format.isOfTask ? completion : completion.object, head: completion.head, data: completion.data)
        return Response(value: value, completion: completion)
    }
}

extension TaskOptions {
    fileprivate func serializing(with serializer: any ResponseSerializer) -> TaskOptions {
        var options = self
        options.responseSerializer = serializer
        return options
    }
}
