import Foundation
public import SessionCore

/// The functions that wait.
///
/// Each throws a ``RequestSerializationError`` for a request that cannot be made, a ``SessionError`` of the transfer, or a
/// ``ResponseSerializationError``, which has the response, its body, and the object that was made of it all the same. What
/// is named `as` is the type of the result, see ``ResponseFormat``; without it the result is how the task ended, and a body
/// stays as it is until ``responseSerializer`` is set. Parameters are a literal, such as `["page": 2, "tags": ["a"]]`, or
/// any value that encodes itself; they stand in the URL or are the body, as the method and ``requestSerializer`` say.
extension HTTPManager {
    /// Sends a request of any method, and returns what the format makes of the response's body.
    public func send<Value: Sendable>(
        _ method: String, _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let request = try request(method, path, parameters: parameters, headers: headers)
        return try await manager.data(for: request, as: format, options: options)
    }

    /// Sends a value that encodes itself, and returns what the format makes of the response's body.
    public func send<Value: Sendable>(
        _ method: String, _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let request = try request(method, path, body: body, headers: headers)
        return try await manager.data(for: request, as: format, options: options)
    }
}

/// Methods that have their parameters in the URL.
extension HTTPManager {
    /// A GET, and what the format makes of the response's body; the parameters stand in the URL.
    public func get<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("GET", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// A GET of a value that encodes itself, and what the format makes of the response's body; the parameters stand in the URL.
    public func get<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("GET", path, body: parameters, headers: headers, as: format, options: options)
    }

    /// A HEAD; ``TaskCompletion/head`` is the result.
    public func head(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await send("HEAD", path, parameters: parameters, headers: headers, options: options)
    }

    /// A HEAD of a value that encodes itself; ``TaskCompletion/head`` is the result.
    public func head(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        try await send("HEAD", path, body: parameters, headers: headers, options: options)
    }

    /// A DELETE, and what the format makes of the response's body; the parameters stand in the URL unless ``RequestSettings/methodsWithParametersInURL`` says otherwise.
    public func delete<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("DELETE", path, parameters: parameters, headers: headers, as: format, options: options)
    }

    /// A DELETE of a value that encodes itself, and what the format makes of the response's body; the parameters stand in the URL unless ``RequestSettings/methodsWithParametersInURL`` says otherwise.
    public func delete<Value: Sendable>(
        _ path: String, parameters: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value> = ResponseFormat<TaskCompletion>.completion,
        options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        try await send("DELETE", path, body: parameters, headers: headers, as: format, options: options)
    }
}
