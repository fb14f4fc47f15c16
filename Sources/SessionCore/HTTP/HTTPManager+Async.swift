import Foundation

/// The functions that wait.
///
/// Each throws a ``RequestSerializationError`` for a request that cannot be made, a ``SessionError`` of the transfer, or a
/// ``ResponseSerializationError``, which has the response, its body, and the object that was made of it all the same. What
/// is named `as` is the type of the result, see ``ResponseFormat``; without it the result is how the task ended, and a body
/// stays as it is until ``responseSerializer`` is set.
extension HTTPManager {
    /// Sends a request of any method.
    public func send(
        _ method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields(),
        options: TaskOptions = TaskOptions()
    ) async throws -> TaskCompletion {
        let request = try request(method, path, parameters: parameters, headers: headers)
        return try await manager.data(for: request, options: options)
    }

    /// Sends a request of any method, and returns what the format makes of the response's body.
    public func send<Value: Sendable>(
        _ method: String, _ path: String, parameters: ParameterValue? = nil,
        headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>, options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let request = try request(method, path, parameters: parameters, headers: headers)
        return try await manager.data(for: request, as: format, options: options)
    }

    /// Sends a value that encodes itself, and returns what the format makes of the response's body.
    public func send<Value: Sendable>(
        _ method: String, _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>, options: TaskOptions = TaskOptions()
    ) async throws -> Value {
        let request = try request(method, path, body: body, headers: headers)
        return try await manager.data(for: request, as: format, options: options)
    }

    /// A GET; the parameters stand in the URL.
    public func get(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) async throws -> TaskCompletion {
        try await send("GET", path, parameters: parameters, headers: headers)
    }

    /// A GET; the parameters stand in the URL.
    public func get<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>
    ) async throws -> Value {
        try await send("GET", path, parameters: parameters, headers: headers, as: format)
    }

    /// A HEAD; ``TaskCompletion/head`` is the result.
    public func head(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) async throws -> TaskCompletion {
        try await send("HEAD", path, parameters: parameters, headers: headers)
    }

    /// A POST.
    public func post(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) async throws -> TaskCompletion {
        try await send("POST", path, parameters: parameters, headers: headers)
    }

    /// A POST.
    public func post<Value: Sendable>(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>
    ) async throws -> Value {
        try await send("POST", path, parameters: parameters, headers: headers, as: format)
    }

    /// A POST of a value that encodes itself.
    public func post<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>
    ) async throws -> Value {
        try await send("POST", path, body: body, headers: headers, as: format)
    }

    /// A POST of a form, which is streamed: the parameters as parts, then what the closure adds.
    public func post(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields(),
        options: TaskOptions = TaskOptions(), build: (inout MultipartForm) throws -> Void
    ) async throws -> TaskCompletion {
        let multipart = try multipartRequest(
            "POST", path, parameters: parameters, headers: headers, build: build)
        return try await manager.upload(multipart, options: options)
    }

    /// A PUT.
    public func put(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) async throws -> TaskCompletion {
        try await send("PUT", path, parameters: parameters, headers: headers)
    }

    /// A PUT of a value that encodes itself.
    public func put<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>
    ) async throws -> Value {
        try await send("PUT", path, body: body, headers: headers, as: format)
    }

    /// A PATCH.
    public func patch(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) async throws -> TaskCompletion {
        try await send("PATCH", path, parameters: parameters, headers: headers)
    }

    /// A PATCH of a value that encodes itself.
    public func patch<Value: Sendable>(
        _ path: String, body: some Encodable, headers: HeaderFields = HeaderFields(),
        as format: ResponseFormat<Value>
    ) async throws -> Value {
        try await send("PATCH", path, body: body, headers: headers, as: format)
    }

    /// A DELETE; the parameters stand in the URL unless ``RequestSettings/methodsWithParametersInURL`` says otherwise.
    public func delete(
        _ path: String, parameters: ParameterValue? = nil, headers: HeaderFields = HeaderFields()
    ) async throws -> TaskCompletion {
        try await send("DELETE", path, parameters: parameters, headers: headers)
    }
}
