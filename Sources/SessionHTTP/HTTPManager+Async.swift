import Foundation
public import SessionCore

/// The `async` methods.
///
/// Each throws a ``RequestSerializationError`` for a request that cannot be made, a ``SessionError`` of the transfer,
/// or a ``ResponseSerializationError``, which has the response, its body, and the object that was still made from it.
/// The `as` parameter names the result's type, see ``ResponseFormat``; without it the result is the completion, and the
/// body is unchanged until ``responseSerializer`` is set. Parameters are a literal, such as `["page": 2, "tags":
/// ["a"]]`, or any `Encodable` value; method and ``requestSerializer`` decide whether they go into the URL or the body.
extension HTTPManager {
    /// Sends a request of any method and returns the response's body in the given format.
    public func send<Value: Sendable>(
        _ method: String, _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let request = try request(method, path, parameters: parameters, headers: headers)
        return try await manager.data(for: request, as: format, options: options)
    }

    /// Sends an `Encodable` value and returns the response's body in the given format.
    public func send<Value: Sendable>(
        _ method: String, _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let request = try request(method, path, body: body, headers: headers)
        return try await manager.data(for: request, as: format, options: options)
    }
}

/// The methods with parameters in the URL.
extension HTTPManager {
    /// Sends a GET with the parameters in the URL and returns the response's body in the given format.
    public func get<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("GET", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a GET with an `Encodable` value in the URL and returns the response's body in the given format.
    public func get<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("GET", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a HEAD; ``TaskCompletion/head`` is the result.
    public func head(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await send("HEAD", path, parameters: parameters, headers: headers, options: options)
    }

    /// Sends a HEAD with an `Encodable` value in the URL; ``TaskCompletion/head`` is the result.
    public func head(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await send("HEAD", path, body: parameters, headers: headers, options: options)
    }

    /// Sends a DELETE and returns the response's body in the given format; the parameters go into the URL unless
    /// ``RequestSettings/methodsWithParametersInURL`` says otherwise.
    public func delete<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("DELETE", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// Sends a DELETE with an `Encodable` value and returns the response's body in the given format; the value goes
    /// into the URL unless ``RequestSettings/methodsWithParametersInURL`` says otherwise.
    public func delete<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("DELETE", path, body: parameters, headers: headers, as: format, options: options)
    }
}
